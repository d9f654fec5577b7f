import { type EnvRefusal, refusalOf, unfit } from "./refusal.ts";
import { type Program, readBack } from "./programs.ts";

/** A value as it is written, or why it cannot be. */
export type Quoting =
  { readonly ok: true; readonly written: string } | { readonly ok: false; readonly refusal: EnvRefusal };

/** True for a value that every program reads back as it stands. */
function isPlain(name: string, value: string): boolean {
  // Go's readers stop at lines of 64 KiB.
  return name.length + value.length < 65_000 && /^[A-Za-z0-9_./:@%+,=-]*$/.test(value);
}

/** The ways to write a value, the most readable and widest understood first. */
function quotingsOf(name: string, value: string, programs: readonly Program[]): readonly string[] {
  const simple = [`'${value}'`, `"${value}"`];
  const escaped = value
    .replace(/["\\$]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
  const quoted = [
    // Older flyctl takes only double quotes off.
    ...(programs.includes("fly") ? simple.toReversed() : simple),
    `"${value.replaceAll("\n", "\\n")}"`,
    `"${escaped}"`,
    `\`${value}\``,
    `"""${value}"""`,
  ];
  return isPlain(name, value) ? [value, ...quoted] : [...quoted, value];
}

/**
 * Every way to write a value that all `programs` read alike, the best first. Which ways these are is found out by asking
 * the programs' grammars, not by a table of ours.
 */
export function portableQuotings(name: string, value: string, programs: readonly Program[]): readonly string[] {
  return quotingsOf(name, value, programs).filter((written) =>
    programs.every((program) => readBack(program, name, written) === value),
  );
}

/** The best way to write a value that all `programs` read alike; else which program and character forbid it. */
export function portableQuoting(name: string, value: string, programs: readonly Program[]): Quoting {
  const refusal = unfit(name, value);
  if (refusal !== null) return { ok: false, refusal };
  if (isPlain(name, value)) return { ok: true, written: value };
  const fits = (other: string, some: readonly Program[]): boolean => portableQuotings(name, other, some).length > 0;
  const [written] = portableQuotings(name, value, programs);
  return written === undefined ? { ok: false, refusal: refusalOf(name, value, programs, fits) } : { ok: true, written };
}
