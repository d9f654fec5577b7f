import { dirname } from "node:path";
import { code, plain, sentence, table } from "../base/markdown.ts";
import { counted } from "../base/phrase.ts";
import { joined, ours, type Piece, plainText, type Shown, shown } from "../base/shown.ts";
import { type DeploymentView, type DiagnosticView, openFindings, type RunView } from "../diagnostics/view.ts";
import { countsText } from "../diagnostics/reporters/pretty.ts";
import { helpLine } from "../diagnostics/reporters/reporter.ts";
import { diffMarkdown } from "../views/diff/markdown.ts";
import type { Change, Changes } from "./changes.ts";
import type { Drift } from "./drift.ts";
import type { Links } from "./links.ts";
import type { Pictures } from "./pictures.ts";

/** What a run came to. */
export interface ActionResult {
  /** With what `render --check` found among the findings. */
  readonly run: RunView;
  /** By config; null where nothing was compared. */
  readonly drift: ReadonlyMap<string, Drift> | null;
  readonly changes: Changes | null;
  readonly pictures: Pictures;
}

/** GitHub drops a summary of more than 1 MiB as a whole. */
const MAX_BYTES = 1_000_000;

/** A longer table helps nobody; the command line shows all. */
const MAX_ROWS = 50;

/** Deployments that pass fill no screen: more of them are folded away. */
const MAX_PASSED = 20;

/** A table of more verdicts would leave no room for what is wrong. */
const MAX_VERDICTS = 500;

const MARKS = { error: "❌ error", warning: "⚠️ warning", info: "info" } as const;

const DRIFT: { readonly [state in Drift["state"]]: string } = {
  current: "up to date",
  drifted: "**not up to date**",
  refused: "**incomplete**",
  unknown: "not compared",
};

const CHANGE: { readonly [state in Change["state"]]: string } = {
  changed: "changes",
  same: "nothing",
  new: "new deployment",
  unread: "not readable",
};

function nameOf({ config }: Pick<DeploymentView, "config">): Shown {
  const directory = dirname(config);
  return code(plainText(directory === "." ? config : directory));
}

function folded(title: Piece, content: Shown): Shown {
  return shown`<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

function verdictTable(all: readonly DeploymentView[], { drift, changes }: ActionResult): Shown {
  const compared = changes !== null && "base" in changes ? changes : null;
  const head: Piece[] = ["", "Deployment", "Target", "Errors", "Warnings", "Infos"];
  if (drift !== null) head.push("Rendered files");
  if (compared !== null) head.push(shown`Since ${code(plainText(compared.base))}`);
  const rows = all.map((deployment): Piece[] => {
    const { ok, config, target, diagnostics } = deployment;
    const count = (severity: string): number =>
      openFindings(diagnostics).filter((diagnostic) => diagnostic.severity === severity).length;
    const counts = ["error", "warning", "info"].map((severity) => count(severity));
    const row: Piece[] = [ours(ok ? "✅ passed" : "❌ failed"), nameOf(deployment), target ?? "none", ...counts];
    const state = drift?.get(config)?.state;
    if (drift !== null) row.push(ours(DRIFT[state ?? "unknown"]));
    if (compared !== null) row.push(ours(CHANGE[compared.byConfig.get(config)?.state ?? "unread"]));
    return row;
  });
  return table(head, rows);
}

/** The first of them, and how many more there are. */
function someVerdicts(all: readonly DeploymentView[], result: ActionResult): Shown {
  const shownTable = verdictTable(all.slice(0, MAX_VERDICTS), result);
  return all.length <= MAX_VERDICTS ? shownTable : shown`${shownTable}\n\n${moreText(all.length - MAX_VERDICTS)}`;
}

function moreText(count: number): string {
  return `${count} more: run \`qm-deploy check\` to see all.`;
}

function verdicts(result: ActionResult): Shown[] {
  const { deployments } = result.run;
  const passed = deployments.filter(({ ok }) => ok);
  if (passed.length <= MAX_PASSED) return [someVerdicts(deployments, result)];
  const failed = deployments.filter(({ ok }) => !ok);
  return [
    ...(failed.length === 0 ? [] : [someVerdicts(failed, result)]),
    folded(`${passed.length} deployments passed`, someVerdicts(passed, result)),
  ];
}

function findingRow(diagnostic: DiagnosticView, directory: string, links: Links): Piece[] {
  const { severity, message, rule, suppression } = diagnostic;
  const rest =
    suppression === null
      ? sentence(helpLine(diagnostic))
      : shown`suppressed in ${code(plainText(`${suppression.file}:${suppression.line}`))}: ${plain(suppression.reason)}`;
  return [
    ours(MARKS[severity]),
    links.place(diagnostic, directory),
    shown`**${sentence(message)}**<br>${rest}<br>${links.rule(rule)}`,
  ];
}

