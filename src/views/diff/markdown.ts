import { code, plain, sentence, table } from "../../base/markdown.ts";
import { joined, ours, type Piece, plainText, type Shown, shown } from "../../base/shown.ts";
import type { WorkloadChange } from "./changes.ts";
import type { DeploymentDiff, DiffSide } from "./diff.ts";
import type { SuppressionEntry } from "./suppressions.ts";

/** GitHub refuses comments of more than 65,536 characters; what is above is cut with a word about it. */
const MAX_LENGTH = 60_000;

function cell(value: string | null): Piece {
  return value === null ? "" : value === "" ? "*blank*" : code(value);
}

function side({ named, target, release, backend, errors }: DiffSide): Piece[] {
  return [
    code(plainText(named)),
    target ?? "none",
    `qm ${release}`,
    backend === null ? "none" : code(backend),
    errors === 0 ? "0" : `**${errors}**`,
  ];
}

function workloadBlock({ name, change, image, environment }: WorkloadChange): Shown {
  const rows = environment.map(({ name: key, change: how, formerName, from, to }) => [
    code(key),
    formerName === null ? how : shown`was ${code(formerName)}`,
    cell(from),
    cell(to),
  ]);
  if (image !== null) rows.unshift(["image", change, cell(image.from), cell(image.to)]);
  return shown`#### ${plain(name)}${change === "changed" ? "" : ` (${change})`}\n\n${table(["Name", "", "Before", "After"], rows)}`;
}

function secretRows({ secrets }: DeploymentDiff): Piece[][] {
  return [
    ...secrets.add.map(({ name, required, reason }) => [
      code(name),
      `add (${required ? "required" : "optional"})`,
      sentence(reason),
    ]),
    ...secrets.retire.map((name) => [code(name), "retire", "nothing uses it any longer"]),
    ...secrets.change.map(({ name, required, addedTo, removedFrom }) => {
      const places = [
        ...addedTo.map((place) => shown`+ ${code(place)}`),
        ...removedFrom.map((place) => shown`- ${code(place)}`),
      ];
      const turned = required.from === required.to ? "goes elsewhere" : `now ${required.to ? "required" : "optional"}`;
      return [code(name), turned, joined(places, ", ")];
    }),
  ];
}

/** What others have to say in the Markdown of a diff. */
export interface MarkdownMore {
  /** Sentences beside what is at stake. */
  readonly stakes?: readonly string[];
  /** Blocks that follow it. */
  readonly blocks?: readonly Shown[];
}

/** A diff as Markdown, for a comment on a pull request or a part of a summary. Ends with a newline. */
export function diffMarkdown(
  diff: DeploymentDiff,
  title: Piece = "Deployment changes",
  { stakes = [], blocks: more = [] }: MarkdownMore = {},
): Shown {
  const { from, to, same, workloads, artifacts, data, steps } = diff;
  const blocks: Shown[] = [
    shown`### ${title}`,
    table(
      ["", "Deployment", "Target", "Release", "Backend", "Errors"],
      [
        ["from", ...side(from)],
        ["to", ...side(to)],
      ],
    ),
  ];
  const stacked = (all: readonly Piece[]): Shown => joined(all, ours("\n"));
  if (same) blocks.push(ours("Nothing changes."));
  const warnings = [...data.map(({ message }) => message), ...stakes];
  if (warnings.length > 0)
    blocks.push(stacked(["> [!WARNING]", ...warnings.map((message) => shown`> - ${sentence(message)}`)]));
  blocks.push(...more);
  if (steps.length > 0) {
    const items = steps.map(
      ({ title, detail, commands, done }) =>
        shown`- [${done === true ? "x" : " "}] ${joined([sentence(title), ...(detail === null ? [] : [sentence(detail)]), ...commands.map((command) => code(command))], ours("<br>"))}`,
    );
    blocks.push(stacked(["#### What to do", "", ...items]));
  }
  const secrets = secretRows(diff);
  if (secrets.length > 0) blocks.push(shown`#### Secrets\n\n${table(["Name", "", ""], secrets)}`);
  blocks.push(...workloads.map(workloadBlock));
  const suppressed = suppressionRows(diff);
  if (suppressed.length > 0)
    blocks.push(shown`#### Suppressions\n\n${table(["Rule", "", "Reason", "Where"], suppressed)}`);
  if (artifacts !== null && artifacts.length > 0) {
    const rows = artifacts.map(({ name, change, linesAdded, linesRemoved }) => [
      code(name),
      change,
      `+${linesAdded} -${linesRemoved}`,
    ]);
    blocks.push(
      shown`<details><summary>Artifacts (${artifacts.length})</summary>\n\n${table(["File", "", "Lines"], rows)}\n\n</details>`,
    );
  }
  return shown`${fitting(blocks)}\n`;
}

function suppressionRows({ suppressions: { added, removed } }: DeploymentDiff): (readonly Piece[])[] {
  const row = (change: string, { rule, path, reason, file, line }: SuppressionEntry): readonly Piece[] => [
    code(rule),
    change,
    plain(reason),
    code(plainText(path ?? `${file}:${line}`)),
  ];
  return [...added.map((one) => row("added", one)), ...removed.map((one) => row("removed", one))];
}

/** As many whole blocks as fit into a comment. */
function fitting(blocks: readonly Shown[]): Shown {
  const fit: Shown[] = [];
  let length = 0;
  for (const block of blocks) {
    if (length + block.text.length > MAX_LENGTH) {
      fit.push(ours("More changes than a comment holds: run `qm-deploy diff` to see all."));
      break;
    }
    fit.push(block);
    length += block.text.length;
  }
  return joined(fit, ours("\n\n"));
}
