import { printableJson } from "../../base/printable.ts";
import { ours } from "../../base/shown.ts";
import type { RunView } from "../view.ts";
import type { Reporter } from "./reporter.ts";

/** A value as it is printed `depth` levels deep; a line end inside JSON text is always an escape. */
function printed(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${"  ".repeat(depth)}`);
}

/** `--format json`: one object, whatever the exit status (docs/json.md). */
export function jsonReporter(): Reporter {
  // Deployments are printed one by one, since the text of thousands is larger than what it is made from.
  return function* report({ ok, summary, deployments }: RunView) {
    yield ours(`{\n  "version": 1,\n  "ok": ${ok},\n  "summary": ${printed(summary, 1)},\n  "deployments": [`);
    for (const [at, deployment] of deployments.entries())
      yield ours(`${at === 0 ? "" : ","}\n    ${printableJson(printed(deployment, 2))}`);
    yield ours(deployments.length === 0 ? "]\n}\n" : "\n  ]\n}\n");
  };
}
