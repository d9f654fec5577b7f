/**
 * The port: the part of `@boxd-sh/sdk` that this toolkit uses, with the SDK's own names and argument shapes.
 *
 * The SDK's `Boxd` instance satisfies `BoxdClient` as it is; nothing is adapted in between, so a fake that is strict about
 * this file is strict about the SDK. The SDK is an optional peer: no module imports its types (see `sdk.ts` for the only
 * import of its code and the versions that are known, and `test/boxd/driver/sdk-contract.test.ts`, which binds this file to its declarations when it is installed).
 *
 * What programs that use the SDK disagree about is typed as the weaker claim (`unknown` results, optional methods): the driver then
 * cannot lean on it.
 */

/** Machine size and idle timers; everything is optional and an omitted size is the org's default (usually 2 vCPU, 8 GiB). */
export interface MachineConfig {
  /** 1, 2, 4 or 8; names the size class (memory is 4 GiB per vCPU) */
  vcpu?: number;
  /** for example `8G`; also names the size class */
  memory?: string;
  /** for example `100G`; newer control planes refuse any other size */
  disk?: string;
  /**
   * Seconds after which boxd destroys the machine. Whether they count from its creation or from its last traffic is disputed (docs/contract/boxd.md#timers), so it
   * is never sooner than the delete timer, and only a backstop for a caller that dies before it has set that.
   */
  autoDestroyTimeout?: number;
}

/**
 * Arguments of `machines.create`. The delete and idle timers are never given here: a machine whose create call failed half-way must be known by its
 * name first.
 */
export interface MachineCreateParams {
  /** lowercase DNS label that starts with a letter, at most 63 characters, unique in the org */
  name: string;
  /** org slug; a key is fenced to one org, omitted means that org */
  org?: string;
  image?: string;
  /** name of a ready snapshot, whose captured size is kept; then sizes and `env` must be absent */
  fromSnapshot?: string;
  /** no metadata endpoint, peers, in-machine CLI or org integrations; the internet stays reachable. It cannot be undone */
  isolated?: boolean;
  restartPolicy?: "always" | "never";
  /** taken by 0.2.20 and newer; 0.2.15 does not know it, so nothing may depend on it alone (see `labels.ts`) */
  labels?: Record<string, string>;
  config?: MachineConfig;
}

/**
 * `pending`, `starting`, `running`, `suspended`, `hibernated`, `stopping`, `stopped`, `failed`, `destroyed`; older or raw names also occur
 * (`standby`, `booting`, `destroying`, `migrating`). An open set: read it through `machineState()` of `machine-record.ts`.
 */
export type MachineStatus = string;

/** A machine record: plain data, a snapshot of the moment it was read. Only the fields that the toolkit reads. */
export interface Machine {
  id: string;
  name: string;
  status: MachineStatus;
  createdAt?: Date | null;
  /** absent on control planes and SDKs without labels */
  labels?: Record<string, string> | null;
  org?: { id: string; name: string } | null;
  /** `url` is `https://<name>.<domain>`, or `""` when the domain is not known */
  access?: { domain: string; url: string } | null;
  networking?: { isolated: boolean } | null;
  egressAllow?: string[] | null;
  /** the browser check in front of the address; absent on older versions */
  botProtection?: boolean;
  resources?: { vcpu: number; memoryBytes: number; diskBytes: number } | null;
  /** seconds, 0 is off */
  idle?: { suspendAfter: number; hibernateAfter: number; destroyAfter: number } | null;
  /** when the delete timer fires; absent before SDK 0.2.15 */
  deleteAt?: Date | null;
}

export interface ExecParams {
  /** a string is run by the machine's `sh` as user `boxd`; the driver never sends an argv array, `env` or `cwd` */
  command: string;
  /** milliseconds; afterwards the SDK throws a `BoxdError` without a gRPC code */
  timeout?: number;
}

export interface ExecResult {
  stdout: string;
  stderr: string;
  /** negative when the stream ended without an exit status */
  exitCode: number;
}

/** As `ExecParams`, for `streamExec`. No time can be given: whoever has waited long enough closes the stream. */
export interface StreamExecParams {
  command: string;
  /** without it standard input stays open until `end` */
  closeStdin?: boolean;
}

