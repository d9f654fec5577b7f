import { foreign, ours, type Piece, plainText, type Shown, shown } from "../../base/shown.ts";
import { type DiagnosticView, openFindings, type RunView } from "../view.ts";
import { helpLine, placeText, type Reporter, type ReporterOptions } from "./reporter.ts";

const COMMANDS = { error: "error", warning: "warning", info: "notice" } as const;

/** GitHub shows this many annotations of a kind per step and drops the others without a word. */
const SHOWN_PER_KIND = 10;

/** As the runner reads the text of an annotation; a message's own `::` and marks do nothing there, once its line has begun. */
function data(piece: Piece): Shown {
  return ours(foreign(piece).text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

function property(piece: Piece): Shown {
  return ours(data(piece).text.replaceAll(":", "%3A").replaceAll(",", "%2C"));
}

/** An error that is about no file. */
export function fault(message: Shown): Shown {
  return shown`::error title=qm-deploy::${data(message)}\n`;
}

function annotation(diagnostic: DiagnosticView): Shown {
  const { file, range, rule, severity, message } = diagnostic;
  let properties = shown`file=${property(plainText(file))}`;
  if (range !== null) {
    const { start, end } = range;
    properties = shown`${properties},line=${start.line},endLine=${end.line},col=${start.column}`;
    if (start.line === end.line) properties = shown`${properties},endColumn=${end.column}`;
  }
  const text = shown`${message}\n${helpLine(diagnostic)}`;
  return shown`::${COMMANDS[severity]} ${properties},title=${property(rule)}::${data(text)}\n`;
}

function logLine(diagnostic: DiagnosticView): Shown {
  const { severity, message, rule } = diagnostic;
  return shown`${severity}: ${placeText(diagnostic)}: ${message} (${rule})\n`;
}

/** `--format github`: workflow annotations, the gravest first, and plain lines for those that GitHub would drop. */
export function githubReporter(options: ReporterOptions): Reporter {
  return function* report(run: RunView) {
    const found = run.deployments
      .flatMap(({ diagnostics }) => openFindings(diagnostics))
      .map((diagnostic) => ({ ...diagnostic, file: options.fileName(diagnostic.file) }));
    for (const severity of ["error", "warning", "info"] as const) {
      const same = found.filter((diagnostic) => diagnostic.severity === severity);
      for (const diagnostic of same.slice(0, SHOWN_PER_KIND)) yield annotation(diagnostic);
      const rest = same.slice(SHOWN_PER_KIND);
      if (rest.length === 0) continue;
      yield shown`${rest.length} more of severity ${severity} without an annotation (GitHub shows ${SHOWN_PER_KIND} per step):\n`;
      for (const diagnostic of rest) yield logLine(diagnostic);
    }
    const { deployments, errors, warnings, infos, suppressed } = run.summary;
    yield shown`${run.ok ? "passed" : "failed"}: deployments ${deployments}, errors ${errors}, warnings ${warnings}, infos ${infos}, suppressed ${suppressed}\n`;
  };
}
