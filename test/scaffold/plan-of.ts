import type { Answers } from "../../src/scaffold/answers.ts";
import { configText } from "../../src/scaffold/config-text.ts";
import { planScaffold, type ScaffoldPlan } from "../../src/scaffold/plan.ts";
import { resourceNames } from "../../src/scaffold/resource-names.ts";

/** Random text that is the same in every run. */
export function fixedRandom(length: number): string {
  return "k3f9x2".slice(0, length);
}

/** The plan of a scaffold in a directory, as init makes it but for chance. */
export function planIn(directory: string, answers: Answers): ScaffoldPlan {
  return planScaffold(answers, configText(answers, resourceNames(answers.org, fixedRandom)), directory, directory);
}
