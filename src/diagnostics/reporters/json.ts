import { memoizeByObject } from "../../base/memo.ts";
import { printableJson } from "../../base/printable.ts";
import type { DeploymentView, RunView } from "../view.ts";
import type { Reporter } from "./reporter.ts";

/** A value as it is printed inside `depth` arrays. */
function printed(value: unknown, depth: number): string {
  let nested = value;
  let opening = 0;
  for (let level = 1; level <= depth; level++) {
    nested = [nested];
    opening += 2 + 2 * level;
  }
  const text = JSON.stringify(nested, null, 2);
  // What closes the arrays is as long as what opens them, less the innermost indent.
  return text.slice(opening, text.length - opening + 2 * depth);
}

/** The secrets of a deployment as they are printed in it, once for all that share them. */
const printedSecrets = memoizeByObject((secrets: DeploymentView["secrets"]) => printableJson(printed(secrets, 3)));

/** A deployment as it is printed in the list: what {@link printed} would make of it whole. */
function printedDeployment(deployment: DeploymentView): string {
  const fields = Object.entries(deployment).map(([name, value]) => {
    return `      "${name}": ${name === "secrets" ? printedSecrets(deployment.secrets) : printableJson(printed(value, 3))}`;
  });
  return `{\n${fields.join(",\n")}\n    }`;
}

/** `--format json`: one object, whatever the exit status (docs/json.md). */
export function jsonReporter(): Reporter {
  // Printed one by one at the end, since the text of thousands is larger than what it is made from.
  const deployments: DeploymentView[] = [];
  return {
    add(deployment: DeploymentView) {
      deployments.push(deployment);
      return "";
    },
    *end(run: RunView) {
      yield `{\n  "version": 1,\n  "ok": ${run.ok},\n  "summary": ${printed(run.summary, 1)},\n  "deployments": [`;
      for (const [at, deployment] of deployments.entries())
        yield `${at === 0 ? "" : ","}\n    ${printedDeployment(deployment)}`;
      yield deployments.length === 0 ? "]\n}\n" : "\n  ]\n}\n";
    },
  };
}
