/** Work on a lease that is in use. It ends when the lease is cancelled, and a released lease refuses it. */
import type {
  PluginContext,
  PluginEnvironmentExecuteParams,
  PluginEnvironmentExecuteResult,
  PluginEnvironmentRealizeWorkspaceParams,
} from "@paperclipai/plugin-sdk";
import { withoutUndefined } from "../../../base/without-undefined.ts";
import type { ExecOutcome } from "../../driver/index.ts";
import { refusal, released } from "../errors.ts";
import { remoteCwd } from "../lease.ts";
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from "../manifest.ts";
import type { Provider } from "../provider.ts";

/** Where a command's output goes while it runs (docs/contract/paperclip.md#live-output). */
type Execution = PluginContext["execution"] | undefined;

/**
 * Runs one command of a run, at most once. Its time covers starting the machine and staging as well. A lost connection is thrown in words that the host
 * does not take for passing, because the command may have run.
 */
export async function execute(provider: Provider, params: PluginEnvironmentExecuteParams, execution: Execution) {
  const id = params.lease.providerLeaseId;
  if (id === null)
    return { exitCode: 1, timedOut: false, stdout: "", stderr: "No provider lease ID available for execution." };
  const outcome = await provider.work.run(id, (signal) => run(provider, params, execution, id, signal));
  if (outcome === undefined) throw released(id);
  return outcome;
}

async function run(
  provider: Provider,
  params: PluginEnvironmentExecuteParams,
  execution: Execution,
  id: string,
  signal: AbortSignal,
) {
  const { metadata } = params.lease;
  const { connection, driver } = await provider.connectLease(params, metadata);
  const asked = params.timeoutMs ?? 0;
  const isTime = Number.isFinite(asked) && asked > 0 && asked <= MAX_TIMEOUT_MS;
  const timeoutMs = isTime ? asked : (connection.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const { command, args = [], cwd = remoteCwd(metadata), env, stdin } = params;
  const onOutput = execution && ((stream: "stdout" | "stderr", text: string) => execution.log(stream, text));
  const request = withoutUndefined({ command: [command, ...args], cwd, env, stdin, onOutput });
  return resultOf(await driver.exec(id, request, { timeoutMs, signal }));
}

function resultOf(outcome: ExecOutcome): PluginEnvironmentExecuteResult {
  const { exitCode, stdout, stderr } = outcome;
  if (outcome.ended === "exit") {
    const result = { exitCode, signal: null, timedOut: false, stdout, stderr };
    // The host has no field for it; what it does with a result is up to it, but nobody shall have to guess.
    return outcome.isCut === true ? { ...result, metadata: { outputCut: true } } : result;
  }
  // Whether the process group is known to be gone: the host may want to stop the machine when it is not.
  const metadata = { groupGone: outcome.groupGone };
  return { exitCode, signal: "SIGKILL", timedOut: outcome.ended === "timeout", stdout, stderr, metadata };
}

/**
 * Makes sure that a run's directory is there and says where; everything else about workspaces is the host's. It starts the machine, so it is work
 * of the lease as a command is: cancelling ends it, and a released lease refuses it.
 */
export async function realizeWorkspace(provider: Provider, params: PluginEnvironmentRealizeWorkspaceParams) {
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