function findingTable(found: readonly DiagnosticView[], directory: string, links: Links): Shown {
  const rows = found.slice(0, MAX_ROWS).map((diagnostic) => findingRow(diagnostic, directory, links));
  const all = table(["", "Where", "What is wrong, and what to do"], rows);
  const rest = found.length - rows.length;
  return rest === 0 ? all : shown`${all}\n\n${moreText(rest)}`;
}

/** The findings of a deployment, the gravest first; what fails nothing is folded away. */
function findingBlocks(deployment: DeploymentView, links: Links): Shown[] {
  const open = openFindings(deployment.diagnostics);
  const of = (severity: string): DiagnosticView[] => open.filter((diagnostic) => diagnostic.severity === severity);
  const grave = [...of("error"), ...of("warning")];
  const infos = of("info");
  const suppressed = deployment.diagnostics.filter(({ suppression }) => suppression !== null);
  const tableOf = (found: readonly DiagnosticView[]): Shown => findingTable(found, dirname(deployment.config), links);
  const blocks: Shown[] = [];
  if (grave.length > 0) blocks.push(tableOf(grave));
  if (infos.length > 0) blocks.push(folded(counted(infos.length, "info"), tableOf(infos)));
  if (suppressed.length > 0) blocks.push(folded(`${suppressed.length} suppressed`, tableOf(suppressed)));
  if (blocks.length > 0) blocks.unshift(shown`### ${nameOf(deployment)}`);
  return blocks;
}

/** What the base has and this commit has not. */
function removedBlocks({ changes }: ActionResult): Shown[] {
  if (changes === null || !("base" in changes) || changes.removed.length === 0) return [];
  const names = changes.removed.map((config) => nameOf({ config }));
  return [
    shown`> [!WARNING]\n> Removed since ${code(plainText(changes.base))}: ${joined(names, ", ")}. What was deployed from it still runs, until somebody takes it down.`,
  ];
}

function changeBlocks({ run, changes }: ActionResult): Shown[] {
  if (changes === null) return [];
  if ("missing" in changes)
    return [shown`> [!NOTE]\n> Nothing was compared with the base: ${sentence(changes.missing)}.`];
  return run.deployments.flatMap((deployment) => {
    const diff = changes.byConfig.get(deployment.config)?.diff;
    return diff == null || diff.same ? [] : [diffMarkdown(diff, shown`What changes in ${nameOf(deployment)}`)];
  });
}

/** Last, as the first to go where a summary grows too long. */
function pictureBlocks({ pictures }: ActionResult): Shown[] {
  return [...pictures].map(([config, mermaid]) => {
    const title = "Who calls whom, what is kept where, which secrets go where, and on what agents work";
    return shown`### ${nameOf({ config })} as a picture\n\n${folded(title, shown`\`\`\`mermaid\n${mermaid}\`\`\``)}`;
  });
}

/** As many whole blocks as GitHub takes, and a word where there are more. */
function fitting(blocks: readonly Shown[]): Shown {
  const fit: Shown[] = [];
  let bytes = 0;
  for (const block of blocks) {
    bytes += Buffer.byteLength(block.text) + 2;
    if (bytes > MAX_BYTES) {
      fit.push(ours("There is more than a summary holds: run `qm-deploy check` to see all."));
      break;
    }
    fit.push(block);
  }
  return joined(fit, ours("\n\n"));
}

/** The summary of a step as Markdown: verdict, findings by deployment, what changes and what to do. Ends with a newline. */
export function summaryText(result: ActionResult, links: Links): Shown {
  const { run } = result;
  // Those that fail are what a reader came for.
  const sorted = [...run.deployments].sort((a, b) => Number(a.ok) - Number(b.ok));
  const title = run.ok ? "✅ qm-deploy: passed" : "❌ qm-deploy: failed";
  const counts = `${countsText(run.summary)} in ${counted(run.summary.deployments, "deployment")}`;
  const blocks = [
    ours(`## ${title}`),
    ours(`${counts}.`),
    ...verdicts({ ...result, run: { ...run, deployments: sorted } }),
    ...removedBlocks(result),
    ...sorted.flatMap((deployment) => findingBlocks(deployment, links)),
    ...changeBlocks(result),
    ...pictureBlocks(result),
  ];
  return shown`${fitting(blocks)}\n`;
}
