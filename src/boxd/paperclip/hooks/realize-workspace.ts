import type {
  PluginEnvironmentRealizeWorkspaceParams,
  PluginEnvironmentRealizeWorkspaceResult,
} from "@paperclipai/plugin-sdk";
import { refusal, released } from "../errors.ts";
import { remoteCwd } from "../lease.ts";
import type { Provider } from "../provider.ts";

/**
 * Makes sure that a run's directory is there and says where; everything else about workspaces is the host's. It starts the machine, so it is work
 * of the lease as a command is: cancelling ends it, and a released lease refuses it.
 */
export async function realizeWorkspace(
  provider: Provider,
  params: PluginEnvironmentRealizeWorkspaceParams,
): Promise<PluginEnvironmentRealizeWorkspaceResult> {
  const { providerLeaseId: id, metadata } = params.lease;
  if (id === null) throw refusal("no provider lease ID available for the workspace");
  const asked = metadata?.["remoteCwd"] === undefined ? params.workspace.remotePath : undefined;
  const cwd = asked ?? remoteCwd(metadata);
  const made = provider.work.run(id, (signal) =>
    provider.onLease(params, metadata, async ({ driver, deadline }) => {
      await driver.makeDirectory(id, cwd, driver.deadline(deadline.totalMs, signal));
      return true;
    }),
  );
  if ((await made) === undefined) throw released(id);
  return { cwd, metadata: { provider: "boxd" } };
}
