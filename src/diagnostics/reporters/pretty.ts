import type { Severity } from "../diagnostic.ts";
import { type FrameLine, FrameSource } from "../frame.ts";
import { joined, ours, plainText, type Shown, shown } from "../../base/shown.ts";
import {
  countFindings,
  type Counts,
  type DeploymentView,
  type DiagnosticView,
  openFindings,
  type RunView,
} from "../view.ts";
import { furtherCommand, placeText, type Reporter, type ReporterOptions, type SourceLookup } from "./reporter.ts";

/** `.env`, `prod.env`, `.env.production`: files whose every value may be a secret. */
const ENV_FILE = /(?:^|\/)(?:\.env(?:\.[^/]*)?|[^/]*\.env)$/;

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** "2 errors, 1 warning, 3 suppressed", leaving out what there is none of; "nothing to report" for none at all. */
export function countsText(counts: Counts): string {
  const found = (["error", "warning", "info"] as const).filter((noun) => counts[`${noun}s`] > 0);
  const open = found.map((noun) => counted(counts[`${noun}s`], noun)).join(", ") || "nothing to report";
  return counts.suppressed === 0 ? open : `${open}, ${counts.suppressed} suppressed`;
}

function frameText(lines: readonly FrameLine[], options: ReporterOptions, severity: Severity): Shown {
  const gutter = String(lines.at(-1)?.number ?? 0).length;
  const { faint } = options.palette;
  let text = "";
  for (const line of lines) {
    const sign = line.marker === null ? " " : ">";
    text += `  ${sign} ${faint(`${String(line.number).padStart(gutter)} |`).text} ${line.text}`.trimEnd() + "\n";
    if (line.marker === null) continue;
    const carets = options.palette[severity]("^".repeat(line.marker.width));
    text += `    ${faint(`${" ".repeat(gutter)} |`).text} ${" ".repeat(line.marker.start)}${carets.text}\n`;
  }
  // A frame is masked and printable as it is drawn.
  return ours(text);
}

function header(diagnostic: DiagnosticView, options: ReporterOptions): Shown {
  const { palette } = options;
  const { severity, message, rule } = diagnostic;
  return shown`${palette.strong(placeText(diagnostic))}  ${palette[severity](severity)}  ${message}  ${palette.faint(rule)}\n`;
}

function footer(diagnostic: DiagnosticView, options: ReporterOptions): Shown {
  const { faint } = options.palette;
  const parts = [shown`    ${faint("help:")} ${diagnostic.help}\n`];
  const command = furtherCommand(diagnostic);
  if (command !== null) parts.push(shown`    ${faint("run:")}  ${command}\n`);
  if (diagnostic.fix !== null) {
    const flag = diagnostic.fix.safety === "safe" ? "--fix" : "--fix=all";
    parts.push(shown`    ${faint("fix:")}  ${diagnostic.fix.title} (\`${flag}\` does it)\n`);
  }
  parts.push(shown`    ${faint(`see ${diagnostic.docs}`)}\n`);
  return joined(parts);
}

/** What `--show-suppressed` lists: each with its reason, and where that is written. */
function suppressedLines({ diagnostics }: DeploymentView, options: ReporterOptions): Shown[] {
  const { strong, faint } = options.palette;
  const listed = diagnostics.flatMap((diagnostic) => {
    const { suppression, severity, message, rule } = diagnostic;
    if (suppression === null) return [];
    const { reason, file, line } = suppression;
    return shown`${strong(placeText(diagnostic))}  suppressed ${severity}  ${message}  ${faint(rule)}\n    ${faint("reason:")} ${reason} (${plainText(`${file}:${line}`)})\n`;
  });
  return listed.length === 0 ? [] : [...listed, ours("\n")];
}

/** "docker, release 0.1.12, boxd": what is known of a deployment, in a few words. */
function traits({ target, release, sandbox }: DeploymentView): Shown {
  const known = [target, release.resolved === null ? null : `release ${release.resolved}`, sandbox.backend];
  return joined(
    known.filter((part) => part !== null),
    ", ",
  );
}

function verdict(deployment: DeploymentView, options: ReporterOptions): Shown {
  const { palette } = options;
  const counts = countFindings([deployment]);
  const known = traits(deployment);
  const mark = deployment.ok ? palette.good("passed") : palette.error("failed");
  const name = palette.strong(plainText(deployment.config));
  return shown`${mark}  ${name}${known.text === "" ? "" : shown` (${known})`}: ${countsText(counts)}\n`;
}

/** `--format pretty`: for people. Code frames never show a value that may be secret. */
export function prettyReporter(options: ReporterOptions): Reporter {
  return {
    add(deployment: DeploymentView, source: SourceLookup) {
      const frames = new Map<string, FrameSource | null>();
      const frameSource = (file: string): FrameSource | null => {
        const known = frames.get(file);
        if (known !== undefined) return known;
        const text = source(file);
        const made = text === undefined ? null : new FrameSource(text, ENV_FILE.test(file) ? "env" : "text");
        frames.set(file, made);
        return made;
      };
      const parts: Shown[] = [];
      for (const diagnostic of openFindings(deployment.diagnostics)) {
        parts.push(header(diagnostic, options));
        const frame = diagnostic.range === null ? null : frameSource(diagnostic.file);
        if (frame !== null && diagnostic.range !== null) {
          const secret = diagnostic.rule.startsWith("secrets/") ? diagnostic.message : null;
          const drawn = frame.frame(diagnostic.range, secret, options.columns);
          parts.push(frameText(drawn, options, diagnostic.severity));
        }
        parts.push(shown`${footer(diagnostic, options)}\n`);
      }
      if (options.showSuppressed) parts.push(...suppressedLines(deployment, options));
      return joined([...parts, verdict(deployment, options)]);
    },
    *end(run: RunView) {
      const { summary } = run;
      if (summary.fixed > 0) yield shown`${options.palette.good("fixed")}   ${counted(summary.fixed, "finding")}\n`;
      if (summary.deployments < 2) return;
      const mark = run.ok ? options.palette.good("passed") : options.palette.error("failed");
      yield shown`\n${mark}  ${counted(summary.deployments, "deployment")}: ${countsText(summary)}\n`;
    },
  };
}
