import type {
  PluginEnvironmentRealizeWorkspaceParams,
  PluginEnvironmentRealizeWorkspaceResult,
} from "@paperclipai/plugin-sdk";
import { hostError, refusal, released } from "../errors.ts";
import { remoteCwd } from "../lease.ts";
import type { Provider } from "../provider.ts";

/**
 * Makes sure that a run's directory is there and says where; everything else about workspaces is the host's. It wakes the machine, so it is work of the lease as
 * a command is: cancelling ends it, and a released lease refuses it.
 */
export async function realizeWorkspace(
  provider: Provider,
  params: PluginEnvironmentRealizeWorkspaceParams,
): Promise<PluginEnvironmentRealizeWorkspaceResult> {
  const { providerLeaseId: id, metadata } = params.lease;
  if (id === null) throw refusal("no provider lease ID available for the workspace");
  const cwd =
    metadata?.["remoteCwd"] === undefined ? (params.workspace.remotePath ?? remoteCwd(metadata)) : remoteCwd(metadata);
  try {
    const made = await provider.work.run(id, async (signal) => {
      const { driver, ms } = await provider.reachLease(params, metadata);
      await driver.makeDirectory(id, cwd, { timeoutMs: ms, signal });
      return true;
    });
    if (made === undefined) throw released(id);
    return { cwd, metadata: { provider: "boxd" } };
  } catch (error) {
    throw hostError(error);
  }
}
