import { fileBelow } from "../../deployment/inputs.ts";
import { LineIndex } from "../../diagnostics/source.ts";
import type { Span } from "../../config/node.ts";
import { type Rule } from "../rule.ts";

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_-])?$/;

interface Problem {
  readonly message: string;
  readonly help: string;
  readonly at: Span;
}

/** The head of SKILL.md. */
export const SKILL_RULES: readonly Rule[] = [
  {
    id: "layer/skill-frontmatter",
    title: "SKILL.md without a usable head",
    clause: "sandbox.descriptors",
    why: "Agents choose a skill by the name and description at the head of its SKILL.md, and then read its body. Core refuses the layer when one of them is missing.",
    bad: "// sandbox/skills/report/SKILL.md\nCollect what was done.\n",
    good: "// sandbox/skills/report/SKILL.md\n---\nname: report\ndescription: Writes the weekly report.\n---\nCollect what was done.\n",
    check(deployment, report) {
      for (const { path, text } of deployment.inputs.sandboxTree) {
        if (text === null || !/^sandbox\/skills\/[^/]+\/SKILL\.md$/.test(path)) continue;
        const file = fileBelow(deployment.inputs, path);
        const lines = new LineIndex(text);
        const head = readFrontmatter(text);
        if (head === null) {
          const end = Math.max(text.search(/\r?\n|$/), 0);
          report({
            message: "`SKILL.md` does not begin with a head between two lines `---`",
            help: "begin it with `---`, `name: …`, `description: …` and `---`, each on its line",
            place: { file, range: lines.range(0, end) },
          });
          continue;
        }
        for (const { message, help, at } of problemsOf(head))
          report({ message, help, place: { file, range: lines.range(at.start, at.end) } });
      }
    },
  },
];

function* problemsOf({ fields, hasBody, opening }: Frontmatter): Iterable<Problem> {
  const name = fields.get("name");
  if (isBlank(name))
    yield {
      message: "the head of SKILL.md has no `name`",
      help: "add `name:` and a short name of letters, digits and hyphens",
      at: name?.keySpan ?? opening,
    };
  else if (!NAME.test(name?.text ?? ""))
    yield {
      message:
        "`name` must be 1 to 128 letters, digits and `_.-`, starting with a letter or digit and not ending with a dot",
      help: "shorten it to a name: sentences belong into `description`",
      at: name?.keySpan ?? opening,
    };
  const description = fields.get("description");
  if (isBlank(description))
    yield {
      message: "the head of SKILL.md has no `description`",
      help: "add `description:` and when an agent should use the skill",
      at: description?.keySpan ?? opening,
    };
  const capabilities = fields.get("requiredCapabilities");
  if (capabilities !== undefined && capabilities.text !== null)
    yield {
      message: "`requiredCapabilities` must be a list",
      help: "write it as `[a, b]`, or one `- …` a line",
      at: capabilities.keySpan,
    };
  if (!hasBody)
    yield {
      message: "`SKILL.md` has nothing below its head",
      help: "write below it what the agent has to do",
      at: opening,
    };
}

function isBlank(field: FrontmatterField | undefined): boolean {
  return field === undefined || field.text === null || field.text.trim() === "";
}

/** One `key: value` of the notes at the head of a SKILL.md. */
interface FrontmatterField {
  /** Null for a list. */
  readonly text: string | null;
  readonly keySpan: Span;
}

/** The head of a SKILL.md, as core reads it: a small part of YAML. */
interface Frontmatter {
  readonly fields: ReadonlyMap<string, FrontmatterField>;
  readonly hasBody: boolean;
  /** The opening `---`. */
  readonly opening: Span;
}

const BLOCK = /^[>|]-?$/;

/** Reads the head of a SKILL.md; null where there is none (a first line `---`, and a later line that begins so). */
export function readFrontmatter(text: string): Frontmatter | null {
  const match = /^(\uFEFF?)---\r?\n/.exec(text);
  if (match === null) return null;
  const start = match[0].length;
  // The line end that closes the opening line may also be the one before the closing one.
  const closing = /\r?\n---/g;
  closing.lastIndex = start;
  const end = closing.exec(text);
  if (end === null) return null;
  const opening = { start: (match[1] as string).length, end: (match[1] as string).length + 3 };
  return { fields: readFields(text, start, end.index), hasBody: text.slice(closing.lastIndex).trim() !== "", opening };
}

function readFields(text: string, start: number, end: number): Map<string, FrontmatterField> {
  const fields = new Map<string, FrontmatterField>();
  let at = start;
  // A carriage return belongs to the line end behind it; the last line's was taken with the closing `---` already.
  const lines = text.slice(start, end).split("\n");
  for (const [index, line] of lines.entries()) {
    const key = /^([A-Za-z0-9_-]+):/.exec(line)?.[1];
    const rest =
      key === undefined ? null : restOf(index === lines.length - 1 ? line : line.replace(/\r$/, ""), key.length + 1);
    if (key !== undefined && rest !== null)
      fields.set(key, { text: valueOf(rest, lines, index + 1), keySpan: { start: at, end: at + key.length } });
    at += line.length + 1;
  }
  return fields;
}

/** What stands behind a key and its colon; null where a line end of another kind makes it no pair. One regular expression for it would take quadratic time. */
function restOf(line: string, from: number): string | null {
  const rest = line.slice(from).trimStart();
  return /[\r\u2028\u2029]/.test(rest) ? null : rest;
}

/** A value on the key's own line, or in the deeper lines from `next` on; null for a list. */
function valueOf(rest: string, lines: readonly string[], next: number): string | null {
  if (BLOCK.test(rest)) return indented(lines, next).join("\n").trim();
  if (rest === "" || (rest.startsWith("[") && rest.endsWith("]"))) return null;
  const trimmed = rest.trim();
  const quoted = /^(["'])(.*)\1$/.exec(trimmed);
  return quoted === null ? trimmed : (quoted[2] as string);
}

function indented(lines: readonly string[], from: number): string[] {
  let end = from;
  for (let line = lines[end]; line !== undefined && (line.trim() === "" || /^[ \t]/.test(line)); line = lines[++end]);
  return lines.slice(from, end);
}
