import { printable } from "../../base/printable.ts";
import { isFailing, type DeploymentView, type DiagnosticView, type RunView } from "../view.ts";
import { helpLine, placeText, type Reporter, type ReporterOptions } from "./reporter.ts";

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function xml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

function line(diagnostic: DiagnosticView): string {
  return xml(`${placeText(diagnostic)}: ${diagnostic.severity}: ${diagnostic.message}; ${helpLine(diagnostic)}`);
}

/** One test case per rule that found something, so that a case keeps its name from run to run. */
function testCase(suite: string, rule: string, found: readonly DiagnosticView[], strict: boolean): string {
  const failing = found.filter((diagnostic) => isFailing(diagnostic.severity, strict));
  const attributes = `classname="${xml(suite)}" name="${xml(rule)}"`;
  const text = found.map(line).join("\n");
  const first = failing[0];
  if (first === undefined)
    return `    <testcase ${attributes}>\n      <system-out>${text}</system-out>\n    </testcase>\n`;
  return `    <testcase ${attributes}>\n      <failure type="${xml(rule)}" message="${xml(first.message)}">${text}</failure>\n    </testcase>\n`;
}

/** `--format junit`: a suite per deployment, a case per rule that found something, one passing case where none did. */
export function junitReporter(options: ReporterOptions): Reporter {
  const suites: string[] = [];
  let tests = 0;
  let failures = 0;
  return {
    add(deployment: DeploymentView) {
      const byRule = new Map<string, DiagnosticView[]>();
      for (const diagnostic of deployment.diagnostics) {
        const found = byRule.get(diagnostic.rule);
        if (found === undefined) byRule.set(diagnostic.rule, [diagnostic]);
        else found.push(diagnostic);
      }
      const cases = [...byRule].map(([rule, found]) => testCase(deployment.config, rule, found, options.strict));
      if (cases.length === 0) cases.push(`    <testcase classname="${xml(deployment.config)}" name="check"/>\n`);
      const failed = [...byRule.values()].filter((found) =>
        found.some(({ severity }) => isFailing(severity, options.strict)),
      ).length;
      tests += cases.length;
      failures += failed;
      suites.push(
        `  <testsuite name="${xml(deployment.config)}" tests="${cases.length}" failures="${failed}">\n${cases.join("")}  </testsuite>\n`,
      );
      return "";
    },
    *end(_run: RunView) {
      yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="qm-deploy" tests="${tests}" failures="${failures}">\n`;
      yield* suites;
      yield "</testsuites>\n";
    },
  };
}
