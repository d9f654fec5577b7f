import { fileBelow } from "../../deployment/inputs.ts";
import { LineIndex } from "../../diagnostics/source.ts";
import type { Span } from "../../config/node.ts";
import { type Rule } from "../rule.ts";
import { type Frontmatter, type FrontmatterField, readFrontmatter } from "./frontmatter.ts";

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
    severity: "error",
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
