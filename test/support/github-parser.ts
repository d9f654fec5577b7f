/** GitHub's own parser of action.yml and of workflows, as its editor extension uses it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as actions from "@actions/workflow-parser/actions/action-parser";
import type * as workflows from "@actions/workflow-parser";
import { rolldown } from "rolldown";

const ENTRY = `export * from "@actions/workflow-parser";
export * from "@actions/workflow-parser/actions/action-parser";`;

/** The package imports JSON as bundlers take it and Node does not. */
async function load(): Promise<typeof actions & typeof workflows> {
  const made = await rolldown({
    input: "entry",
    cwd: import.meta.dirname,
    platform: "node",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? `${import.meta.dirname}/github-parser-entry.js` : null),
        load: (id) => (id.endsWith("/github-parser-entry.js") ? ENTRY : null),
      },
    ],
  });
  const directory = mkdtempSync(join(tmpdir(), "qm-deploy-parser-"));
  try {
    const file = join(directory, "parser.mjs");
    await made.write({ file, format: "esm", codeSplitting: false });
    return await import(pathToFileURL(file).href);
  } finally {
    await made.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const { convertWorkflowTemplate, NoOperationTraceWriter, parseAction, parseWorkflow } = await load();

/** What the parser finds wrong with a workflow: its shape, its expressions, what jobs need. */
export async function workflowErrors(text: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name: "workflow.yml", content: text }, new NoOperationTraceWriter());
  if (value === undefined || context.errors.count > 0) return context.errors.getErrors().map(({ message }) => message);
  const { errors = [] } = await convertWorkflowTemplate(context, value);
  return errors.map(({ Message }) => Message);
}

/** What the parser finds wrong with an action.yml. */
export function actionErrors(text: string): string[] {
  const { context } = parseAction({ name: "action.yml", content: text }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}
