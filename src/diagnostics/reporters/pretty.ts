import type { Severity } from "../diagnostic.ts";
import { type FrameLine, FrameSource } from "../frame.ts";
import { printable } from "../../base/printable.ts";
import type { DeploymentView, DiagnosticView, RunView, Summary } from "../view.ts";
import { furtherCommand, placeText, type Reporter, type ReporterOptions, type SourceLookup } from "./reporter.ts";

/** `.env`, `prod.env`, `.env.production`: files whose every value may be a secret. */
const ENV_FILE = /(?:^|\/)(?:\.env(?:\.[^/]*)?|[^/]*\.env)$/;

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** "2 errors, 1 warning", leaving out what there is none of; "nothing to report" for none at all. */
export function countsText(counts: Pick<Summary, "errors" | "warnings" | "infos">): string {
  const found = (["error", "warning", "info"] as const).filter((noun) => counts[`${noun}s`] > 0);
  return found.map((noun) => counted(counts[`${noun}s`], noun)).join(", ") || "nothing to report";
}

function frameText(lines: readonly FrameLine[], options: ReporterOptions, severity: Severity): string {
  const gutter = String(lines.at(-1)?.number ?? 0).length;
  const { faint } = options.palette;
  let text = "";
  for (const line of lines) {
    const sign = line.marker === null ? " " : ">";
    text += `  ${sign} ${faint(`${String(line.number).padStart(gutter)} |`)} ${line.text}`.trimEnd() + "\n";
    if (line.marker === null) continue;
    const carets = options.palette[severity]("^".repeat(line.marker.width));
    text += `    ${faint(`${" ".repeat(gutter)} |`)} ${" ".repeat(line.marker.start)}${carets}\n`;
  }
  return text;
}

function header(diagnostic: DiagnosticView, options: ReporterOptions): string {
  const { palette } = options;
  const place = palette.strong(printable(placeText(diagnostic)));
  const label = palette[diagnostic.severity](diagnostic.severity);
  return `${place}  ${label}  ${printable(diagnostic.message)}  ${palette.faint(printable(diagnostic.rule))}\n`;
}

function footer(diagnostic: DiagnosticView, options: ReporterOptions): string {
  const { faint } = options.palette;
  let text = `    ${faint("help:")} ${printable(diagnostic.help)}\n`;
  const command = furtherCommand(diagnostic);
  if (command !== null) text += `    ${faint("run:")}  ${printable(command)}\n`;
  if (diagnostic.fix !== null) {
    const flag = diagnostic.fix.safety === "safe" ? "--fix" : "--fix=all";
    text += `    ${faint("fix:")}  ${printable(diagnostic.fix.title)} (\`${flag}\` does it)\n`;
  }
  return `${text}    ${faint(`see ${printable(diagnostic.docs)}`)}\n`;
}

/** "docker, release 0.1.12, boxd": what is known of a deployment, in a few words. */
function traits(deployment: DeploymentView): string {
  const { target, release, sandbox } = deployment;
  return [target, release.resolved === null ? null : `release ${release.resolved}`, sandbox.backend]
    .filter((part) => part !== null)
    .map(printable)
    .join(", ");
}

function verdict(deployment: DeploymentView, options: ReporterOptions): string {
  const { palette } = options;
  const counts = { errors: 0, warnings: 0, infos: 0 };
  for (const { severity } of deployment.diagnostics) counts[`${severity}s`]++;
  const known = traits(deployment);
  const mark = deployment.ok ? palette.good("passed") : palette.error("failed");
  return `${mark}  ${palette.strong(printable(deployment.config))}${known === "" ? "" : ` (${known})`}: ${countsText(counts)}\n`;
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
      let text = "";
      for (const diagnostic of deployment.diagnostics) {
        text += header(diagnostic, options);
        const frame = diagnostic.range === null ? null : frameSource(diagnostic.file);
        if (frame !== null && diagnostic.range !== null) {
          const secret = diagnostic.rule.startsWith("secrets/");
          text += frameText(frame.frame(diagnostic.range, secret, options.columns), options, diagnostic.severity);
        }
        text += `${footer(diagnostic, options)}\n`;
      }
      return text + verdict(deployment, options);
    },
    *end(run: RunView) {
      const { summary } = run;
      if (summary.fixed > 0) yield `${options.palette.good("fixed")}   ${counted(summary.fixed, "finding")}\n`;
      if (summary.deployments < 2) return;
      const mark = run.ok ? options.palette.good("passed") : options.palette.error("failed");
      yield `\n${mark}  ${counted(summary.deployments, "deployment")}: ${countsText(summary)}\n`;
    },
  };
}
