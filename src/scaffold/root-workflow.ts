import { readdirSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { compareText } from "../base/text-order.ts";
import { repositoryRoot, withSlashes } from "../workspace/paths.ts";
import { readTextFile } from "../workspace/read-file.ts";
import { planFile, type ScaffoldFile } from "./scaffold-file.ts";
import { WORKFLOW_PATH, workflowText } from "./workflow.ts";

const RUNS_US = /\bqm-deploy\b/;

/** A workflow of a repository that runs this toolkit, whatever it is called; from the root, null where there is none. */
function workflowOf(root: string): string | null {
  const directory = posix.dirname(WORKFLOW_PATH);
  const names = entriesOf(join(root, directory)).filter((name) => /\.ya?ml$/.test(name));
  const path = names
    .map((name) => `${directory}/${name}`)
    .find((each) => RUNS_US.test(readTextFile(join(root, each), each).file?.text ?? ""));
  return path ?? null;
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort(compareText);
  } catch {
    // None is there, or nobody may look; writing says the latter.
    return [];
  }
}

/**
 * The workflow of the repository that a deployment is in, at its root, where alone GitHub reads workflows. It judges every deployment, so
 * that one is enough: one that is there stays.
 */
export function planWorkflow(directory: string, action: string | null): ScaffoldFile {
  const root = repositoryRoot(directory) ?? directory;
  const found = workflowOf(root);
  const path = posix.join(withSlashes(relative(directory, root)), found ?? WORKFLOW_PATH);
  const text = workflowText(action, withSlashes(relative(root, directory)));
  const file = planFile(directory, path, text, { root });
  if (file.action !== "kept") return file;
  if (found === null) return { ...file, notes: ["it does not run qm-deploy: add `check` and `render --check` to it"] };
  return root === directory ? file : { ...file, notes: ["it judges this deployment too"] };
}
