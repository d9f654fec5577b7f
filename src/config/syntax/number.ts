import type { Problems } from "./problems.ts";
import type { Token } from "./tokens.ts";

const INCOMPLETE: Token["fault"] = 3;

/** The value of a number token; undefined when no JavaScript number can hold it, which is then a finding. */
export function readNumber(token: Token, problems: Problems): number | undefined {
  if (token.fault === INCOMPLETE) {
    problems.report("syntax/number", token, "the number is not complete", "give it digits after its `.` or `e`");
    return undefined;
  }
  const value = Number(token.value);
  const vanishes = value === 0 && /[1-9]/.test(token.value.split(/[eE]/, 1)[0] as string);
  if (!Number.isFinite(value) || vanishes) {
    problems.note(
      "syntax/number-range",
      token,
      "the number is out of range: programs would read it as " + (vanishes ? "0" : "infinity"),
      "write a number that a 64-bit float can hold, or put it in double quotes",
    );
    problems.broken = true;
    return undefined;
  }
  if (token.value.length > 15 && /^-?\d+$/.test(token.value) && BigInt(token.value) !== BigInt(value)) {
    problems.note(
      "syntax/number-range",
      token,
      "the whole number is too large to be kept exactly",
      "stay within 9007199254740991, or put it in double quotes",
    );
  }
  return value;
}

/** What a word in the place of a number means in the dialects that know it; null when it means none. */
export function foreignNumber(word: string): number | null {
  const sign = word.startsWith("-") ? -1 : 1;
  const digits = word.replace(/^[+-]/, "");
  const isNumber = /^(?:0[xX][0-9a-fA-F]{1,12}|(?:0|[1-9]\d{0,14})(?:\.\d*)?|\.\d+)$/.test(digits);
  return isNumber ? sign * Number(digits) : null;
}
