import { foreign, joined, ours, plainText, type Piece, type Shown, shown } from "../../base/shown.ts";
import { isFailing, type DeploymentView, type DiagnosticView, openFindings, type RunView } from "../view.ts";
import { helpLine, placeText, type Reporter, type ReporterOptions } from "./reporter.ts";

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function xml(piece: Piece): Shown {
  return ours(foreign(piece).text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string));
}

function line(diagnostic: DiagnosticView): Shown {
  return xml(shown`${placeText(diagnostic)}: ${diagnostic.severity}: ${diagnostic.message}; ${helpLine(diagnostic)}`);
}

/** One test case per rule that found something, so that a case keeps its name from run to run. */
function testCase(suite: Shown, rule: string, found: readonly DiagnosticView[], strict: boolean): Shown {
  const failing = found.filter((diagnostic) => isFailing(diagnostic, strict));
  const attributes = shown`classname="${suite}" name="${xml(rule)}"`;
  const text = joined(found.map(line), ours("\n"));
  const first = failing[0];
  if (first === undefined)
    return shown`    <testcase ${attributes}>\n      <system-out>${text}</system-out>\n    </testcase>\n`;
  return shown`    <testcase ${attributes}>\n      <failure type="${xml(rule)}" message="${xml(first.message)}">${text}</failure>\n    </testcase>\n`;
}

function testSuite({ config, diagnostics }: DeploymentView, strict: boolean) {
  const suite = xml(plainText(config));
  const found = openFindings(diagnostics);
  const rules = [...new Set(found.map(({ rule }) => rule))];
  const cases = rules.map((rule) => {
    const same = found.filter((diagnostic) => diagnostic.rule === rule);
    return testCase(suite, rule, same, strict);
  });
  if (cases.length === 0) cases.push(shown`    <testcase classname="${suite}" name="check"/>\n`);
  const failing = found.filter((diagnostic) => isFailing(diagnostic, strict));
  const [tests, failures] = [cases.length, new Set(failing.map(({ rule }) => rule)).size];
  const attributes = shown`name="${suite}" tests="${tests}" failures="${failures}"`;
  return { tests, failures, text: shown`  <testsuite ${attributes}>\n${joined(cases)}  </testsuite>\n` };
}

/** `--format junit`: a suite per deployment, a case per rule that found something, one passing case where none did. */
export function junitReporter({ strict }: ReporterOptions): Reporter {
  return function* report({ deployments }: RunView) {
    const suites = deployments.map((deployment) => testSuite(deployment, strict));
    const tests = suites.reduce((sum, suite) => sum + suite.tests, 0);
    const failures = suites.reduce((sum, suite) => sum + suite.failures, 0);
    yield shown`<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="qm-deploy" tests="${tests}" failures="${failures}">\n`;
    yield* suites.map(({ text }) => text);
    yield ours("</testsuites>\n");
  };
}
