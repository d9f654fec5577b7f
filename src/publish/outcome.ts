/** Why a layer image cannot be built or published. Both texts are one line and hold no secret value. */
export interface PublishProblem {
  /** What is wrong: lower-case start, no full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly help: string;
}

/** A result, or the problem that stands in its way. */
export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: PublishProblem };

export function good<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function bad(message: string, help: string): { readonly ok: false; readonly problem: PublishProblem } {
  return { ok: false, problem: { message, help } };
}
