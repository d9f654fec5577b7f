/**
 * Data of JSON as YAML that YAML 1.1 and 1.2 readers take for the same: every string is double-quoted, and every key that is no plain
 * word (`on`, `<<`, `1:30` stay strings), nothing is folded and there are no aliases. Characters that YAML readers refuse raw are
 * escaped, which JSON does not do for DEL and the C1 controls (docs/contract/qm-rendering.md#who-reads-our-yaml).
 */
export function yamlText(value: unknown): string {
  return `${block(value, "")}\n`.replace(RAW_CONTROLS, escaped);
}

/** A value from where its first line stands; `indent` is what its other lines begin with. */
function block(value: unknown, indent: string): string {
  if (!isFilled(value)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `- ${block(item, inner)}`)
    : Object.entries(value).map(
        ([key, member]) => `${keyText(key, indent)}:${isFilled(member) ? `\n${inner}` : " "}${block(member, inner)}`,
      );
  return lines.join(`\n${indent}`);
}

/** True for a list or an object that has something in it, which stands below its key and not beside it. */
function isFilled(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** YAML wants a longer key to be announced. */
const LONGEST_KEY = 1_024;

function keyText(key: string, indent: string): string {
  const text = /^[A-Za-z_][\w-]*$/.test(key) && !RESERVED.test(key) ? key : JSON.stringify(key);
  return text.length > LONGEST_KEY ? `? ${text}\n${indent}` : text;
}

/** Words that YAML 1.1 reads as booleans or null. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

// eslint-disable-next-line no-control-regex -- these are the characters that are to be escaped
const RAW_CONTROLS = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
