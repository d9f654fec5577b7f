/**
 * The SDK's error classes by name. Constructor `(message, grpcCode?)`; `name` is the class name, which is what callers may match on.
 * The specific classes extend `BoxdError` directly: that they extend `APIStatusError` is likely but unproven, so nothing may lean on it.
 */
export class BoxdError extends Error {
  readonly grpcCode?: number;

  constructor(message: string, grpcCode?: number) {
    super(message);
    this.name = new.target.name;
    if (grpcCode !== undefined) this.grpcCode = grpcCode;
  }
}

export class APIStatusError extends BoxdError {}
export class APIConnectionError extends BoxdError {}
export class AuthenticationError extends BoxdError {}
export class PermissionDeniedError extends BoxdError {}
export class NotFoundError extends BoxdError {}
export class ConflictError extends BoxdError {}
export class RateLimitError extends BoxdError {}

const CLASS_BY_CODE: ReadonlyMap<number, new (message: string, code: number) => BoxdError> = new Map([
  [5, NotFoundError],
  [6, ConflictError],
  [7, PermissionDeniedError],
  [8, RateLimitError],
  [9, ConflictError],
  [10, ConflictError],
  [14, APIConnectionError],
  [16, AuthenticationError],
]);

/** The error that the SDK makes of a gRPC status; codes without a class of their own become `APIStatusError`. */
export function grpcError(code: number, message: string): BoxdError {
  const Class = CLASS_BY_CODE.get(code) ?? APIStatusError;
  return new Class(message, code);
}

/** A refusal that has nothing to do with boxd: the caller broke the port (unknown option, wrong type). Never catch it. */
export class PortViolation extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = "PortViolation";
  }
}
