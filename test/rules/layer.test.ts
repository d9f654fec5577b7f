import { describe, expect, test } from "vitest";
import type { TreeEntry } from "../../src/deployment/inputs.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { patternProblem } from "../../src/rules/layer/approvals.ts";
import { isEgressHost } from "../../src/rules/layer/egress.ts";
import { deploymentOf, treeOf } from "../support/fragment.ts";
import { refusalOfQm } from "../support/qm-check.ts";
import { file, SKILL } from "./contexts.ts";

function found(sandboxTree: readonly TreeEntry[], family: string): Diagnostic[] {
  return runRules(deploymentOf('{ "target": "docker" }', { release: "0.1.12", sandboxTree })).filter(({ rule }) =>
    rule.startsWith(family),
  );
}

async function qmRefuses(files: ReadonlyMap<string, string>): Promise<boolean> {
  return (
    (await refusalOfQm(
      deploymentOf('{ "target": "docker" }', { release: "0.1.12", sandboxTree: treeOf(files, "sandbox") }),
    )) !== null
  );
}

describe("SKILL.md is usable exactly when it is for qm (boot row 88)", () => {
  test.each([
    ["plain", SKILL],
    ["with a byte order mark", `\uFEFF${SKILL}`],
    ["with CRLF", SKILL.replaceAll("\n", "\r\n")],
    ["quoted", SKILL.replace("report", '"report"')],
    ["folded", SKILL.replace("Writes", ">\n  Writes")],
    ["literal", SKILL.replace("Writes", "|-\n  Writes")],
    ["empty block", SKILL.replace("Writes the weekly report.", ">")],
    ["a list of capabilities", SKILL.replace("name:", "requiredCapabilities: [a, b]\nname:")],
    ["a list over lines", SKILL.replace("name:", "requiredCapabilities:\n  - a\nname:")],
    ["capabilities as text", SKILL.replace("name:", "requiredCapabilities: a\nname:")],
    ["no head", "Collect what was done.\n"],
    ["an open head", "---\nname: report\ndescription: x\n"],
    ["an empty head", "---\n---\nbody\n"],
    ["no name", SKILL.replace("name: report\n", "")],
    ["a blank name", SKILL.replace("report\n", "\n")],
    ["a quoted blank name", SKILL.replace("report\n", "' '\n")],
    ["a sentence as name", SKILL.replace("report\n", "My report\n")],
    ["a name that ends with a dot", SKILL.replace("report\n", "report.\n")],
    ["a list as name", SKILL.replace("report\n", "[report]\n")],
    ["no description", SKILL.replace(/description.*\n/, "")],
    ["the name twice", SKILL.replace("name:", "name: \nname:")],
    ["no body", SKILL.replace("Collect what was done.\n", "  \n")],
    ["text on the closing line", SKILL.replace("---\nCollect", "--- Collect")],
    ["an indented key", SKILL.replace("name:", " name:")],
    ["a space after the opening", SKILL.replace("---\n", "--- \n")],
    ["nothing", ""],
  ])("%s", async (_name, text) => {
    const files = new Map([["sandbox/skills/report/SKILL.md", text]]);
    expect(found(treeOf(files, "sandbox"), "layer/skill-frontmatter").length > 0).toBe(await qmRefuses(files));
  });
});

describe("a pattern of an approval is refused exactly when qm refuses it", () => {
  test.each([
    "",
    " delete",
    " (delete|purge)",
    " (a|a)(a|b)",
    " (a+)+",
    " (a|b)+",
    " (ab)+",
    " (ab)?",
    " a+a+",
    " a+b+",
    " \\w+\\d+",
    " \\d+[a-z]+",
    " .*.*",
    " .*x.*",
    " \\s+\\S+",
    " (?:x+)y+",
    " (?:x+)x+",
    " x+(?:x+)",
    " (a)\\1",
    " (?<n>a)\\k<n>",
    " [^a]+[^b]+",
    " [abc]+[def]+",
    " a{2,}a{3}",
    " (?=a+)b",
    " (a?){3}",
    " (",
    " [",
    "|x",
    " (x|y",
    " [|]",
    " \\|",
    ` ${"(a|a)".repeat(10)}`,
    ` ${"(a|a)".repeat(11)}`,
    ` ${"(a|b)".repeat(40)}`,
    ` ${"a".repeat(240)}`,
    ` ${"a".repeat(260)}`,
    " x??x",
    " \\x41+\\x41+",
    " é+é+",
    " (?:a|bc)d*",
  ])("%s", async (rest) => {
    const pattern = `\\bacme\\b${rest}`;
    const files = new Map([
      ["sandbox/tools/acme/tool.json", JSON.stringify({ id: "acme", approvals: [{ pattern }] })],
      ["sandbox/tools/acme/acme", "#!/bin/sh\n"],
    ]);
    expect(patternProblem(pattern, "acme") !== null).toBe(await qmRefuses(files));
    expect(found(treeOf(files, "sandbox"), "layer/").length > 0).toBe(patternProblem(pattern, "acme") !== null);
  });
});

