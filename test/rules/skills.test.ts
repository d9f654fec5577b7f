import { expect, test } from "vitest";
import type { SkillsPath, TreeEntry } from "../../src/deployment/inputs.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentOf } from "../support/fragment.ts";
import { file, SKILL, skillsPath } from "./contexts.ts";

function found(path: SkillsPath, config: Record<string, unknown> = {}): string[] {
  const text = JSON.stringify({ skills: [path.written], ...config });
  const deployment = deploymentOf(text, { release: "0.1.6", skillsPaths: [path] });
  return runRules(deployment).flatMap(({ rule, severity, file: at }) =>
    /^(?:layer|skills)\//.test(rule) ? [`${severity} ${rule} ${at}`] : [],
  );
}

const below = (...entries: readonly TreeEntry[]): SkillsPath => skillsPath("team", entries);
const REPORT = file("team/report/SKILL.md", { text: SKILL });

test.each([
  ["a skill", [REPORT], []],
  ["a skill beside other things", [REPORT, file("team/README.md"), file("team/shared/words.txt")], []],
  [
    "a link to a directory",
    [REPORT, file("team/x", { kind: "symlink", leadsTo: "directory" })],
    ["warning skills/passed-over team/x"],
  ],
  ["a link to a file", [REPORT, file("team/x", { kind: "symlink", leadsTo: "file" })], []],
  [
    "a link in a skill",
    [REPORT, file("team/report/x", { kind: "symlink", leadsTo: "file" })],
    ["warning skills/left-out-file team/report/x"],
  ],
  ["what systems leave behind", [REPORT, file("team/report/.DS_Store", { isText: false })], []],
  [
    "a SKILL.md in UTF-16",
    [file("team/report/SKILL.md", { isText: false })],
    ["error skills/left-out-file team/report/SKILL.md"],
  ],
  [
    "a SKILL.md that is a link",
    [file("team/report/SKILL.md", { kind: "symlink", leadsTo: "file" })],
    ["warning skills/passed-over team/report/SKILL.md"],
  ],
  ["nothing", [], ["warning skills/no-skill qm.config.jsonc"]],
  ["what was not read", [file("team", { kind: "directory", unread: "failed" })], ["error layer/unread team"]],
] as const)("boot rows 93, 95, 96: a path of skills with %s", (_name, entries, rules) =>
  expect(found(below(...entries))).toEqual(rules),
);

test("boot row 94: what is mounted nowhere is not judged", () => {
  const broken = below(file("team/report/SKILL.md", { text: "no head" }));
  expect(found(broken)).toEqual(["error layer/skill-frontmatter team/report/SKILL.md"]);
  expect(found(broken, { target: "fly" })).toEqual(["warning skills/not-mounted qm.config.jsonc"]);
});

test("nothing is said of what is below a path where nobody looked", () =>
  expect(found({ written: "team", kind: "directory" })).toEqual([]));
