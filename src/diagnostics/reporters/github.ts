import { printable } from "../../base/printable.ts";
import type { DiagnosticView, RunView } from "../view.ts";
import { helpLine, placeText, type Reporter, type ReporterOptions } from "./reporter.ts";

const COMMANDS = { error: "error", warning: "warning", info: "notice" } as const;

/** GitHub shows this many annotations of a kind per step and drops the others without a word. */
const SHOWN_PER_KIND = 10;

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function annotation(diagnostic: DiagnosticView, prefix: string): string {
  const { file, range, rule, severity, message } = diagnostic;
  const properties = [`file=${property(printable(prefix + file))}`];
  if (range !== null) {
    properties.push(`line=${range.start.line}`, `endLine=${range.end.line}`, `col=${range.start.column}`);
    if (range.start.line === range.end.line) properties.push(`endColumn=${range.end.column}`);
  }
  properties.push(`title=${property(printable(rule))}`);
  return `::${COMMANDS[severity]} ${properties.join(",")}::${data(`${printable(message)}\n${printable(helpLine(diagnostic))}`)}\n`;
}

function logLine(diagnostic: DiagnosticView, prefix: string): string {
  return `${diagnostic.severity}: ${printable(prefix + placeText(diagnostic))}: ${printable(diagnostic.message)} (${printable(diagnostic.rule)})\n`;
}

/** `--format github`: workflow annotations, the gravest first, and plain lines for those that GitHub would drop. */
export function githubReporter(options: ReporterOptions): Reporter {
  return {
    *end(run: RunView) {
      const found = run.deployments.flatMap(({ diagnostics }) => diagnostics);
      for (const severity of ["error", "warning", "info"] as const) {
        const same = found.filter((diagnostic) => diagnostic.severity === severity);
        for (const diagnostic of same.slice(0, SHOWN_PER_KIND)) yield annotation(diagnostic, options.filePrefix);
        const rest = same.slice(SHOWN_PER_KIND);
        if (rest.length === 0) continue;
        yield `${rest.length} more of severity ${severity} without an annotation (GitHub shows ${SHOWN_PER_KIND} per step):\n`;
        for (const diagnostic of rest) yield logLine(diagnostic, options.filePrefix);
      }
      const { deployments, errors, warnings, infos } = run.summary;
      yield `${run.ok ? "passed" : "failed"}: deployments ${deployments}, errors ${errors}, warnings ${warnings}, infos ${infos}\n`;
    },
  };
}
