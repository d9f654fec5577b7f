/**
 * What went wrong at boxd, as a small closed set. SDK errors are recognised by class name and gRPC code: the SDK has two entries (and
 * a dynamic import), hence more than one identity of each class, and some versions throw the base class with a code (docs/contract/boxd.md#error-codes).
 */
import { withoutUndefined } from "../../base/without-undefined.ts";

/**
 * The taxonomy. `unknown` is anything that is not recognised: it is never taken as proof of anything. `defect` is a mistake in a program (ours or the
 * SDK's): asking again brings the same, and whether the call had an effect is not known.
 */
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
  | "defect"
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

  constructor(what: BoxdErrorKind | BoxdErrorInfo, message: string, options?: ErrorOptions) {
    super(message, options);
    const info: BoxdErrorInfo = typeof what === "string" ? { kind: what } : what;
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
    super("cleanup-unconfirmed", message, { cause: options.cause });
    this.name = "CleanupUnconfirmedError";
    this.left = left;
    this.trigger = options.trigger;
  }
}

/**
 * What an SDK error of each kind is known by: class names, and gRPC status codes (grpc.github.io/grpc/core/md_doc_statuscodes.html). Codes that are
 * nowhere here say nothing certain.
 */
const SIGNS: readonly { kind: BoxdErrorKind; names: readonly string[]; codes: readonly number[] }[] = [
  { kind: "not-found", names: ["NotFoundError"], codes: [5] },
  { kind: "conflict", names: ["ConflictError"], codes: [6, 9] },
  { kind: "auth", names: ["AuthenticationError", "PermissionDeniedError"], codes: [7, 16] },
  { kind: "quota", names: ["RateLimitError"], codes: [8] },
  { kind: "transient", names: ["APIConnectionError"], codes: [1, 4, 10, 14] },
  { kind: "invalid", names: [], codes: [3, 11, 12] },
  { kind: "aborted", names: ["AbortError"], codes: [] },
];

/** gRPC's names of its status codes, in their order, as newer SDKs give them in `code`: "not_found", "UNAVAILABLE". */
const STATUS_NAMES = [
  "ok",
  "cancelled",
  "unknown",
  "invalid_argument",
  "deadline_exceeded",
  "not_found",
  "already_exists",
  "permission_denied",
  "resource_exhausted",
  "failed_precondition",
  "aborted",
  "out_of_range",
  "unimplemented",
  "internal",
  "unavailable",
  "data_loss",
  "unauthenticated",
];

/** What JavaScript throws where a program is wrong. A `TypeError` of `fetch` is none: that is how it reports a broken connection. */
const PROGRAM_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** Node's codes for a connection that could not be made or broke. */
const SOCKET_CODES = /^(?:ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/;

/** What an error means. Driver errors answer with what they were made with; anything unrecognised is `unknown`. */
export function classifyError(error: unknown): BoxdErrorInfo {
  if (error instanceof BoxdDriverError) {
    const { kind, conflict, grpcCode } = error;
    return withoutUndefined({ kind, conflict, grpcCode });
  }
  if (!(error instanceof Error)) return { kind: "unknown" };
  const grpcCode = statusCode(error);
  const signs =
    SIGNS.find(({ codes }) => grpcCode !== undefined && codes.includes(grpcCode)) ??
    SIGNS.find(({ names }) => names.includes(error.name) || names.includes(error.constructor.name));
  const kind = signs?.kind === "auth" && isUnreached(error) ? "transient" : (signs?.kind ?? kindByText(error));
  const conflict = kind === "conflict" ? conflictReason(error.message, grpcCode) : undefined;
  return withoutUndefined({ kind, conflict, grpcCode });
}

/** Shorthand for `classifyError(error).kind === kind`. */
export function isErrorKind(error: unknown, kind: BoxdErrorKind): boolean {
  return classifyError(error).kind === kind;
}

/** True for the refusal that says that nothing ran, because the machine is stopped (or failed) and must be started first. */
export function isStoppedRefusal(error: unknown): boolean {
  return classifyError(error).conflict === "stopped";
}

/** The text of an error for another error's message. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const ADVICE: { readonly [kind in BoxdErrorKind]?: string } = {
  auth: "boxd does not accept the key: is it whole, not revoked, and of this org? `boxd auth keys create qm --org <org>` makes a new one",
  quota: "the org is at a limit of boxd's; delete machines (`qm-deploy boxd list`) or ask boxd for more",
  transient: "boxd could not be reached or did not answer; try again, and look at the base URL and the network",
  timeout: "boxd took too long; try again",
};

/** An error of the driver for people: what happened and, where one can say it, what to do. Secrets are masked in it already. */
export function explainError(error: unknown): string {
  const advice = error instanceof BoxdDriverError ? ADVICE[error.kind] : undefined;
  return advice === undefined ? errorText(error) : `${errorText(error)} (${advice})`;
}

function statusCode(error: Error): number | undefined {
  const grpcCode: unknown = Reflect.get(error, "grpcCode");
  if (typeof grpcCode === "number") return grpcCode;
  const code: unknown = Reflect.get(error, "code");
  const at = typeof code === "string" ? STATUS_NAMES.indexOf(code.toLowerCase()) : -1;
  return at === -1 ? undefined : at;
}

/** An exchange of the key that got no answer, or a server's own fault for one, has the class of one that was refused (docs/contract/boxd.md#client). */
function isUnreached(error: Error): boolean {
  return isSocketError(error.cause) || /^(?:could not reach|exchange failed: 5\d\d)\b/i.test(error.message);
}

function isSocketError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  return (typeof code === "string" && SOCKET_CODES.test(code)) || isSocketError(error.cause);
}

/** Client-side deadlines are plain `BoxdError`s without a code; only their text tells. */
function kindByText(error: Error): BoxdErrorKind {
  if (isSocketError(error) || (error instanceof TypeError && error.message === "fetch failed")) return "transient";
  if (PROGRAM_ERRORS.some((kind) => error instanceof kind)) return "defect";
  return /timed out|within \d+ms/i.test(error.message) ? "timeout" : "unknown";
}

function conflictReason(message: string, code: number | undefined): ConflictReason {
  if (code === 6 || /already (taken|exists|in use)/i.test(message)) return "name-taken";
  // "is running (must be stopped or failed to start)" names a wish, not the state.
  if (/\bstopped\b/i.test(message.replace(/\(?must be .*$/is, ""))) return "stopped";
  return code === 9 ? "wrong-state" : "other";
}
