import { withoutUndefined } from "../../base/without-undefined.ts";
import { errorText, LazyDriver, scopeName, type BoxdClient, type MachineDriverOptions } from "../driver/index.ts";
import { backup } from "./backup.ts";
import { blobMethods, type BlobStaging } from "./blob-staging.ts";
import { agentScript, envOf } from "./command.ts";
import { fileMethods } from "./files.ts";
import type { WorkspaceSource } from "./layers.ts";
import { Lifecycle, type LifecycleOptions } from "./lifecycle.ts";
import { MachinesByName, type SandboxIncident } from "./machines-by-name.ts";
import { HOME } from "./paths.ts";
import { processMethods } from "./process-sessions.ts";
import { boxdProfile } from "./profile.ts";
import type { Sandbox } from "./sandbox.ts";
import { KEY_REQUIRED, type BoxdSandboxSettings } from "./settings.ts";
import { DEFAULT_TIMEOUT_SEC, PROBE_MS, READY_MS } from "./timeouts.ts";

/** What the backend is made of: the settings that `readBoxdSettings` answers, and what qm wires in. */
export interface BoxdSandboxOptions extends Partial<BoxdSandboxSettings>, LifecycleOptions {
  /** a client to use instead of one for `apiKey`; it is not closed by the backend */
  client?: BoxdClient;
  /** for the driver underneath: its clock and times */
  driver?: Pick<MachineDriverOptions, "clock" | "times">;
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
  const { blobs, credentialPaths = [], defaultTimeoutSec = DEFAULT_TIMEOUT_SEC, namePrefix = "qm" } = options;
  const driver = lazyDriver(options);
  const machines = new MachinesByName(driver, (incident) => options.onError?.(incident));
  const lifecycle = new Lifecycle(machines, workspace, options);
  const close = (): Promise<void> => driver.close();
  return {
    profile: boxdProfile(options, HOME),
    provision: (layers, asked) => lifecycle.provision(layers, asked),
    teardown: (handle, asked) => lifecycle.teardown(handle, asked),
    async run(handle, command, { timeoutMs = defaultTimeoutSec * 1000, signal } = {}) {
      const script = agentScript(command);
      const request = withoutUndefined({ script, cwd: handle.rootDir, env: envOf(handle), timeoutMs, signal });
      const { stdout, stderr, code, timedOut } = await machines.command(handle.id, "exec", request);
      return { stdout, stderr, code, timedOut };
    },
    ...fileMethods(machines),
    ...processMethods(machines, HOME),
    ...computerMethods(machines, namePrefix),
    ...(blobs === undefined ? {} : blobMethods(machines, blobs)),
    backupComputer: (handle, asked) => backup(machines, HOME, credentialPaths, handle, asked),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function lazyDriver(options: BoxdSandboxOptions): LazyDriver {
  const { client, apiKey = "", baseURL, org, egressProxyUrl = "", driver } = options;
  const key = apiKey.trim();
  if (client === undefined && key === "") throw new Error(KEY_REQUIRED);
  const secrets = [key, egressProxyUrl].filter((secret) => secret !== "");
  const connection = withoutUndefined({ apiKey: key, baseURL });
  return new LazyDriver(withoutUndefined({ client, connection, org, home: HOME, secrets, ...driver }));
}

/** `computerStatus` and `restartComputer`, by scope. */
function computerMethods(machines: MachinesByName, prefix: string) {
  const absent = { machine: "absent", guestResponsive: false };
  return {
    async computerStatus(scopeId) {
      const name = scopeName(prefix, scopeId);
      try {
        if ((await machines.find(name)) === undefined) return absent;
        return await machines.on(name, "status", async (driver, id) => {
          const seen = await driver.inspect(id, { timeoutMs: PROBE_MS });
          if (seen.state === "absent") {
            machines.ids.delete(name);
            return absent;
          }
          const guestResponsive = seen.state === "running" && (await driver.answers(id, { timeoutMs: PROBE_MS }));
          return { machine: seen.machine.status, guestResponsive };
        });
      } catch (error) {
        return { machine: `check failed: ${errorText(error)}`, guestResponsive: false };
      }
    },
    async restartComputer(scopeId) {
      await machines.on(scopeName(prefix, scopeId), "reboot", (driver, id) =>
        driver.reboot(id, { timeoutMs: READY_MS }),
      );
    },
  } satisfies Partial<Sandbox>;
}
