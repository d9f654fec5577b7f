import type { Sandbox } from "./sandbox.ts";

/** Methods that only make sense together. qm asks for them by presence; so does this. */
const CAPABILITIES = {
  "blob staging": ["stageIn", "stageOut", "extractFiles"],
  "process sessions": ["startProcess", "readProcess", "writeStdin", "signalProcess", "listProcesses"],
  backup: ["backupComputer"],
  "computer status": ["computerStatus"],
  restart: ["restartComputer"],
} as const satisfies Record<string, readonly (keyof Sandbox)[]>;

export type Capability = keyof typeof CAPABILITIES;
type With<C extends Capability> = Sandbox & Required<Pick<Sandbox, (typeof CAPABILITIES)[C][number]>>;

/** A method was asked for that the backend does not have. */
export class CapabilityUnsupportedError extends Error {
  readonly backend: string;
  readonly capability: Capability;

  constructor(backend: string, capability: Capability) {
    super(`the sandbox backend ${backend} has no ${capability}`);
    this.name = "CapabilityUnsupportedError";
    this.backend = backend;
    this.capability = capability;
  }
}

/** True when the backend has every method of the capability. Process sessions must be in its profile as well. */
export function supports<C extends Capability>(sandbox: Sandbox, capability: C): sandbox is With<C> {
  if (capability === "process sessions" && !sandbox.profile.processSessions) return false;
  return CAPABILITIES[capability].every((method) => typeof sandbox[method] === "function");
}

/** The same backend, known to have the capability. Throws `CapabilityUnsupportedError`. */
export function requireCapability<C extends Capability>(sandbox: Sandbox, capability: C): With<C> {
  if (!supports(sandbox, capability)) throw new CapabilityUnsupportedError(sandbox.profile.backend, capability);
  return sandbox;
}
