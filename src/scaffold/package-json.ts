import { applyChanges } from "../config/edit.ts";
import { parseDocument } from "../config/parse.ts";
import type { ValueChange } from "../diagnostics/diagnostic.ts";
import type { PackageAnswers } from "./answers.ts";
import type { Merge } from "./scaffold-file.ts";

const QM = "@yc-software/qm";

const SCRIPTS: readonly (readonly [name: string, command: string])[] = [
  ["check", "qm-deploy check"],
  ["render", "qm-deploy render"],
];

/** What the package of a deployment depends on; the pin of qm is exact, since it decides how the directory is read. */
function dependencies({ release, toolkit }: PackageAnswers): readonly (readonly [name: string, spec: string])[] {
  return [[QM, release.version], ...(toolkit === null ? [] : [[toolkit.name, toolkit.spec] as const])];
}

/** A new package.json. */
export function packageText(answers: PackageAnswers): string {
  const manifest = {
    name: `${answers.org}-qm`,
    private: true,
    scripts: Object.fromEntries(SCRIPTS),
    devDependencies: Object.fromEntries(dependencies(answers)),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Adds what a package.json has not: scripts and dependencies of other versions stay as they are, and are said. */
export function mergePackage(answers: PackageAnswers): Merge {
  return (before) => {
    const document = parseDocument({ file: "package.json", text: before });
    if (document.root?.kind !== "object" || document.diagnostics.some((finding) => finding.severity === "error")) {
      return { text: before, notes: ["it is no JSON object, so that nothing was added: fix it and run init again"] };
    }
    const changes: ValueChange[] = [];
    const notes: string[] = [];
    const add = (group: string, name: string, value: string): void => {
      changes.push({ kind: "set", path: [group, name], value });
      notes.push(`added ${group} "${name}"`);
    };
    for (const [name, command] of SCRIPTS) {
      const written = document.value(["scripts", name]);
      if (written === undefined) add("scripts", name, command);
      else if (written !== command)
        notes.push(`its script "${name}" is another one and stays: run \`${command}\` by itself`);
    }
    for (const [name, spec] of dependencies(answers)) {
      const written = document.value(["dependencies", name]) ?? document.value(["devDependencies", name]);
      if (written === undefined) add("devDependencies", name, spec);
      else if (written !== spec) notes.push(`it depends on another version of ${name}, which stays`);
    }
    const edited = applyChanges(before, changes);
    return edited.ok ? { text: edited.text, notes } : { text: before, notes: [`nothing was added: ${edited.reason}`] };
  };
}

/** True when a package.json depends on a package, in whatever group. */
export function dependsOn(text: string, name: string): boolean {
  const document = parseDocument({ file: "package.json", text });
  return ["dependencies", "devDependencies"].some((group) => document.value([group, name]) !== undefined);
}
