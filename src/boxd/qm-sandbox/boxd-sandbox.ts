import { withoutUndefined } from "../../base/without-undefined.ts";
import { BoxdDriverError, errorText, LazyDriver, scopeName } from "../driver/index.ts";
import { backup } from "./backup.ts";
import { blobMethods } from "./blob-staging.ts";
import { agentScript, envOf } from "./command.ts";
import { credentialPlaces } from "./credential-links.ts";
import { fileMethods } from "./files.ts";
import type { WorkspaceSource } from "./layers.ts";
import { Lifecycle } from "./lifecycle.ts";
import { MachinesByName } from "./machines-by-name.ts";
import { assertKnownOptions, blobStaging, boxdAddress, type BoxdSandboxOptions } from "./options.ts";
import { HOME } from "./paths.ts";
import { processMethods } from "./process-sessions.ts";
import { boxdProfile } from "./profile.ts";
import type { Sandbox } from "./sandbox.ts";
import { KEY_REQUIRED } from "./settings.ts";
import { DEFAULT_TIMEOUT_SEC, PROBE_MS, READY_MS } from "./timeouts.ts";

/** The backend; everything that boxd can do is there. `close` gives the connection back. */
export interface BoxdSandbox
  extends Required<Omit<Sandbox, "stageIn" | "stageOut">>, Pick<Sandbox, "stageIn" | "stageOut">, AsyncDisposable {
  close(): Promise<void>;
}

/**
 * qm's sandbox backend on boxd. No call is made and the SDK is not loaded before the first method that needs it. Throws at once without a key
 * and without a client, and for an option that it does not know.
 */
export function createBoxdSandbox(workspace: WorkspaceSource, options: BoxdSandboxOptions = {}): BoxdSandbox {
  assertKnownOptions(options);
  const { defaultTimeoutSec = DEFAULT_TIMEOUT_SEC, namePrefix = "qm" } = options;
  const staging = blobStaging(options);
  const driver = lazyDriver(options);
  const machines = new MachinesByName(driver, (incident) => options.onError?.(incident));
  const lifecycle = new Lifecycle(machines, workspace, options);
  const close = (): Promise<void> => driver.close();
  return {
    profile: boxdProfile(options, HOME),
    provision: (layers, asked) => lifecycle.provision(layers, asked),
    teardown: (handle, asked) => lifecycle.teardown(handle, asked),
    async run(handle, command, asked = {}) {
      const script = agentScript(command);
      // Core takes 0 for no limit of its own.
      const timeoutMs = asked.timeoutMs || defaultTimeoutSec * 1000;
      const { signal } = asked;
      const request = withoutUndefined({ script, cwd: handle.rootDir, env: envOf(handle), timeoutMs, signal });
      const { stdout, stderr, code, timedOut } = await machines.command(handle.id, "exec", request);
      return { stdout, stderr, code, timedOut };
    },
    ...fileMethods(machines),
    ...processMethods(machines, HOME),
    ...computerMethods(machines, namePrefix),
    ...(staging === undefined ? {} : blobMethods(machines, staging)),
    backupComputer: (handle, asked) => backup(machines, HOME, credentialPlaces(options.credentialPaths), handle, asked),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function lazyDriver(options: BoxdSandboxOptions): LazyDriver {
  const { client, apiKey = "", org, egressProxyUrl = "", driver } = options;
  const key = apiKey.trim();
  if (client === undefined && key === "") throw new Error(KEY_REQUIRED);
  const secrets = [key, egressProxyUrl].filter((secret) => secret !== "");
  const connection = withoutUndefined({ apiKey: key, baseURL: boxdAddress(options) });
  return new LazyDriver(withoutUndefined({ client, connection, org, home: HOME, secrets, ...driver }));
}

/** `computerStatus` and `restartComputer`, by scope. */
function computerMethods(machines: MachinesByName, prefix: string) {
  return {
    async computerStatus(scopeId) {
      const name = scopeName(prefix, scopeId);
      try {
        return await machines.on(name, "status", async (driver, id) => {
          const seen = await driver.inspect(id, { timeoutMs: PROBE_MS });
          if (seen.state === "absent") throw new BoxdDriverError("not-found", "not found");
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
