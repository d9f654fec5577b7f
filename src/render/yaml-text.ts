import { Document, visit } from "yaml";

/**
 * YAML that YAML 1.1 and 1.2 readers take for the same data: every string and every key is double-quoted (`on`, `<<`, `1:30`
 * stay strings), nothing is folded and there are no aliases. Characters that YAML readers refuse raw are escaped, which the
 * `yaml` package does not do for DEL and the C1 controls (docs/contract/qm-rendering.md#who-reads-our-yaml).
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, node) {
      if (typeof node.value !== "string") return;
      node.type =
        key === "key" && /^[A-Za-z_][\w-]*$/.test(node.value) && !RESERVED.test(node.value) ? "PLAIN" : "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0, doubleQuotedAsJSON: true }).replace(RAW_CONTROLS, escaped);
}

/** Words that YAML 1.1 reads as booleans or null. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

// eslint-disable-next-line no-control-regex -- these are the characters that are to be escaped
const RAW_CONTROLS = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
