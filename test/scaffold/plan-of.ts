import type { Answers } from "../../src/scaffold/answers.ts";
import { existingFiles } from "../../src/scaffold/existing-files.ts";
import { planScaffold, type ScaffoldPlan } from "../../src/scaffold/plan.ts";
import { generateSecret } from "../../src/workspace/generate-secret.ts";

/** Random text that is the same in every run. */
export function fixedRandom(length: number): string {
  return "k3f9x2".slice(0, length);
}

/** The plan of a scaffold in a directory, as init makes it but for chance. */
export function planIn(directory: string, answers: Answers): ScaffoldPlan {
  return planScaffold(answers, {
    directory,
    cwd: directory,
    existing: existingFiles(directory),
    random: fixedRandom,
    make: generateSecret,
  });
}
