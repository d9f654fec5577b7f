import { field, removal, repeats, type Rule } from "../rule.ts";
import type { Deployment } from "../../deployment/deployment.ts";

/** What each path of `skills` is, and where it stands first: in the document, as `config` leaves out items of a wrong type. */
function pathsOf({ document, inputs }: Deployment) {
  const items = document.value(["skills"]);
  const entries = Array.isArray(items) ? items.map((item, at): readonly [unknown, number] => [item, at]) : [];
  const first = new Map(entries.reverse());
  return inputs.skillsPaths.map((each) => ({ kind: each.kind, path: ["skills", first.get(each.written) ?? 0] }));
}

/** Directories of skills that the config names. */
export const SKILLS_RULES: readonly Rule[] = [
  {
    id: "skills/no-directory",
    title: "Skills path that is no directory",
    clause: "config.v1",
    why: "Each path of `skills` is a directory of skills in the deployment directory.",
    bad: '{ "skills": ["skills/misspelt"] }',
    good: '{ "skills": ["skills/support"] }',
    check(deployment, report) {
      for (const { kind, path } of pathsOf(deployment)) {
        const isMissing = kind === "missing";
        if (!isMissing && kind !== "other") continue;
        report({
          message: isMissing ? `${field(path)} does not exist` : `${field(path)} is a file, not a directory`,
          help: isMissing
            ? "create the directory, or fix the path, which starts at the deployment directory"
            : "name the directory that the skills are in",
          place: { path, at: "value" },
        });
      }
    },
  },
  {
    id: "skills/outside",
    title: "Skills path that leads out of the deployment",
    why: "What a deployment is made of stands in its directory, where it is reviewed. A path that leaves it would mount whatever is there on the machine that deploys.",
    bad: '{ "skills": ["../../../etc"] }',
    good: '{ "skills": ["skills/support"] }',
    check(deployment, report) {
      for (const { kind, path } of pathsOf(deployment)) {
        if (kind !== "outside") continue;
        report({
          message: `${field(path)} leads out of the deployment directory`,
          help: "copy the skills into the deployment directory",
          place: { path, at: "value" },
        });
      }
    },
  },
  {
    id: "skills/duplicate",
    title: "Skills directory named twice",
    severity: "warning",
    why: "The same skills would be mounted a second time under another name.",
    bad: '{ "skills": ["skills/support", "./skills/support/"] }',
    good: '{ "skills": ["skills/support"] }',
    check({ document }, report) {
      const items = document.value(["skills"]);
      if (!Array.isArray(items)) return;
      const plain = ([, item]: readonly [number, unknown]) => (typeof item === "string" ? normalized(item) : null);
      for (const [[at], [other]] of repeats(items.entries(), plain)) {
        const path = ["skills", at];
        report({
          message: `${field(path)} is the same directory as \`skills[${other}]\``,
          help: "remove one of them",
          place: { path },
          fix: removal(path, "safe"),
        });
      }
    },
  },
];

/** A relative path without `.`, doubled slashes and a slash at the end. */
function normalized(path: string): string {
  return path
    .trim()
    .split("/")
    .filter((part, at) => part !== "." && (part !== "" || at === 0))
    .join("/");
}
