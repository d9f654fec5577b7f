import { dirname } from "node:path";
import type { Deployment } from "../../../deployment/deployment.ts";
import { withConfigText } from "../../../deployment/resolve.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { runRules } from "../../../rules/run-rules.ts";
import type { FoundConfig } from "../../../workspace/find-deployments.ts";
import { loadFound, type LoadOptions } from "../../../workspace/load-deployment.ts";
import { withLock } from "../../../workspace/lock.ts";
import { applyFixes } from "../../../rules/apply-fixes.ts";
import { inputProblem } from "../../../diagnostics/input-problem.ts";
import { writeFailure, writeFileAtomically } from "../../../workspace/write-file.ts";

/** A deployment and what is found in it, once its config is fixed; `fixed` counts the fixes. */
export interface FixedDeployment {
  readonly deployment: Deployment;
  readonly diagnostics: readonly Diagnostic[];
  readonly fixed: number;
}

/** What the file system or a rule of ours about writing said, as a finding; anything else is a fault of ours. */
function notWritten(file: string, error: unknown): Diagnostic {
  const reason = writeFailure(error);
  if (reason === null) throw error;
  const help = "the file is as it was; make it a regular file that you may write, or apply the fixes by hand";
  return inputProblem("unwritable", file, `the fixes were not written: ${reason}`, help);
}

/** Fixes a deployment that has all its findings, and writes its config; where it cannot be written, what was found before stands. */
function fixLoaded(config: FoundConfig, before: Deployment, which: "safe" | "all"): FixedDeployment {
  const { deployment, diagnostics, applied } = applyFixes(before, which, true);
  const { text } = deployment.inputs.config;
  if (config.path === null || applied.length === 0) return { deployment, diagnostics, fixed: applied.length };
  try {
    writeFileAtomically(config.path, text, { root: dirname(config.path), expected: before.inputs.config.text });
  } catch (error) {
    const listed = withConfigText(before, before.inputs.config.text);
    return { deployment: listed, diagnostics: [notWritten(config.file, error), ...runRules(listed)], fixed: 0 };
  }
  return { deployment, diagnostics, fixed: applied.length };
}

/** Reads a deployment, applies its fixes and writes its config, so that no other edit is lost. */
export async function fixConfig(
  config: FoundConfig,
  options: LoadOptions,
  which: "safe" | "all",
): Promise<FixedDeployment | { problem: Diagnostic }> {
  const work = (): FixedDeployment | { problem: Diagnostic } => {
    const { deployment, problem } = loadFound(config, { ...options, most: Number.POSITIVE_INFINITY });
    return problem === undefined ? fixLoaded(config, deployment, which) : { problem };
  };
  if (config.path === null) return work();
  try {
    return await withLock(config.path, work);
  } catch (error) {
    return { problem: notWritten(config.file, error) };
  }
}