test.each([
  ['"command": "delete", "pattern": [null]', "warning"],
  ['"command": 1, "pattern": "\\\\bacme\\\\b delete"', "warning"],
  ['"command": " ", "pattern": 1', "error"],
  ['"command": 1', "error"],
])("an approval with %s is as bad as qm finds it (%s)", async (fields, severity) => {
  const files = new Map([
    ["sandbox/tools/acme/tool.json", `{ "id": "acme", "approvals": [{ ${fields} }] }`],
    ["sandbox/tools/acme/acme", "#!/bin/sh\n"],
  ]);
  expect(found(treeOf(files, "sandbox"), "layer/").map((each) => [each.rule, each.severity])).toEqual([
    ["layer/tool-field", severity],
  ]);
  expect(await qmRefuses(files)).toBe(severity === "error");
});

describe("egress", () => {
  test.each([
    "acme.dev",
    "api.acme.dev.",
    "localhost",
    "*.acme.dev",
    "_dns.acme.dev",
    "10.0.0.0/8",
    "192.0.2.1",
    "fd00::/8",
    "::1",
    "xn--bcher-kva.example",
  ])("%s is a host", (host) => expect(isEgressHost(host)).toBe(true));
  test.each([
    "",
    "https://acme.dev",
    "acme.dev/v1",
    "acme.dev:443",
    "acme dev",
    "10.0.0.0/33",
    "10.0.0.256",
    "fd00::/129",
    "-acme.dev",
    ".acme.dev",
    "a..b",
    "user@acme.dev",
    "x".repeat(64),
  ])("%s is none", (host) => expect(isEgressHost(host)).toBe(false));
});

test.each([
  ["https://acme.dev", "error"],
  ["acme.dev/v1", "error"],
  ["10.0.0.0/999", "error"],
  ["10.0.0.0/33", "warning"],
  ["acme.dev:443", "warning"],
  ["acme dev", "warning"],
])("egress to %s is as bad as qm finds it (%s)", async (host, severity) => {
  const files = new Map([
    ["sandbox/tools/acme/tool.json", JSON.stringify({ id: "acme", egress: [host] })],
    ["sandbox/tools/acme/acme", "#!/bin/sh\n"],
  ]);
  expect(found(treeOf(files, "sandbox"), "layer/").map((each) => [each.rule, each.severity])).toEqual([
    ["layer/egress", severity],
  ]);
  expect(await qmRefuses(files)).toBe(severity === "error");
});

