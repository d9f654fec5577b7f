/**
 * What went wrong at boxd, as a small closed set. SDK errors are recognised by class name and gRPC code: the SDK has two entries (and
 * a dynamic import), hence more than one identity of each class, and some versions throw the base class with a code.
 */

/** The taxonomy. `unknown` is anything that is not recognised: it is never taken as proof of anything. */
export type BoxdErrorKind =
  | "not-found"
  | "conflict"
  | "auth"
  | "quota"
  | "transient"
  | "timeout"
  | "aborted"
  | "invalid"
  | "insecure"
  | "cleanup-unconfirmed"
  | "unknown";

/** Why a conflict was answered; `other` when the message does not say. */
export type ConflictReason = "stopped" | "name-taken" | "wrong-state" | "other";

export interface BoxdErrorInfo {
  kind: BoxdErrorKind;
  /** only for `conflict` */
  conflict?: ConflictReason;
  grpcCode?: number;
}

/** An error of the driver. `kind` is what callers branch on; the message carries no secret; `cause` is the SDK's error where there was one. */
export class BoxdDriverError extends Error {
  readonly kind: BoxdErrorKind;
  readonly conflict: ConflictReason | undefined;
  readonly grpcCode: number | undefined;

  constructor(info: BoxdErrorInfo, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "BoxdDriverError";
    this.kind = info.kind;
    this.conflict = info.conflict;
    this.grpcCode = info.grpcCode;
  }
}

/** What identifies a machine whose deletion is not proved. `handle` is the name that was chosen before the create call. */
export interface LeftBehind {
  handle: string;
  name: string;
  /** unknown when the create call never answered and no listing showed the machine */
  id?: string;
  labels: Readonly<Record<string, string>>;
}

/** A machine may still exist and cost money: deletion was attempted and not confirmed. Retry with `deleteConfirmed(id ?? name)`. */
export class CleanupUnconfirmedError extends BoxdDriverError {
  readonly left: LeftBehind;
  /** why the machine had to go, when it was a failed operation that made its deletion necessary */
  readonly trigger: unknown;

  constructor(left: LeftBehind, message: string, options: { trigger?: unknown; cause?: unknown } = {}) {
    super({ kind: "cleanup-unconfirmed" }, message, { cause: options.cause });
    this.name = "CleanupUnconfirmedError";
    this.left = left;
    this.trigger = options.trigger;
  }
}

const KIND_BY_CLASS: ReadonlyMap<string, BoxdErrorKind> = new Map([
  ["AuthenticationError", "auth"],
  ["PermissionDeniedError", "auth"],
  ["NotFoundError", "not-found"],
  ["ConflictError", "conflict"],
  ["RateLimitError", "quota"],
  ["APIConnectionError", "transient"],
  ["AbortError", "aborted"],
]);

/** gRPC status codes (grpc.github.io/grpc/core/md_doc_statuscodes.html); those that are not here say nothing certain. */
const KIND_BY_CODE: ReadonlyMap<number, BoxdErrorKind> = new Map([
  [1, "transient"],
  [3, "invalid"],
  [4, "transient"],
  [5, "not-found"],
  [6, "conflict"],
  [7, "auth"],
  [8, "quota"],
  [9, "conflict"],
  [10, "transient"],
  [11, "invalid"],
  [12, "invalid"],
  [14, "transient"],
  [16, "auth"],
]);

const SOCKET_CODES: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** What an error means. Driver errors answer with what they were made with; anything unrecognised is `unknown`. */
export function classifyError(error: unknown): BoxdErrorInfo {
  if (error instanceof BoxdDriverError) {
    return withParts(error.kind, error.grpcCode, error.conflict);
  }
  if (!(error instanceof Error)) return { kind: "unknown" };
  const code = numberField(error, "grpcCode");
  const byCode = code === undefined ? undefined : KIND_BY_CODE.get(code);
  const kind = byCode ?? kindByClass(error) ?? kindByText(error);
  return withParts(kind, code, kind === "conflict" ? conflictReason(error.message, code) : undefined);
}

/** Shorthand for `classifyError(error).kind === kind`. */
export function isErrorKind(error: unknown, kind: BoxdErrorKind): boolean {
  return classifyError(error).kind === kind;
}

/** True for the refusal that says that nothing ran, because the machine is stopped (or failed) and must be started first. */
export function isStoppedRefusal(error: unknown): boolean {
  return classifyError(error).conflict === "stopped";
}

function kindByClass(error: Error): BoxdErrorKind | undefined {
  return KIND_BY_CLASS.get(error.name) ?? KIND_BY_CLASS.get(error.constructor.name);
}

/** Client-side deadlines are plain `BoxdError`s without a code; only their text tells. */
function kindByText(error: Error): BoxdErrorKind {
  const socket: unknown = Reflect.get(error, "code");
  if (typeof socket === "string" && SOCKET_CODES.has(socket)) return "transient";
  return /timed out|within \d+ms/i.test(error.message) ? "timeout" : "unknown";
}

function conflictReason(message: string, code: number | undefined): ConflictReason {
  if (code === 6 || /already (taken|exists|in use)/i.test(message)) return "name-taken";
  // "is running (must be stopped or failed to start)" names a wish, not the state.
  if (/\bstopped\b/i.test(message.replace(/\(?must be .*$/is, ""))) return "stopped";
  return code === 9 ? "wrong-state" : "other";
}

function numberField(error: Error, field: string): number | undefined {
  const value: unknown = Reflect.get(error, field);
  return typeof value === "number" ? value : undefined;
}

function withParts(kind: BoxdErrorKind, grpcCode?: number, conflict?: ConflictReason): BoxdErrorInfo {
  return {
    kind,
    ...(conflict === undefined ? {} : { conflict }),
    ...(grpcCode === undefined ? {} : { grpcCode }),
  };
}