/** A command that runs. */
export interface ExecStream {
  /** in pieces as they come, which may end in the middle of a character */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** the exit status; negative when the stream ended without one */
  wait(): Promise<number>;
  /** gives the call up; whether that ends the command is disputed */
  close(): unknown;
}

export interface MachineFiles {
  /** answers the number of bytes written, which must be compared; whether parents are made is disputed, so they must exist */
  upload(id: string, path: string, source: Uint8Array): Promise<number>;
  /** may answer a view into a larger buffer; above 3 MiB the driver reads by `exec` instead (4 MiB message cap of older versions) */
  download(id: string, path: string): Promise<Uint8Array>;
}

/** An HTTPS route of a machine; the default route has no name. */
export interface Proxy {
  name: string | null;
  domain: string;
  port: number;
  portMode?: string;
  isDefault?: boolean;
}

export interface MachineProxies {
  list(id: string): Promise<Proxy[]>;
  /** without a name: the default route, whose automatic choice of port this ends */
  setPort(id: string, port: number, options?: { name?: string }): Promise<unknown>;
}

export interface Machines {
  /** answers once the machine is scheduled (`pending`); a rejection does not mean that no machine was made */
  create(params: MachineCreateParams): Promise<Machine>;
  /** by id, or by name where the key's own org resolves it; `NotFoundError` or a `destroyed` record once deleted */
  get(idOrName: string): Promise<Machine>;
  /** may contain `destroyed` rows */
  list(params?: { org?: string }): Promise<Machine[]>;
  delete(id: string): Promise<unknown>;
  /** cold boot of a `stopped` or `failed` machine */
  start(id: string): Promise<unknown>;
  /** power-off; the disk is kept, an un-synced page cache is not */
  stop(id: string): Promise<unknown>;
  reboot(id: string): Promise<unknown>;
  /** suspend to RAM */
  pause(id: string): Promise<unknown>;
  /** from `suspended` */
  resume(id: string): Promise<unknown>;
  /** memory to disk; answers before the state is reached */
  hibernate(id: string): Promise<unknown>;
  /** from `hibernated` */
  wake(id: string): Promise<unknown>;
  /** a non-zero exit does not reject; `ConflictError` naming a stopped machine when it must be started first */
  exec(id: string, params: ExecParams): Promise<ExecResult>;
  /** the same with its output as it comes; known from one program that uses it, so it may be missing */
  streamExec?(id: string, params: StreamExecParams): ExecStream;
  /** seconds from now, absolute wall time; 0 takes the timer back */
  setDeleteAfter(id: string, seconds: number): Promise<unknown>;
  /** seconds without inbound traffic, 0 is never */
  setAutoSuspendTimeout(id: string, seconds: number): Promise<unknown>;
  /** seconds without inbound traffic, 0 is never */
  setAutoHibernateTimeout(id: string, seconds: number): Promise<unknown>;
  /** `[]` is open, `["none"]` blocks everything; enforced about a second later */
  setEgressAllow(id: string, entries: string[]): Promise<unknown>;
  /** the browser check in front of an HTTPS request. Python's takes a truth value too, or a mode by name; it may be missing, so read the record after it */
  setBotProtection?(id: string, enabled: boolean): Promise<unknown>;
  readonly files: MachineFiles;
  readonly proxies: MachineProxies;
}

export interface Org {
  id: string;
  slug: string;
  name?: string | null;
  isDefault?: boolean;
}

/** Options of `new Boxd(…)` that this toolkit passes. */
export interface BoxdOptions {
  apiKey: string;
  /** without a trailing slash: the SDK appends paths to it as text */
  baseURL?: string;
  /**
   * Always 0 here: which calls the SDK repeats by itself is not documented, and a create or a command must not run twice. The name is inferred
   * from the Python client's `max_retries`; a version that does not know it ignores it.
   */
  maxRetries: number;
}

export interface BoxdClient {
  readonly machines: Machines;
  /** property name inferred from the SDK's `Orgs` class, so it may be missing */
  readonly orgs?: { list(): Promise<Org[]> };
  /** property name inferred from the SDK's `AccountNamespace` class, so it may be missing */
  readonly account?: {
    get(): Promise<{ userId?: string }>;
    config(): Promise<{ defaultImage?: string; zone?: string }>;
  };
  close(): Promise<unknown>;
}
