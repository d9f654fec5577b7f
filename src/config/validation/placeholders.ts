import { type ConfigPath, showPath } from "../../base/config-path.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { findReference } from "../../base/stand-in.ts";
import { findUnseen } from "../../base/unseen.ts";
import type { ConfigDocument } from "../document.ts";
import { COMMENT_KEY, type ConfigNode } from "../node.ts";
import { findPlaceholder, findReservedDomain, type Placeholder } from "../placeholder.ts";
import { type Finding, setFix, toDiagnostic } from "./finding.ts";

/**
 * Everything in a document that still waits to be filled in: placeholders, which cannot work, as errors, and reserved
 * example domains as warnings; one finding per value, in document order, `most` in all.
 */
export function checkPlaceholders(document: ConfigDocument, most: number): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (document.root?.kind === "object") visit(document, document.root, [], found, most);
  return found;
}

function visit(document: ConfigDocument, node: ConfigNode, path: ConfigPath, found: Diagnostic[], most: number): void {
  if (found.length >= most || isFree(path)) return;
  if (node.kind === "string") {
    const finding = judgeText(document, node.value, path);
    if (finding !== null) found.push(toDiagnostic(document, path, finding));
  } else if (node.kind === "array") {
    node.items.forEach((item, at) => visit(document, item, [...path, at], found, most));
  } else if (node.kind === "object") {
    for (const member of node.members) {
      const { key, value } = member;
      // Of duplicate keys only the last one counts.
      if (key !== COMMENT_KEY && value !== null && document.member(node, key) === member)
        visit(document, value, [...path, key], found, most);
    }
  }
}

/** Places where any text will do: notes, directories (a rule sees whether they exist), and names of a deployer's own choice. */
function isFree(path: ConfigPath): boolean {
  if (path.length === 1) return path[0] === "$schema" || path[0] === "skills";
  return path[0] === "plugins" && ((path.length === 3 && path[2] === "name") || path.at(-1) === "description");
}

/** True inside maps of environment values, which may hold text of any kind, and secrets. */
function isOpenValue(path: ConfigPath): boolean {
  return path.includes("env") || path.includes("buildArgs");
}

function judgeText(document: ConfigDocument, value: string, path: ConfigPath): Finding | null {
  const isOpen = isOpenValue(path);
  const placeholder = findPlaceholder(value);
  // In an environment value a reference may be a part of the text that somebody else fills in.
  const isPart = placeholder?.kind === "reference" && isOpen && placeholder.text !== value.trim();
  if (placeholder !== null && !isPart) {
    const message = `\`${showPath(path)}\` ${describe(placeholder, value, isOpen)}`;
    const inOwnAccount = placeholder.kind === "zeros" ? withOwnAccount(document, value, path) : null;
    if (inOwnAccount !== null) {
      const help = `it lies in the deployment's own account: put \`${inOwnAccount}\` there`;
      const fix = setFix("suggested", `set \`${showPath(path)}\` to \`${inOwnAccount}\``, path, inOwnAccount);
      return { rule: "config/placeholder", message, help, fix };
    }
    return { rule: "config/placeholder", message, help: helpFor(placeholder) };
  }
  return judgeReference(value, path) ?? judgeUnseen(value, path) ?? judgeDomain(value, path, isOpen);
}

/** An ARN below `aws` whose account is still to be filled in, with that of the deployment where it is known: no other will do. */
function withOwnAccount(document: ConfigDocument, arn: string, path: ConfigPath): string | null {
  const account = document.value(["aws", "accountId"]);
  if (path[0] !== "aws" || typeof account !== "string" || !/^(?!0+$)\d{12}$/.test(account)) return null;
  const filled = arn.replace(/^(arn:aws[\w-]*:iam::)0{12}(?=:)/, `$1${account}`);
  return findPlaceholder(filled) === null ? filled : null;
}

/** References and ciphertext that no program of qm takes for itself, as it may an ARN or the path of a secret. */
function judgeReference(value: string, path: ConfigPath): Finding | null {
  const form = findReference(value);
  if (form === null || (form.kind === "reference" && !/^(?:op|(?:secret)?ref\+)|^@Microsoft/i.test(value.trim())))
    return null;
  const help = "write the value itself: nothing resolves or decrypts it on the way to its reader";
  return { rule: "config/placeholder", message: `\`${showPath(path)}\` ${form.what}`, help };
}

/** Of the edges of an address the rule about addresses says more. */
function judgeUnseen(value: string, path: ConfigPath): Finding | null {
  const unseen = path.length === 1 && String(path[0]).endsWith("Url") ? null : findUnseen(value, false);
  if (unseen === null) return null;
  return {
    rule: "config/invisible-character",
    severity: value.includes(" ") ? "warning" : "error",
    message: `\`${showPath(path)}\` holds ${unseen.what}`,
    help: "delete it, or type the value anew",
  };
}

function judgeDomain(value: string, path: ConfigPath, isOpen: boolean): Finding | null {
  const domain = findReservedDomain(value);
  if (domain === null) return null;
  const shown = isOpen ? "a reserved example domain" : `the reserved example domain \`${domain}\``;
  const message = `\`${showPath(path)}\` names ${shown}, which nobody can own`;
  const help = "put your own domain there before you deploy";
  return { rule: "config/reserved-domain", severity: "warning", message, help };
}

/** Says which placeholder it is only where that cannot be a part of a secret. */
function describe(placeholder: Placeholder, value: string, open: boolean): string {
  const whole = placeholder.text === value.trim();
  if (placeholder.kind === "zeros") return whole ? "is all zeros" : "holds an id that is all zeros";
  if (placeholder.kind === "cut") return "is cut short with dots";
  const showable = placeholder.kind === "word" || (!open && /^[<{$ A-Za-z_.}>-]+$/.test(placeholder.text));
  const name = showable ? `the placeholder \`${placeholder.text}\`` : "a placeholder in brackets";
  return `${whole ? "is" : "holds"} ${name}`;
}

function helpFor(placeholder: Placeholder): string {
  if (placeholder.kind === "reference") return "write the value itself: nothing fills in references in this file";
  if (placeholder.kind === "zeros") return "put the real id there";
  return "put the real value there";
}
