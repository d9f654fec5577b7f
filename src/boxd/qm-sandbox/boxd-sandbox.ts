import { backup } from "./backup.ts";
import { blobMethods, type BlobStaging } from "./blob-staging.ts";
import { agentScript, envOf } from "./command.ts";
import { computerMethods } from "./computer-status.ts";
import { MachinesByName, type SandboxIncident } from "./machines-by-name.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { fileMethods } from "./files.ts";
import type { WorkspaceSource } from "./layers.ts";
import { Lifecycle, type LifecycleOptions } from "./lifecycle.ts";
import { DEFAULT_TIMEOUT_SEC } from "./timeouts.ts";
import { HOME } from "./paths.ts";
import { processMethods } from "./process-sessions.ts";
import { boxdProfile } from "./profile.ts";
import type { Sandbox } from "./sandbox.ts";

/** What the backend is made of: the settings that `readBoxdSettings` answers, and what qm wires in. */
export interface BoxdSandboxOptions extends ConnectionOptions, LifecycleOptions {
  /** for commands that name no timeout of their own; default 600 */
  defaultTimeoutSec?: number;
  /** lines for the profile, the first word of each being a command that the deployment adds */
  extraTools?: readonly string[];
  /** staging by reference is offered only when this is given */
  blobs?: BlobStaging;
  /** told of trouble that no call fails for */
  onError?: (incident: SandboxIncident) => void;
}

/** The backend; everything that boxd can do is there. `close` gives the connection back. */
export interface BoxdSandbox
  extends Required<Omit<Sandbox, "stageIn" | "stageOut">>, Pick<Sandbox, "stageIn" | "stageOut">, AsyncDisposable {
  close(): Promise<void>;
}

/**
 * qm's sandbox backend on boxd. No call is made and the SDK is not loaded before the first method that needs it. Throws at once without a key
 * and without a client.
 */
export function createBoxdSandbox(workspace: WorkspaceSource, options: BoxdSandboxOptions = {}): BoxdSandbox {
  const connection = new Connection(options);
  const report = (incident: SandboxIncident): void => {
    options.onError?.(incident);
  };
  const computers = new MachinesByName(() => connection.driver(), report);
  const lifecycle = new Lifecycle(computers, workspace, options, report);
  const { blobs, credentialPaths = [], defaultTimeoutSec = DEFAULT_TIMEOUT_SEC, namePrefix = "qm" } = options;
  const close = (): Promise<void> => connection.close();
  return {
    profile: boxdProfile({ ...options, home: HOME }),
    provision: (layers, asked) => lifecycle.provision(layers, asked),
    teardown: (handle, asked) => lifecycle.teardown(handle, asked),
    async run(handle, command, { timeoutMs = defaultTimeoutSec * 1000, signal } = {}) {
      const request = { script: agentScript(command), cwd: handle.rootDir, env: envOf(handle), timeoutMs };
      const end = await computers.command(handle.id, "exec", signal === undefined ? request : { ...request, signal });
      return { stdout: end.stdout, stderr: end.stderr, code: end.code, timedOut: end.timedOut };
    },
    ...fileMethods(computers),
    ...processMethods(computers, HOME),
    ...computerMethods(computers, namePrefix),
    ...(blobs === undefined ? {} : blobMethods(computers, blobs)),
    backupComputer: (handle, asked) => backup(computers, HOME, credentialPaths, handle, asked),
    close,
    [Symbol.asyncDispose]: close,
  };
}
