/** A value that `.tfvars` can hold. */
export type HclValue = string | number | boolean | readonly HclValue[] | { readonly [key: string]: HclValue };

/**
 * A quoted HCL template string. `${` and `%{` start templates there, so a literal one is doubled (`$${`). Of the escapes
 * of JSON, HCL knows these; what is not printable is written as `\uNNNN`. Read back by terraform in the tests.
 */
function hclString(text: string): string {
  return text
    .replace(
      ESCAPED,
      (character) => SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    )
    .replace(/[$%](?=\{)/g, "$&$&");
}

const SHORT_ESCAPES: { readonly [character: string]: string } = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

// eslint-disable-next-line no-control-regex -- these are the characters that are to be escaped
const ESCAPED = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** A value in the layout that `terraform fmt` leaves alone: one member a line, map keys quoted. */
export function hclValue(value: HclValue, indent = ""): string {
  if (typeof value === "string") return `"${hclString(value)}"`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item: HclValue) => `${inner}${hclValue(item, inner)},\n`).join("")}${indent}]`;
  }
  const members = hclMembers(value as { readonly [key: string]: HclValue }, inner, hclKey);
  return members === "" ? "{}" : `{\n${members}${indent}}`;
}

/** `key = value` lines in the layout of `terraform fmt`, which aligns the `=` of neighbours that take one line. */
export function hclMembers(
  members: { readonly [key: string]: HclValue },
  indent: string,
  printKey: (key: string) => string,
): string {
  const entries = Object.entries(members).map(([key, value]) => ({ key: printKey(key), value }));
  const widths = alignedWidths(entries.map(({ key, value }) => (isMultiline(value) ? 0 : key.length)));
  return entries
    .map(({ key, value }, at) => `${indent}${key.padEnd(widths[at] ?? 0)} = ${hclValue(value, indent)}\n`)
    .join("");
}

/** The longest of each run of lengths; a length of 0 ends a run and stays. */
function alignedWidths(lengths: readonly number[]): readonly number[] {
  const longestBefore = (all: readonly number[]): number[] => {
    let longest = 0;
    return all.map((length) => (longest = length === 0 ? 0 : Math.max(longest, length)));
  };
  return longestBefore(longestBefore(lengths).toReversed()).toReversed();
}

function hclKey(key: string): string {
  return `"${hclString(key)}"`;
}

function isMultiline(value: HclValue): boolean {
  return typeof value === "object" && Object.keys(value).length > 0;
}
