import { parseSkillFrontmatter } from "@yc-software/qm/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { readSkillHead } from "../../src/deployment/skill-head.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentOf, treeOf } from "../support/fragment.ts";
import { runs } from "../support/runs.ts";

/** Pieces of YAML that people write, and that its readers do not agree on. */
const PIECE = fc.constantFrom(
  ...["report", "Use it", "see #12", "C#", "it's", "a: b", "# note", "~", "null", "7", "-", ">", "|", "{a}", "[b]"],
  ...["&x", "!t", "\\n", "''", '"', '\\"', "`c`", "...", "---", "\t"],
);
const TEXT = fc.array(PIECE, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(" "));
const QUOTED = fc.tuple(fc.constantFrom('"', "'"), TEXT).map(([quote, text]) => `${quote}${text}${quote}`);
const TAIL = fc.constantFrom("", "", "", " ", " # note", " #note");
const LINE = fc
  .tuple(fc.constantFrom("  ", "  ", "    ", " ", ""), fc.oneof(TEXT, fc.constantFrom("", "# note", "- item", "k: v")))
  .map(([indentation, text]) => `\n${indentation}${text}`);
const LINES = fc.array(LINE, { maxLength: 3 }).map((lines) => lines.join(""));
const MARK = fc.constantFrom(">", "|", ">-", "|-", ">+", "|2", ">2-", "> ", ">- # c", ">x");
const VALUE = fc.oneof(
  fc.tuple(fc.oneof(TEXT, QUOTED), TAIL).map((parts) => parts.join("")),
  fc.tuple(fc.oneof(TEXT, QUOTED, MARK, MARK), LINES).map((parts) => parts.join("")),
);
const LIST = fc.constantFrom(
  ...["[a, b]", '["a", b]', '["a, b"]', "[a, b] # c", "[]", "", "a", "~", "\n  - a\n  - b", "\n- a\n- b"],
  ...["\n  - a\n\n  - b", "\n  - a\n  # c\n  - b", "\n  - 'a'", "\n  - a # c", "\n  - a\n    more", "\n  text"],
);
const KEY = (name: string) => fc.constantFrom(...Array.from({ length: 9 }, () => name), `"${name}"`, ` ${name}`);
const HEAD = fc
  .record({
    name: fc.oneof({ weight: 6, arbitrary: fc.constant("report") }, { weight: 1, arbitrary: VALUE }),
    description: VALUE,
    list: fc.option(LIST, { nil: null }),
    keys: fc.tuple(KEY("name"), KEY("description"), KEY("requiredCapabilities")),
    isTwice: fc.integer({ max: 9, min: 0 }).map((at) => at === 0),
  })
  .map(({ name, description, list, keys, isTwice }) => {
    const lines = [`${keys[0]}: ${name}`, `${keys[1]}: ${description}`, ...(isTwice ? ["description: again"] : [])];
    return [...lines, ...(list === null ? [] : [`${keys[2]}: ${list}`])].join("\n");
  });

/** Without differences in blanks, which are none to a reader. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).filter((item) => item !== "");
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : value;
}

function rulesFor(text: string): string[] {
  const tree = treeOf(new Map([["sandbox/skills/report/SKILL.md", text]]), "sandbox");
  const deployment = deploymentOf('{ "target": "docker" }', { release: "0.1.12", sandboxTree: tree });
  return runRules(deployment).flatMap(({ rule }) => (rule.startsWith("layer/skill-") ? [rule] : []));
}

function asQmReads(text: string): ReturnType<typeof parseSkillFrontmatter> | null {
  try {
    return parseSkillFrontmatter(text, "SKILL.md");
  } catch {
    return null;
  }
}

/** The value of a key for a YAML reader: text, list, or null for what is neither; undefined where the key is not there. */
function asYamlReads(head: string): ((key: string) => unknown) | null {
  const { contents, errors } = parseDocument(head, { schema: "failsafe", uniqueKeys: false, logLevel: "silent" });
  if (errors.length > 0 || !isMap(contents)) return null;
  const textOf = (node: unknown): unknown => {
    if (isSeq(node)) return node.items.map(textOf);
    if (!isScalar(node) || node.tag === "!t") return null;
    const isNull = node.type === "PLAIN" && /^(?:~|null|)$/.test(node.source ?? "");
    return isNull ? null : node.value;
  };
  return (key) => {
    const pairs = contents.items.filter((pair) => isScalar(pair.key) && pair.key.value === key);
    return pairs.length === 0 ? undefined : textOf(pairs.at(-1)?.value);
  };
}

test("a head is refused exactly when qm refuses it, and read as qm reads it", () => {
  fc.assert(
    fc.property(HEAD, fc.constantFrom("\n", "\r\n"), (head, lineEnd) => {
      const text = `---\n${head}\n---\nDo it.\n`.replaceAll("\n", lineEnd);
      const read = asQmReads(text);
      expect(rulesFor(text).includes("layer/skill-frontmatter")).toBe(read === null);
      const fields = readSkillHead(text)?.fields;
      for (const key of ["name", "description"] as const)
        if (read !== null) expect(plain(fields?.get(key)?.value)).toBe(plain(read[key]));
      if (read !== null)
        expect(plain(fields?.get("requiredCapabilities")?.value ?? [])).toEqual(plain(read.requiredCapabilities ?? []));
    }),
    { numRuns: runs(200, 2_000) },
  );
});

test("what YAML reads otherwise is said, but for a sign such as #12, which core takes as it was meant", () => {
  fc.assert(
    fc.property(HEAD, (head) => {
      const text = `---\n${head}\n---\nDo it.\n`;
      const [read, yaml] = [asQmReads(text), asYamlReads(head.replace(/\n---[^]*/, ""))];
      // The library takes a mark with dashes behind it for one with nothing behind it.
      fc.pre(read !== null && yaml !== null && !/\s#[^\s#]|[>|]\S* +---/.test(head));
      const isSame = (key: "name" | "description" | "requiredCapabilities") =>
        JSON.stringify(plain(yaml(key) ?? [])) === JSON.stringify(plain(read?.[key] ?? []));
      if (!isSame("name") || !isSame("description") || !isSame("requiredCapabilities"))
        expect(rulesFor(text)).toContain("layer/skill-read-otherwise");
    }),
    { numRuns: runs(200, 2_000) },
  );
});
