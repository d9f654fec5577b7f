import type { Span } from "../../config/node.ts";
import type { HeadField, SkillHead } from "../../deployment/skill-head.ts";
import type { Skill } from "../../deployment/skills.ts";
import { LineIndex } from "../../diagnostics/source.ts";
import type { Report, Rule, FindingPlace } from "../rule.ts";
import { differenceOf } from "./skill-reading.ts";

interface Problem {
  readonly message: string;
  readonly help: string;
  readonly at: Span;
  /** Where the same stands before. */
  readonly first?: Span;
}

/** What core reads of a head. */
const READ_KEYS = ["name", "description", "requiredCapabilities"] as const;

/** The head of SKILL.md. */
export const SKILL_RULES: readonly Rule[] = [
  {
    id: "layer/skill-frontmatter",
    title: "SKILL.md without usable front matter",
    clause: "sandbox.descriptors",
    why: "Agents choose a skill by the name and description at the head of its SKILL.md, and then read its body. Core refuses the layer when one of them is missing; below a directory of `skills`, it installs neither that skill nor any after it.",
    bad: "// sandbox/skills/report/SKILL.md\nCollect what was done.\n",
    good: "// sandbox/skills/report/SKILL.md\n---\nname: report\ndescription: Writes the weekly report.\n---\nCollect what was done.\n",
    check(deployment, report) {
      for (const skill of deployment.skills) {
        if (skill.head === null) reportIn(skill, noHead(skill.text), report);
        else for (const problem of problemsOf(skill, skill.head)) reportIn(skill, problem, report);
      }
    },
  },
  {
    id: "layer/skill-read-otherwise",
    title: "Front matter of SKILL.md that core does not read as YAML",
    severity: "warning",
    why: "Core knows a small part of YAML, and takes what it does not know as it stands or drops it. Agents then choose a skill by a text that nobody wrote.",
    bad: "// sandbox/skills/report/SKILL.md\n---\nname: report\ndescription: Writes the weekly report,\n  and the monthly one.\n---\nCollect what was done.\n",
    good: "// sandbox/skills/report/SKILL.md\n---\nname: report\ndescription: >\n  Writes the weekly report,\n  and the monthly one.\n---\nCollect what was done.\n",
    check(deployment, report) {
      for (const skill of deployment.skills) {
        if (skill.head !== null)
          for (const problem of differencesOf(skill, skill.head)) reportIn(skill, problem, report);
      }
    },
  },
];

function reportIn({ file, text }: Skill, { message, help, at, first }: Problem, report: Report): void {
  const lines = new LineIndex(text);
  const placeOf = ({ start, end }: Span): FindingPlace => ({ file, range: lines.range(start, end) });
  const related = first === undefined ? [] : [{ place: placeOf(first), message: "the first time" }];
  report({ message, help, place: placeOf(at), related });
}

function noHead(text: string): Problem {
  return {
    message: "`SKILL.md` does not begin with a head between two lines `---`",
    help: "begin it with `---`, `name: …`, `description: …` and `---`, each on its line",
    at: { start: 0, end: Math.max(text.search(/\r?\n|$/), 0) },
  };
}

function* problemsOf(skill: Skill, head: SkillHead): Iterable<Problem> {
  const { fields, hasBody, opening } = head;
  const name = fields.get("name");
  if (isBlank(name)) yield missing("name", "a short name of letters, digits and hyphens", head);
  else if (name !== undefined && skill.name === null)
    yield {
      message:
        "`name` must be 1 to 128 letters, digits and `_.-`, starting with a letter or digit and not ending with a dot",
      help: differenceOf("name", name)?.[1] ?? "shorten it to a name: sentences belong into `description`",
      at: name.key,
    };
  if (isBlank(fields.get("description"))) yield missing("description", "when an agent should use the skill", head);
  const capabilities = fields.get("requiredCapabilities");
  if (typeof capabilities?.value === "string")
    yield {
      message: "`requiredCapabilities` must be a list",
      help: "write it as `[a, b]`, or one `- …` a line, with no comment behind it",
      at: capabilities.key,
    };
  if (!hasBody)
    yield {
      message: "`SKILL.md` has nothing below its head",
      help: "write below it what the agent has to do",
      at: opening,
    };
}

function isBlank(field: HeadField | undefined): boolean {
  return field === undefined || typeof field.value !== "string" || field.value.trim() === "";
}

/** A key that core does not find, though a line may look like it. */
function missing(key: string, what: string, head: SkillHead): Problem {
  const message = `the head of SKILL.md has no \`${key}\``;
  const help = `add \`${key}:\` and ${what}`;
  const field = head.fields.get(key);
  if (field === undefined) return unreadLine(key, message, head) ?? { message, help, at: head.opening };
  const difference = differenceOf(key, field);
  return difference === null
    ? { message, help, at: field.key }
    : { message: `${message}: ${difference[0]}`, help: difference[1], at: field.key };
}

/** A line that YAML, or another reader of such heads, takes for the key, and core does not; null where none is. */
function unreadLine(key: string, message: string, { lines }: SkillHead): Problem | null {
  const line = lines.find(({ text }) => keyOf(text) === key.toLowerCase());
  if (line === undefined) return null;
  return {
    message: `${message}: core does not read this line`,
    help: /[\r\u2028\u2029]/.test(line.text)
      ? "delete the invisible line separator in it (U+2028, U+2029 or a lone carriage return)"
      : `begin the line with \`${key}:\`, without blanks, quotes or capitals`,
    at: { start: line.start, end: line.start + line.text.length },
  };
}

/** The key of a line in lower case, without blanks and quotes around it. */
function keyOf(line: string): string | undefined {
  return /^\s*(["']?)([A-Za-z]+)\1\s*:/.exec(line)?.[2]?.toLowerCase();
}

function* differencesOf(skill: Skill, head: SkillHead): Iterable<Problem> {
  const { fields, repeated, lines } = head;
  for (const key of READ_KEYS) {
    const field = fields.get(key);
    if (field === undefined) {
      const unread = unreadLine(key, `\`${key}\` has no effect`, head);
      // Deeper keys of that name belong to something else; a missing name or description is refused.
      if (key === "requiredCapabilities" && unread !== null && /^\S/.test(skill.text.slice(unread.at.start)))
        yield unread;
      continue;
    }
    const again = repeated.get(key);
    if (again !== undefined)
      yield {
        message: `\`${key}\` stands twice, and core takes the last one`,
        help: "remove one of them",
        at: field.key,
        first: again,
      };
    // What makes a value unusable is said by the other rule.
    const isRefused = key === "requiredCapabilities" ? typeof field.value === "string" : isBlank(field);
    const found = isRefused || (key === "name" && skill.name === null) ? null : differenceOf(key, field);
    if (found !== null) yield { message: found[0], help: found[1], at: field.key };
  }
  const end = lines.find(({ text }) => /^\.\.\.\s*$/.test(text));
  if (end !== undefined)
    yield {
      message: "core reads the head on behind `...`, up to a line `---`",
      help: "end the head with `---`",
      at: { start: end.start, end: end.start + 3 },
    };
}
