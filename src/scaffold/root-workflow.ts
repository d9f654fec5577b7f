import { readdirSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { compareText } from "../base/text-order.ts";
import { repositoryRoot, withSlashes } from "../workspace/paths.ts";
import { readTextFile } from "../workspace/read-file.ts";
import { planFile, type ScaffoldFile } from "./scaffold-file.ts";
import { installedGate, WORKFLOW_PATH, workflowText } from "./workflow.ts";

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

/** A workflow of the repository that a deployment is in. */
export interface PlannedWorkflow {
  readonly file: ScaffoldFile;
  /** True where it runs this toolkit. */
  readonly isGate: boolean;
  /** True where what it runs is what the package.json of the deployment installs. */
  readonly needsInstalled: boolean;
}

/**
 * The workflow of the repository that a deployment is in, at its root, where alone GitHub reads workflows. It judges every deployment, so
 * that one is enough: one that is there stays.
 */
export function planWorkflow(directory: string, action: string | null): PlannedWorkflow {
  const root = repositoryRoot(directory) ?? directory;
  const below = withSlashes(relative(root, directory));
  const found = workflowOf(root);
  const path = posix.join(withSlashes(relative(directory, root)), found ?? WORKFLOW_PATH);
  const file = planFile(directory, path, workflowText(action, below), { root });
  const isKept = file.action === "kept";
  const isGate = !isKept || found !== null;
  const notes = [...file.notes];
  if (!isGate) notes.push("it does not run qm-deploy: add `check` and `render --check` to it");
  else if (isKept && root !== directory) notes.push("it judges this deployment too");
  return { file: { ...file, notes }, isGate, needsInstalled: runs(file.text, installedGate(below)) };
}

/** True where a text has a command as a word of its own: the same command in another directory is another one. */
function runs(text: string, command: string): boolean {
  return text.split(/[\s;]+/).includes(command);
}
