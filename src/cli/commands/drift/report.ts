import { code, plain, sentence, table } from "../../../base/markdown.ts";
import { joined, ours, type Piece, plainText, type Shown, shown } from "../../../base/shown.ts";
import { counted } from "../../../base/phrase.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { Palette } from "../../../diagnostics/reporters/reporter.ts";
import { diagnosticView } from "../../../diagnostics/view.ts";
import type { DriftFinding } from "../../../live/findings.ts";
import { unitText } from "../../../live/message.ts";
import { deploymentView } from "../../../views/deployment-view.ts";
import { type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { deploymentHead, paletteFor, printError, printJson } from "../../output.ts";
import { printDiagnostics } from "../../reporting.ts";
import { saidOnce } from "../render/report.ts";
import type { Compared } from "./compare.ts";

/** What a run of `drift` came to. */
export interface DriftReport {
  readonly deployment: Deployment;
  /** Where the rendered files are, relative to the working directory. */
  readonly directory: string;
  /** Errors of `check` that leave nothing to compare with. */
  readonly blocking: readonly Diagnostic[];
  /** Null where nothing was compared. */
  readonly compared: Compared | null;
}

/** Prints what differs; what kept something from being compared goes to stderr, for people. */
export async function reportDrift(invocation: Invocation, report: DriftReport): Promise<void> {
  const { io } = invocation;
  if (wantsJson(invocation)) return void printJson(io, driftJson(report));
  const { deployment, blocking, compared } = report;
  await printDiagnostics(io, deployment, [...blocking, ...saidOnce(compared?.refusals ?? [])]);
  if (compared === null) return printError(io, "nothing was compared", "`qm-deploy check` has what stands in the way");
  const isMarkdown = textOption(invocation, "format") === "markdown";
  io.stdout.write(
    isMarkdown ? driftMarkdown(report, compared) : driftText(report, compared, await paletteFor(io, io.stdout)),
  );
}

/** What `--format json` says; see docs/json.md. */
function driftJson({ deployment, directory, blocking, compared }: DriftReport): object {
  return {
    ...deploymentHead(deployment),
    ok: compared !== null && compared.findings.length === 0 && compared.refusals.length === 0,
    directory,
    rendered: compared === null ? null : compared.isRendered ? "current" : "stale",
    findings: compared === null ? null : compared.findings.map(findingJson),
    refusals: (compared?.refusals ?? []).map((refusal) => ({ artifact: refusal.artifact, ...diagnosticView(refusal) })),
    diagnostics: deploymentView(deployment, blocking, false).diagnostics,
  };
}

function findingJson({ message, commands, ...difference }: DriftFinding): object {
  const { units, isPartial, ...rest } = difference;
  return { ...rest, units: units.map(unitText), partial: isPartial, message, commands: commands.map(plainText) };
}

/** Findings one after the other that the same commands settle. */
function groups(findings: readonly DriftFinding[]): readonly (readonly [DriftFinding, ...DriftFinding[]])[] {
  const all: [DriftFinding, ...DriftFinding[]][] = [];
  for (const finding of findings) {
    const last = all.at(-1);
    const isSame = last !== undefined && last[0].workload === finding.workload && sameCommands(last[0], finding);
    if (isSame) last.push(finding);
    else all.push([finding]);
  }
  return all;
}

function sameCommands({ commands: a }: DriftFinding, { commands: b }: DriftFinding): boolean {
  return a.join("\n") === b.join("\n");
}

/** The commands of all findings, each once: some settle several. */
function allCommands(findings: readonly DriftFinding[]): readonly string[] {
  return [...new Set(findings.flatMap(({ commands }) => commands))];
}

function driftText({ directory }: DriftReport, { findings, isRendered }: Compared, palette: Palette): Shown {
  const blocks = groups(findings).map((group) => {
    const lines = group.map(({ workload, message }) => shown`${palette.strong(workload)}: ${message}\n`);
    const run = group[0].commands.map((command) => shown`  run: ${plainText(command)}\n`);
    return joined([...lines, ...run]);
  });
  return joined([
    ...blocks,
    ...staleNote(directory, isRendered, (text) => shown`info: ${text}\n`),
    verdict(findings, palette),
  ]);
}

function verdict(findings: readonly DriftFinding[], palette: Palette): Shown {
  if (findings.length === 0) return shown`${palette.good("passed")}  what runs is what is rendered\n`;
  return shown`${palette.error("drift")}  ${extent(findings)}\n`;
}

function extent(findings: readonly DriftFinding[]): string {
  const workloads = new Set(findings.map(({ workload }) => workload)).size;
  return `${counted(findings.length, "difference")} in ${counted(workloads, "workload")}`;
}

function staleNote(directory: string, isRendered: boolean, line: (text: Piece) => Shown): readonly Shown[] {
  return isRendered
    ? []
    : [
        line(
          shown`${plainText(directory)} is not what the config says, which is what was compared with; \`qm-deploy render\` writes it`,
        ),
      ];
}

function driftMarkdown({ deployment, directory }: DriftReport, { findings, isRendered }: Compared): Shown {
  const title = shown`### Drift of ${plain(deployment.config.orgId ?? "the deployment")} on ${deployment.target ?? "no target"}`;
  const note = staleNote(directory, isRendered, (text) => shown`> [!NOTE]\n> ${sentence(text)}`);
  const rows = findings.map(({ workload, message }) => [code(workload), sentence(message)]);
  const commands = joined(allCommands(findings).map(plainText), ours("\n"));
  const blocks =
    findings.length === 0
      ? [title, ours("What runs is what is rendered."), ...note]
      : [
          ...[title, ours(`${extent(findings)}.`), ...note, table(["Workload", "Difference"], rows)],
          ours("What brings the two together, from the deployment directory:"),
          shown`\`\`\`sh\n${commands}\n\`\`\``,
        ];
  return shown`${joined(blocks, ours("\n\n"))}\n`;
}
