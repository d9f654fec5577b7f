/**
 * The contract: qm's `Sandbox` interface of August 2026 (docs/contract/boxd.md#qms-sandbox-interface), as far as a backend has to serve it. qm never imports
 * this file; it is here so that the backend, the conformance suite and callers agree on the shapes.
 */

/** A place where commands run, as qm passes it around. `id` is the machine's name, from which a fresh process finds the machine again. */
export interface SandboxHandle {
  id: string;
  /** the workspace; relative paths start here */
  rootDir: string;
  homeDir?: string;
  /** true when this call made the machine */
  coldStart?: boolean;
  /** set for every command of the handle */
  env?: Record<string, string>;
  scratch?: boolean;
  /** stamped by qm's router */
  backend?: string;
  scopeId?: string;
}

/** What the machine is, for the agent's prompt and for capability checks. */
export interface AgentComputerProfile {
  backend: string;
  writablePersistence: "snapshot_to_workspace" | "resident_disk";
  processSessions: boolean;
  egressEnforcement?: "none" | "ip_port" | "domain";
  spec?: AgentComputerSpec;
}

export interface AgentComputerSpec {
  os?: string;
  runtimes?: string[];
  tools?: string[];
  notInstalled?: string[];
  cpus?: number;
  memoryMb?: number;
  diskGb?: number;
  homeDir?: string;
  workdir?: string;
}

/** One scope's files; the first `rw` layer (or the first at all) names the machine. */
export interface WorkspaceLayer {
  scopeId: string;
  /** below the workspace; empty is the workspace itself */
  mountPath: string;
  mode: "ro" | "rw";
}

export interface ProvisionOptions {
  env?: Record<string, string>;
  /** qm's egress policy; boxd enforces none (see the profile), so it is not read */
  egress?: unknown;
  egressToken?: string;
  /** a throw-away machine shared by everybody who gives this key */
  scratch?: { key: string };
  routeScopeId?: string;
  onStatus?: (text: string) => void;
}

export interface ExecOptions {
  /** milliseconds for the command; the backend's default when omitted */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ExecResult {
  stdout: string;
  stderr: string;
  /** 124 after a timeout, 137 after an abort, else the command's own */
  code: number;
  timedOut: boolean;
}

export type BackupArea = "workspace" | "home";

export interface BackupEntry {
  area: BackupArea;
  /** relative to the area */
  path: string;
  data: Uint8Array;
}

export interface BackupOptions {
  /** default both */
  include?: BackupArea[];
  /** replaces the default exclusions */
  exclude?: (entry: Pick<BackupEntry, "area" | "path">) => boolean;
  followSymlinks?: boolean;
  /** relative to each area; only these */
  includePaths?: readonly string[];
  keepContentCaches?: boolean;
}

export type ProcessState = { state: "running" } | { state: "exited"; code: number };

export interface StartProcessOptions {
  cwd?: string;
  env?: Record<string, string>;
}

export interface ReadProcessOptions {
  /** bytes already read */
  sinceCursor?: number;
  maxBytes?: number;
  /** how long to wait for something new */
  waitMs?: number;
}

export interface ReadProcessResult {
  chunks: string;
  cursor: number;
  status: ProcessState;
}

export interface ProcessSession {
  processId: string;
  /** without secrets, at most 500 characters */
  command: string;
  /** milliseconds since the Unix epoch */
  startedAt: number;
  status: ProcessState;
}

export interface ComputerStatus {
  /** the control plane's word for its state, or `check failed: …`, also of a machine that does not exist */
  machine: string;
  guestResponsive: boolean;
}

export interface TeardownOptions {
  keepWarm?: boolean;
  destroy?: boolean;
}

/** qm's sandbox backend. A capability that is not wired must be absent: qm probes for methods. */
export interface Sandbox {
  readonly profile: AgentComputerProfile;
  provision(layers: readonly WorkspaceLayer[], options?: ProvisionOptions): Promise<SandboxHandle>;
  run(handle: SandboxHandle, command: string, options?: ExecOptions): Promise<ExecResult>;
  readFile(handle: SandboxHandle, path: string): Promise<string | null>;
  readFileBytes(handle: SandboxHandle, path: string): Promise<Uint8Array | null>;
  writeFile(handle: SandboxHandle, path: string, data: string): Promise<void>;
  writeFileBytes(handle: SandboxHandle, path: string, data: Uint8Array): Promise<void>;
  listDir(handle: SandboxHandle, path: string): Promise<string[]>;
  removeDir(handle: SandboxHandle, path: string): Promise<void>;
  extractFiles?(handle: SandboxHandle, entries: readonly { path: string; data: Uint8Array }[]): Promise<void>;
  stageIn?(handle: SandboxHandle, path: string, blobId: string): Promise<void>;
  stageOut?(handle: SandboxHandle, path: string): Promise<string>;
  backupComputer?(handle: SandboxHandle, options?: BackupOptions): Promise<BackupEntry[]>;
  startProcess?(handle: SandboxHandle, command: string, options?: StartProcessOptions): Promise<{ processId: string }>;
  readProcess?(handle: SandboxHandle, processId: string, options?: ReadProcessOptions): Promise<ReadProcessResult>;
  writeStdin?(handle: SandboxHandle, processId: string, data: string): Promise<void>;
  signalProcess?(handle: SandboxHandle, processId: string, signal: string): Promise<void>;
  listProcesses?(handle: SandboxHandle): Promise<ProcessSession[]>;
  computerStatus?(scopeId: string): Promise<ComputerStatus>;
  restartComputer?(scopeId: string): Promise<void>;
  teardown(handle: SandboxHandle, options?: TeardownOptions): Promise<void>;
}

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
