import type { Reading, Setting, SettingFacts, SettingProblem } from "./setting.ts";

/** What happens to a value that does not fit: the service refuses it at start, or something else happens silently. */
export type Consequence = "refused" | { readonly otherwise: string };

/** What every reading may say of values that do not fit. */
export interface Otherwise {
  /** What they do, where the service does not refuse them: "the default counts". */
  readonly otherwise?: string;
}

export const REFUSED = "the service does not start";

export function consequenceOf(otherwise: string | undefined): Consequence {
  return otherwise === undefined ? "refused" : { otherwise };
}

/** What a consequence is, as a sentence without its end. */
export function ends(consequence: Consequence): string {
  return consequence === "refused" ? REFUSED : consequence.otherwise;
}

/** A value that does not fit; `meant` is what to write instead, where that is certain. */
export function unfit(
  consequence: Consequence,
  message: string,
  help: string,
  meant: string | null = null,
): SettingProblem {
  const shown = meant === null ? {} : { meant };
  return consequence === "refused"
    ? { severity: "boot", message, help, ...shown }
    : { severity: "warning", message: `${message}: ${consequence.otherwise}`, help, ...shown };
}

export function setting(name: string, description: string, reading: Reading, facts: SettingFacts): Setting {
  return { name, description, reading, ...facts };
}
