import { field, removal, type Rule } from "../rule.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";

/** Where `skills` holds each text first; looked up in the document, whose items of a wrong type `config` leaves out. */
function placesOf({ document }: Deployment): (written: string) => ConfigPath {
  const items = document.value(["skills"]);
  const first = new Map((Array.isArray(items) ? [...items.entries()] : []).reverse().map(([at, item]) => [item, at]));
  return (written) => ["skills", first.get(written) ?? 0];
}

/** Directories of skills that the config names. */
export const SKILLS_RULES: readonly Rule[] = [
  {
    id: "skills/no-directory",
    title: "Skills path that is no directory",
    severity: "error",
    clause: "config.v1",
    why: "Each path of `skills` is a directory of skills in the deployment directory.",
    bad: '{ "skills": ["skills/misspelt"] }',
    good: '{ "skills": ["skills/support"] }',
    check(deployment, report) {
      const placeOf = placesOf(deployment);
      for (const { written, kind } of deployment.inputs.skillsPaths) {
        if (kind !== "missing" && kind !== "other") continue;
        const path = placeOf(written);
        report({
          message: kind === "missing" ? `${field(path)} does not exist` : `${field(path)} is a file, not a directory`,
          help:
            kind === "missing"
              ? "create the directory, or mend the path, which starts at the deployment directory"
              : "name the directory that the skills are in",
          place: { path, at: "value" },
        });
      }
    },
  },
  {
    id: "skills/outside",
    title: "Skills path that leads out of the deployment",
    severity: "error",
    why: "What a deployment is made of stands in its directory, where it is reviewed. A path that leaves it would mount whatever is there on the machine that deploys.",
    bad: '{ "skills": ["../../../etc"] }',
    good: '{ "skills": ["skills/support"] }',
    check(deployment, report) {
      const placeOf = placesOf(deployment);
      for (const { written, kind } of deployment.inputs.skillsPaths) {
        if (kind !== "outside") continue;
        const path = placeOf(written);
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
      const first = new Map<string, number>();
      for (const [at, item] of items.entries()) {
        if (typeof item !== "string") continue;
        const plain = normalized(item);
        const other = first.get(plain);
        if (other === undefined) {
          first.set(plain, at);
          continue;
        }
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
