import { untransportable } from "../layer/directories.ts";
import { field, removal, repeats, type Rule, beside } from "../rule.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { fileBelow, type SkillsPath, type TreeEntry } from "../../deployment/inputs.ts";

/** What each path of `skills` is, and where it stands first: in the document, as `config` leaves out items of a wrong type. */
function pathsOf({ document, inputs }: Deployment) {
  const items = document.value(["skills"]);
  const entries = Array.isArray(items) ? items.map((item, at): readonly [unknown, number] => [item, at]) : [];
  const first = new Map(entries.reverse());
  return inputs.skillsPaths.map((each) => ({ ...each, path: ["skills", first.get(each.written) ?? 0] }));
}

/** Directories of skills that the config names. */
export const SKILLS_RULES: readonly Rule[] = [
  {
    id: "skills/no-directory",
    title: "Skills path that is not a directory",
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
    id: "skills/whole-deployment",
    title: "Skills path that is the deployment directory itself",
    why: "Each path of `skills` is mounted as a whole. This one would bring everything into core: the config, `.env` with every secret, and what is rendered.",
    bad: '{ "skills": ["."] }',
    good: '{ "skills": ["skills/support"] }',
    check(deployment, report) {
      for (const { kind, path } of pathsOf(deployment)) {
        if (kind !== "deployment") continue;
        report({
          message: `${field(path)} is the deployment directory itself, with \`.env\` in it`,
          help: "put the skills into a directory of their own, and name that",
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
      const layer = [-1, LAYER_SKILLS] as const;
      const plain = ([, item]: readonly [number, unknown]) => (typeof item === "string" ? normalized(item) : null);
      for (const [[at], [other]] of repeats([layer, ...items.entries()], plain)) {
        const path = ["skills", at];
        report({
          message: `${field(path)} is the same directory as ${other < 0 ? `\`${LAYER_SKILLS}\`, which core reads anyway` : `\`skills[${other}]\``}`,
          help: other < 0 ? "remove it" : "remove one of them",
          place: { path },
          related: other < 0 ? [] : [beside(["skills", other], "the first time")],
          fix: removal(path, "safe"),
        });
      }
    },
  },
  {
    id: "skills/not-mounted",
    title: "Skills directories on a target that mounts none",
    severity: "warning",
    why: "Only the docker target mounts the directories of `skills` into core. On fly and aws they stay where they are, and agents get none of them.",
    bad: '{ "target": "fly", "skills": ["skills/support"] }',
    good: '{ "target": "docker", "skills": ["skills/support"] }',
    check({ config, target }, report) {
      if (target === null || target === "docker" || (config.skills ?? []).length === 0) return;
      report({
        message: `\`skills\` has no effect on ${target}: only docker mounts its directories`,
        help: "move the skills to `sandbox/skills`, which is sent to core on every target",
        place: { path: ["skills"] },
        related: [beside(["target"], "the target")],
      });
    },
  },
  {
    id: "skills/no-skill",
    title: "Skills path without a skill",
    severity: "warning",
    why: "Core looks for skills as directories with a SKILL.md right below each path of `skills`, and passes over everything else without a word.",
    bad: '{ "skills": ["skills/support/triage"] }',
    good: '{ "skills": ["skills/support"] }',
    check(deployment, report) {
      for (const { path, ...found } of mountedPlaces(deployment)) {
        if (found.hasSkills) continue;
        report({
          message: found.isSkill
            ? `${field(path)} is a skill, not a directory of skills: core finds none in it`
            : `${field(path)} holds no skill: core looks for a \`SKILL.md\` in each directory right below it`,
          help: found.isSkill ? "name the directory above it" : "name the directory that the skills are in",
          place: { path, at: "value" },
        });
      }
    },
  },
  {
    id: "skills/passed-over",
    title: "Skill in a place that core passes over",
    severity: "warning",
    why: "Below a path of `skills`, core reads `<name>/SKILL.md` and nothing else: not `skill.md`, not directories further down, and not what a link leads to outside of the path.",
    bad: "",
    good: "",
    check(deployment, report) {
      for (const { path, passedOver } of mountedPlaces(deployment)) {
        for (const entry of passedOver)
          report({
            message:
              entry.kind === "symlink"
                ? `\`${entry.path}\` is a link, which may lead nowhere in the container of core`
                : `core does not read \`${entry.path}\` as a skill`,
            help: `put it into a directory right below ${field(path)}, as \`<name>/SKILL.md\``,
            place: { file: fileBelow(deployment.inputs, entry.path), range: null },
          });
      }
    },
  },
  {
    id: "skills/left-out-file",
    title: "File of a skill that core leaves out",
    severity: "warning",
    why: "Core installs the text files of a skill below a path of `skills`, and passes over links and what is no text. A SKILL.md that is no UTF-8 text it cannot read at all.",
    bad: "",
    good: "",
    check(deployment, report) {
      for (const { files } of mountedPlaces(deployment)) {
        for (const entry of files) {
          const problem = untransportable(entry);
          const isHead = entry.path.endsWith("/SKILL.md") && entry.kind === "file";
          if (problem === null) continue;
          report({
            message: `\`${entry.path}\` ${problem}, and core ${isHead ? "cannot read it" : "leaves it out"}`,
            help: isHead ? "save it as UTF-8" : "put a text file in its place, or let the skill fetch it",
            severity: isHead ? "error" : "warning",
            place: { file: fileBelow(deployment.inputs, entry.path), range: null },
          });
        }
      }
    },
  },
];

const LAYER_SKILLS = "sandbox/skills";

/** Where skills lie below each path that docker mounts; one that is named twice is told once. */
function mountedPlaces(deployment: Deployment) {
  const roots = new Set<string>();
  return (deployment.target === "docker" ? pathsOf(deployment) : []).flatMap(({ path, tree }) => {
    if (tree === undefined || roots.has(tree.root)) return [];
    roots.add(tree.root);
    return [{ path, ...placesOf(tree) }];
  });
}

/** Where skills lie below a path of `skills`. */
function placesOf({ root, entries }: NonNullable<SkillsPath["tree"]>) {
  const stepsOf = ({ path }: TreeEntry) => path.slice(root.length + 1).split("/");
  const isSkillFile = (entry: TreeEntry, depth: number) =>
    stepsOf(entry).length === depth && entry.path.endsWith("/SKILL.md");
  const isLinkedHead = (entry: TreeEntry) => isSkillFile(entry, 2) && entry.kind === "symlink";
  const found = new Set(entries.filter((entry) => isSkillFile(entry, 2)).map((entry) => stepsOf(entry)[0]));
  return {
    isSkill: entries.some((entry) => isSkillFile(entry, 1)),
    /** What belongs to a skill. */
    files: entries.filter((entry) => stepsOf(entry).length > 1 && found.has(stepsOf(entry)[0]) && !isLinkedHead(entry)),
    // Of what was not read nothing is said.
    hasSkills: found.size > 0 || entries.some(({ path, unread }) => path === root && unread !== undefined),
    passedOver: entries.filter((entry) => {
      const [first, ...rest] = stepsOf(entry);
      if (rest.length === 0) return entry.kind === "symlink" && entry.leadsTo === "directory";
      if (isLinkedHead(entry)) return true;
      // What lies in a skill is a file of that skill.
      return entry.kind === "file" && /^skill\.md$/i.test(rest.at(-1) ?? "") && !found.has(first);
    }),
  };
}

/** A relative path without `.`, doubled slashes and a slash at the end. */
function normalized(path: string): string {
  return path
    .trim()
    .split("/")
    .filter((part, at) => part !== "." && (part !== "" || at === 0))
    .join("/");
}
