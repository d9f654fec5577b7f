import { isOff } from "../../catalog/settings/readings.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { coreValue } from "../../deployment/env-values.ts";
import type { Skill } from "../../deployment/skills.ts";
import { LineIndex } from "../../diagnostics/source.ts";
import { type FindingPlace, refusedAtBoot, repeats, type Rule } from "../rule.ts";

const REPORT = "---\nname: report\ndescription: Writes the weekly report.\n---\nCollect what was done.\n";

/** Names of skills. */
export const SKILL_NAME_RULES: readonly Rule[] = [
  {
    id: "layer/duplicate-skill",
    title: "Two skills of one name",
    clause: "sandbox.descriptors",
    why: "Core keeps skills by the name in their head, whatever their directories are called. It refuses a layer in which two have the same; of others it installs one, and drops or overwrites the other without a word.",
    bad: `// sandbox/skills/report/SKILL.md\n${REPORT}// sandbox/skills/weekly/SKILL.md\n${REPORT}`,
    good: `// sandbox/skills/report/SKILL.md\n${REPORT}// sandbox/skills/weekly/SKILL.md\n${REPORT.replace("name: report", "name: weekly")}`,
    check({ skills }, report) {
      for (const [skill, first] of repeats(skills, ({ name }) => name))
        report({
          message: `\`name\` is \`${skill.name}\`, as in \`${first.directory}/SKILL.md\``,
          help: "give each skill a name of its own",
          severity: skill.item === null ? "error" : "warning",
          place: nameOf(skill),
          related: [{ place: nameOf(first), message: "the first of that name" }],
        });
    },
  },
  {
    id: "layer/built-in-skill",
    title: "Skill with the name of a built-in one",
    severity: "warning",
    clause: "sandbox.descriptors",
    why: "Core brings skills of its own. Of two with one name it installs the one that comes first, and refuses a layer that is sent to it with such a name.",
    bad: `// sandbox/skills/memory/SKILL.md\n${REPORT.replace("name: report", "name: memory")}`,
    good: `// sandbox/skills/report/SKILL.md\n${REPORT}`,
    check(deployment, report) {
      const builtIn = builtInSkills(deployment);
      for (const skill of deployment.skills) {
        if (skill.name === null || !builtIn.has(skill.name)) continue;
        report({
          message: `\`${skill.name}\` is the name of a skill that core brings itself`,
          help: "give it another name: one of the two is left out otherwise",
          severity: skill.item === null ? refusedAtBoot(deployment) : "warning",
          place: nameOf(skill),
        });
      }
    },
  },
];

/** The skills that core installs beside those of the deployment; none where a setting keeps them out or names others. */
function builtInSkills({ config, release }: Deployment): ReadonlySet<string> {
  const isSwitchedOff = isOff(coreValue(config, "SEED_SKILLS")?.value);
  const isElsewhere = coreValue(config, "SKILLS_SEED_DIR") !== null;
  return new Set(isSwitchedOff || isElsewhere ? [] : release.release.builtInSkills);
}

function nameOf({ file, text, head }: Skill): FindingPlace {
  const key = head?.fields.get("name")?.key;
  return { file, range: key === undefined ? null : new LineIndex(text).range(key.start, key.end) };
}
