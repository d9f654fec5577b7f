import { counted } from "../../base/phrase.ts";
import { shellWord } from "../../base/shell-word.ts";
import { joined, ours, plainText, type Shown, shown } from "../../base/shown.ts";
import type { Severity } from "../diagnostic.ts";
import { countFindings, type Counts, type DeploymentView, isFailing, type RunView } from "../view.ts";
import { entriesOf, type Entry } from "./pretty/entries.ts";
import { entryLines, entryText } from "./pretty/entry-text.ts";
import { Frames } from "./pretty/frame-text.ts";
import { placeText, type Reporter, type ReporterOptions } from "./reporter.ts";

/** Failed deployments that are named at the end. */
const NAMED_FAILURES = 50;

/** "2 errors, 1 warning, 3 suppressed", leaving out what there is none of; "nothing to report" for none at all. */
export function countsText(counts: Counts): string {
  const found = (["error", "warning", "info"] as const).filter((noun) => counts[`${noun}s`] > 0);
  const open = found.map((noun) => counted(counts[`${noun}s`], noun)).join(", ") || "nothing to report";
  return counts.suppressed === 0 ? open : `${open}, ${counts.suppressed} suppressed`;
}

/** What `--show-suppressed` lists: each with its reason, and where that is written. */
function* suppressedLines({ deployments }: RunView, { palette }: ReporterOptions): Iterable<Shown> {
  const { strong, faint } = palette;
  let isListed = false;
  for (const diagnostic of deployments.flatMap(({ diagnostics }) => diagnostics)) {
    const { suppression, severity, message, rule } = diagnostic;
    if (suppression === null) continue;
    const { reason, file, line } = suppression;
    yield shown`${strong(placeText(diagnostic))}  suppressed ${severity}  ${message}  ${faint(rule)}\n    ${faint("reason:")} ${reason} (${plainText(`${file}:${line}`)})\n`;
    isListed = true;
  }
  if (isListed) yield ours("\n");
}

/** "docker, release 0.1.12, boxd": what is known of a deployment, in a few words. */
function traits({ target, release, sandbox }: DeploymentView): Shown {
  const known = [target, release.resolved === null ? null : `release ${release.resolved}`, sandbox.backend];
  return joined(
    known.filter((part) => part !== null),
    ", ",
  );
}

function verdict(ok: boolean, { palette }: ReporterOptions): Shown {
  return ok ? palette.good("passed") : palette.error("failed");
}

/** The one line that ends a report on one deployment. */
function deploymentVerdict(deployment: DeploymentView, options: ReporterOptions): Shown {
  const known = traits(deployment);
  const name = options.palette.strong(plainText(deployment.config));
  const about = known.text === "" ? name : shown`${name} (${known})`;
  return shown`${verdict(deployment.ok, options)}  ${about}: ${countsText(countFindings([deployment]))}\n`;
}

/** A deployment that failed among others: how much is wrong with it, and the place to begin at. */
function failureLine(deployment: DeploymentView, options: ReporterOptions): Shown {
  const failing = deployment.diagnostics.filter((diagnostic) => isFailing(diagnostic, options.strict));
  const first = failing.find(({ severity }) => severity === "error") ?? failing[0];
  const isNamed = first === undefined || (first.range === null && first.file === deployment.config);
  const place = isNamed ? "" : shown`, first at ${placeText(first)}`;
  const name = options.palette.strong(plainText(deployment.config));
  return shown`${verdict(false, options)}  ${name}: ${countsText(countFindings([deployment]))}${place}\n`;
}

/** What ends a report: the deployments that failed by name, and the one line that says whether any did. */
function* closing({ ok, summary, deployments }: RunView, options: ReporterOptions): Iterable<Shown> {
  if (summary.fixed > 0) yield shown`${options.palette.good("fixed")}   ${counted(summary.fixed, "finding")}\n`;
  const [only] = deployments;
  if (only !== undefined && deployments.length === 1) {
    yield deploymentVerdict(only, options);
    return;
  }
  const failed = deployments.filter((deployment) => !deployment.ok);
  for (const deployment of failed.slice(0, NAMED_FAILURES)) yield failureLine(deployment, options);
  if (failed.length > NAMED_FAILURES)
    yield shown`${verdict(false, options)}  and ${failed.length - NAMED_FAILURES} more\n`;
  if (options.isPart) return;
  const all = counted(summary.deployments, "deployment");
  yield shown`${verdict(ok, options)}  ${ok ? all : `${failed.length} of ${all}`}: ${countsText(summary)}\n`;
}

/** Where to run what findings say to run, where that is not here; an info on one line says nothing to run. */
function whereToRun(entries: readonly Entry[], { detail, palette: { faint } }: ReporterOptions): Shown {
  const all = entries.flatMap(({ first, more }) => [first, ...more]);
  const elsewhere = all.find(
    ({ deployment: { config }, diagnostic: { command, severity } }) =>
      config.includes("/") && command?.startsWith("qm-deploy ") === true && (detail === "all" || severity !== "info"),
  )?.deployment.config;
  if (elsewhere === undefined) return ours("");
  const directory = shellWord(elsewhere.slice(0, elsewhere.lastIndexOf("/")) || "/");
  return shown`${faint("where to run commands: ")}in the deployment's directory, as after cd ${plainText(directory)}\n`;
}

/** How to learn more, said once: of one rule that was shown, and of what was left out. */
function hints(entries: readonly Entry[], options: ReporterOptions): Shown {
  const { detail, inFull } = options;
  const { faint } = options.palette;
  const rule = entries[0]?.first.diagnostic.rule;
  if (rule === undefined || detail === "quiet") return ours("");
  const isShort = entries.some(({ first, more }) => first.diagnostic.severity === "info" || more.length > 0);
  const all = isShort && detail !== "all" ? shown`${faint("everything in full: ")}${ours(inFull)}\n` : "";
  return shown`${whereToRun(entries, options)}${faint("why a rule is there: ")}qm-deploy explain ${rule}\n${all}\n`;
}

/**
 * `--format pretty`: for people. The gravest comes first, findings that say the same once, infos on a line each, and last what
 * failed. Code frames never show a value that may be secret.
 */
export function prettyReporter(options: ReporterOptions): Reporter {
  const { detail, strict, showSuppressed } = options;
  const failing: readonly Severity[] = strict ? ["error", "warning"] : ["error"];
  return function* report(run, source) {
    const frames = new Frames(source, options);
    const entries = (severity: Severity): readonly Entry[] =>
      detail === "quiet" && !failing.includes(severity) ? [] : entriesOf(run.deployments, severity, detail === "all");
    const full = [...entries("error"), ...entries("warning")];
    const infos = entries("info");
    for (const entry of full) yield entryText(entry, frames, options);
    for (const entry of infos) yield detail === "all" ? entryText(entry, frames, options) : entryLines(entry, options);
    if (infos.length > 0 && detail !== "all") yield ours("\n");
    if (showSuppressed) yield* suppressedLines(run, options);
    yield hints([...full, ...infos], options);
    yield* closing(run, options);
  };
}
