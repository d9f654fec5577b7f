import { type ConfigPath, showPath } from "../../base/config-path.ts";
import type { Fix } from "../../diagnostics/diagnostic.ts";
import { closestName } from "../../base/closest-name.ts";
import type { ConfigDocument } from "../document.ts";
import type { ConfigNode } from "../node.ts";
import { readOrigin } from "../origin-url.ts";
import { ENV_NAME_WORDS } from "../schema/field-types.ts";
import { schemaAt } from "../schema/lookup.ts";
import { type Finding, setFix } from "./finding.ts";

const EXPECTED: { readonly [expected: string]: string } = {
  string: "text in double quotes",
  number: "a number",
  int: "a whole number",
  boolean: "`true` or `false`",
  object: "an object",
  record: "an object",
  array: "an array",
};

/** What a value is, in words. */
const KINDS: { readonly [kind in ConfigNode["kind"]]: string } = {
  object: "an object",
  array: "an array",
  string: "text",
  number: "a number",
  boolean: "`true` or `false`",
  null: "`null`",
};

/** A value of the wrong kind. `expected` is zod's word. */
export function wrongType(document: ConfigDocument, path: ConfigPath, node: ConfigNode, expected: string): Finding {
  const words = EXPECTED[expected] ?? "another kind of value";
  const actual = node.kind === "number" && expected === "int" ? "one with a fraction or beyond 2^53" : KINDS[node.kind];
  const help = node.kind === "null" ? "delete the key, or give it a value" : `write ${words}`;
  return {
    rule: "config/wrong-type",
    message: `\`${showPath(path)}\` must be ${words}, not ${actual}`,
    help,
    fix: typeFix(document, path, node, expected),
  };
}

/** Only the quotes differ: then it is certain what was meant. */
function typeFix(document: ConfigDocument, path: ConfigPath, node: ConfigNode, expected: string): Fix | null {
  const name = showPath(path);
  if (node.kind === "null" && schemaAt(path)?.optional === true)
    return { safety: "safe", title: `remove \`${name}\``, changes: [{ kind: "remove", path }] };
  if (expected === "string" && (node.kind === "number" || node.kind === "boolean"))
    return setFix("safe", `put \`${name}\` in double quotes`, path, document.text.slice(node.start, node.end));
  if (node.kind !== "string") return null;
  const number = Number(node.value);
  if ((expected === "int" || expected === "number") && String(number) === node.value && Number.isSafeInteger(number))
    return setFix("safe", `write \`${name}\` without quotes`, path, number);
  if (expected === "boolean" && (node.value === "true" || node.value === "false"))
    return setFix("safe", `write \`${name}\` without quotes`, path, node.value === "true");
  return null;
}

/** A name that is none of a closed set. Its value is not shown, since it could be a secret in the wrong place. */
export function unknownName(document: ConfigDocument, path: ConfigPath, node: ConfigNode): Finding {
  if (path.length === 1 && path[0] === "contract") return contract(document, path, node);
  const names = schemaAt(path)?.names ?? [];
  if (node.kind !== "string") return { ...wrongType(document, path, node, "string"), fix: null };
  const meant = closestName(node.value, names);
  const all = `one of ${names.join(", ")}`;
  const message = `\`${showPath(path)}\` must be ${all}`;
  if (meant === null) return { rule: "config/unknown-name", message, help: `write ${all}` };
  const fix = setFix("suggested", `set \`${showPath(path)}\` to \`${meant}\``, path, meant);
  return { rule: "config/unknown-name", message, help: `did you mean \`${meant}\`?`, fix };
}

function contract(document: ConfigDocument, path: ConfigPath, node: ConfigNode): Finding {
  if (node.kind === "string" && node.value === "1") return wrongType(document, path, node, "int");
  const rule = "config/contract";
  if (node.kind !== "number" || !Number.isInteger(node.value))
    return { rule, message: "`contract` must be the number 1", help: 'write `"contract": 1`' };
  const message = `contract ${node.value} is not supported: this toolkit knows contract 1`;
  return { rule, message, help: "use a toolkit that knows this contract, or write the config for contract 1" };
}

/** A value of the right kind that breaks its pattern or range; `words` are the schema's. */
export function badValue(path: ConfigPath, node: ConfigNode, words: string): Finding {
  const name = showPath(path);
  if (path.length === 1 && (path[0] === "publicUrl" || path[0] === "apiUrl") && node.kind === "string")
    return badOrigin(path, node.value, words);
  if (node.kind === "string" && node.value.trim() === "")
    return { rule: "config/bad-value", message: `\`${name}\` is blank`, help: `write ${words}` };
  return { rule: ruleOf(words), message: `\`${name}\` must be ${words}`, help: "change it to that form" };
}

function ruleOf(words: string): Finding["rule"] {
  return words === ENV_NAME_WORDS ? "config/env-name" : "config/bad-value";
}

function badOrigin(path: ConfigPath, value: string, words: string): Finding {
  const reading = readOrigin(value);
  const reason = reading.ok ? `must be ${words}` : reading.reason;
  const finding: Finding = {
    rule: "config/origin-url",
    message: `\`${showPath(path)}\` ${reason}`,
    help: `write ${words}`,
  };
  const canonical = reading.ok ? null : reading.canonical;
  if (canonical === null) return finding;
  // A fix is certain where every browser reads the two as the same origin.
  const safety = URL.canParse(value) && new URL(value).origin === canonical ? "safe" : "suggested";
  return { ...finding, fix: setFix(safety, `write \`${showPath(path)}\` in its canonical form`, path, canonical) };
}

/** A key of a map that has not the form of its names. */
export function badKey(path: ConfigPath, words: string): Finding {
  const message = `the key \`${showPath(path)}\` must be ${words}`;
  return { rule: ruleOf(words), message, help: "rename the key", isAboutKey: true };
}