describe("what the layer cannot carry (boot rows 95, 96)", () => {
  const skill = file("sandbox/skills/report/SKILL.md", { text: SKILL });
  const directories = ["sandbox/skills/report", "sandbox/tools/acme"].map((path) => file(path, { kind: "directory" }));

  test.each([
    ["a link in a skill", file("sandbox/skills/report/notes.md", { kind: "symlink", leadsTo: "file" })],
    ["a picture in a skill", file("sandbox/skills/report/chart.png", { isText: false })],
    ["a pipe in a skill", file("sandbox/skills/report/pipe", { kind: "other" })],
    ["a dangling link in a skill", file("sandbox/skills/report/gone", { kind: "symlink" })],
  ])("%s", (_name, entry) =>
    expect(found([...directories.slice(0, 1), skill, entry], "layer/").map(({ rule, file: at }) => [rule, at])).toEqual(
      [["layer/skill-file", entry.path]],
    ),
  );

  test.each([
    ["limit", "not all of `sandbox/tools` was looked at"],
    ["failed", "`sandbox/tools` could not be read"],
  ] as const)("what was not read (%s)", (unread, message) =>
    expect(found([file("sandbox/tools", { kind: "directory", unread })], "layer/")).toMatchObject([
      { rule: "layer/unread", severity: "error", file: "sandbox/tools", message: expect.stringContaining(message) },
    ]),
  );

  test.each(["sandbox/skills/report", "sandbox/tools/acme"])("nobody knows what an unread %s lacks", (path) =>
    expect(found([file(path, { kind: "directory", unread: "failed" })], "layer/").map(({ rule }) => rule)).toEqual([
      "layer/unread",
    ]),
  );

  test("but what systems leave behind is skipped", () => {
    expect(
      found(
        [
          ...directories.slice(0, 1),
          skill,
          file("sandbox/skills/.DS_Store", { isText: false }),
          file("sandbox/skills/report/._notes", { isText: false }),
        ],
        "layer/",
      ),
    ).toEqual([]);
  });

  test.each([["file"], ["symlink"]] as const)("a %s among the skills or tools", (kind) => {
    expect(found([file("sandbox/skills/notes.md", { kind })], "layer/").map(({ rule }) => rule)).toEqual([
      "layer/skill-directory",
    ]);
    expect(found([file("sandbox/tools/notes.md", { kind })], "layer/").map(({ rule }) => rule)).toEqual([
      "layer/tool-directory",
    ]);
  });

  test.each(["skills", "tools"])("a file in the place of sandbox/%s", (name) =>
    expect(found([file(`sandbox/${name}`)], "layer/").map(({ rule, file: at }) => `${rule} ${at}`)).toEqual([
      `layer/${name.slice(0, -1)}-directory sandbox/${name}`,
    ]),
  );

  test("a tool.json that is a link, or no text", () => {
    const tool = (facts: Partial<TreeEntry>) =>
      found(
        [...directories.slice(1), file("sandbox/tools/acme/tool.json", facts), file("sandbox/tools/acme/acme")],
        "layer/tool-json",
      );
    expect(tool({ kind: "symlink", leadsTo: "file" })[0]?.message).toContain("link");
    expect(tool({ isText: false })[0]?.message).toContain("UTF-8");
    expect(tool({ text: null, size: 2_000_000 })[0]?.message).toContain("too large");
  });

  test.each([
    [850_000, []],
    [950_000, ["warning"]],
    [1_000_000, ["error"]],
  ])("%i bytes", (size, severities) => {
    const tree = [...directories.slice(0, 1), skill, file("sandbox/skills/report/data.csv", { size })];
    expect(found(tree, "layer/").map(({ severity }) => severity)).toEqual(severities);
  });
});

describe("tool.json is plain JSON (boot row 82)", () => {
  test.each([
    ["a comment", '{ "id": "acme" /* x */ }', "/* x */"],
    ["a trailing comma", '{ "id": "acme", }', ","],
    ["a comma before a comment", '{ "id": "acme", /* x */ }', ","],
    ["a byte order mark", '\uFEFF{ "id": "acme" }', "\uFEFF"],
    ["a comma in a string", '{ "id": "acme", "label": ",}", }', ","],
    ["a bare key", '{ id: "acme" }', "id"],
  ])("and %s is found where it is", (_name, text, slice) => {
    const tree = treeOf(
      new Map([
        ["sandbox/tools/acme/tool.json", text],
        ["sandbox/tools/acme/acme", ""],
      ]),
      "sandbox",
    );
    const [first, ...more] = found(tree, "layer/");
    expect(first).toMatchObject({ rule: "layer/tool-json", severity: "error" });
    expect(text.slice(first?.range?.start.offset, first?.range?.end.offset)).toBe(slice);
    expect(more).toEqual([]);
  });

  test("a key twice is read, and doubtful", () => {
    const tree = treeOf(
      new Map([
        ["sandbox/tools/acme/tool.json", '{ "id": "acme", "id": "acme" }'],
        ["sandbox/tools/acme/acme", ""],
      ]),
      "sandbox",
    );
    expect(found(tree, "layer/").map(({ rule, severity }) => [rule, severity])).toEqual([
      ["layer/tool-json", "warning"],
    ]);
  });
});
