import { randomUUID } from "node:crypto";
import { plainText, type Shown } from "../base/shown.ts";
import { appendText } from "../workspace/append-file.ts";

interface RunnerEnvironment {
  readonly [name: string]: string | undefined;
}

function append(path: string | undefined, text: string): void {
  // Outside of GitHub nobody reads them.
  if (path !== undefined && path !== "") appendText(path, text);
}

/** Adds Markdown to the summary of the step. */
export function writeSummary(env: RunnerEnvironment, markdown: Shown): void {
  append(env["GITHUB_STEP_SUMMARY"], markdown.text);
}

/** Hands outputs to later steps. A word that no value can know ends each of them, so that none can forge another. */
export function writeOutputs(
  env: RunnerEnvironment,
  outputs: { readonly [name: string]: string | number | boolean },
): void {
  const lines = Object.entries(outputs).map(([name, value]) => {
    const end = `ghadelimiter_${randomUUID()}`;
    return `${name}<<${end}\n${plainText(String(value)).text}\n${end}\n`;
  });
  append(env["GITHUB_OUTPUT"], lines.join(""));
}
