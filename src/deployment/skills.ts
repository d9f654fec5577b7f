import type { TargetName } from "../config/written-config.ts";
import { type DeploymentInputs, fileBelow, type TreeEntry } from "./inputs.ts";
import { readSkillHead, type SkillHead } from "./skill-head.ts";

/** What the name of a skill looks like: it becomes the name of a directory. */
const SKILL_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_-])?$/;

/** A directory with a SKILL.md that core installs as a skill. */
export interface Skill {
  /** From the deployment directory: `sandbox/skills/report`. */
  readonly directory: string;
  /** Name of SKILL.md in reports. */
  readonly file: string;
  readonly text: string;
  /** Null where SKILL.md has none. */
  readonly head: SkillHead | null;
  /** Null where the head has no name that core takes. */
  readonly name: string | null;
  /** Which of the paths in `skills` it is below, from 0; null for the deployment layer. */
  readonly item: number | null;
}

/** The skills of a deployment: those of the layer, then, on docker, which alone mounts them, those that `skills` names. */
export function findSkills(inputs: DeploymentInputs, target: TargetName | null): readonly Skill[] {
  const roots = new Set<string>();
  const below = (root: string, entries: readonly TreeEntry[], item: number | null): Skill[] => {
    // What is mounted a second time is one finding, not one for each skill.
    if (roots.has(root)) return [];
    roots.add(root);
    return entries.flatMap(({ path, text }) => {
      const directory = path.startsWith(`${root}/`) && path.endsWith("/SKILL.md") ? path.slice(0, -9) : "";
      const isSkill = text !== null && directory.lastIndexOf("/") === root.length;
      return isSkill ? [skillOf({ directory, file: fileBelow(inputs, path), text, item })] : [];
    });
  };
  return [
    ...below("sandbox/skills", inputs.sandboxTree, null),
    ...(target === "docker" ? inputs.skillsPaths : []).flatMap(({ tree }, item) =>
      tree === undefined ? [] : below(tree.root, tree.entries, item),
    ),
  ];
}

function skillOf(found: Pick<Skill, "directory" | "file" | "text" | "item">): Skill {
  const head = readSkillHead(found.text);
  const name = head?.fields.get("name")?.value;
  return { ...found, head, name: typeof name === "string" && SKILL_NAME.test(name) ? name : null };
}
