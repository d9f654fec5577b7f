import { printable } from "../../base/printable.ts";
import type { WorkloadChange } from "./changes.ts";
import type { DeploymentDiff, DiffSide } from "./diff.ts";

/** GitHub refuses comments of more than 65,536 characters; what is above is cut with a word about it. */
const MAX_LENGTH = 60_000;

/** Text of a user as plain text in Markdown: no markup, mention, link or HTML of its own. */
function plain(text: string): string {
  return printable(text).replace(/[&<>@]|[\\`*_{}[\]#+!|~]/g, (character) =>
    /[&<>@]/.test(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`,
  );
}

/** Our own sentences: their backquoted names become code, everything else is plain. */
function sentence(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? code(part.slice(1, -1)) : plain(part)))
    .join("");
}

/** Text as a code span that also holds in a table cell. */
function code(text: string): string {
  const shown = printable(text).replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 || shown === "" || shown.startsWith(" ") || shown.endsWith(" ") ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

function cell(value: string | null): string {
  return value === null ? "" : value === "" ? "*blank*" : code(value);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function side({ named, target, release, backend, errors }: DiffSide): string[] {
  return [
    code(named),
    target ?? "none",
    `qm ${release}`,
    backend === null ? "none" : code(backend),
    errors === 0 ? "0" : `**${errors}**`,
  ];
}

function workloadBlock({ name, change, image, environment }: WorkloadChange): string {
  const rows = environment.map((entry) => [code(entry.name), entry.change, cell(entry.from), cell(entry.to)]);
  if (image !== null) rows.unshift(["image", change, cell(image.from), cell(image.to)]);
  return `#### ${plain(name)}${change === "changed" ? "" : ` (${change})`}\n\n${table(["Name", "", "Before", "After"], rows)}`;
}

function secretRows({ secrets }: DeploymentDiff): string[][] {
  return [
    ...secrets.add.map(({ name, required, reason }) => [
      code(name),
      `add (${required ? "required" : "optional"})`,
      sentence(reason),
    ]),
    ...secrets.retire.map((name) => [code(name), "retire", "nothing uses it any longer"]),
    ...secrets.change.map(({ name, required, addedTo, removedFrom }) => [
      code(name),
      required.from === required.to ? "goes elsewhere" : `now ${required.to ? "required" : "optional"}`,
      [...addedTo.map((place) => `+ ${code(place)}`), ...removedFrom.map((place) => `- ${code(place)}`)].join(", "),
    ]),
  ];
}

/** A diff as Markdown, for a comment on a pull request. Ends with a newline. */
export function diffMarkdown(diff: DeploymentDiff): string {
  const { from, to, same, workloads, artifacts, data, steps } = diff;
  const blocks = [
    "### Deployment changes",
    table(
      ["", "Deployment", "Target", "Release", "Backend", "Errors"],
      [
        ["from", ...side(from)],
        ["to", ...side(to)],
      ],
    ),
  ];
  if (same) blocks.push("Nothing changes.");
  if (data.length > 0)
    blocks.push(["> [!WARNING]", ...data.map(({ message }) => `> - ${sentence(message)}`)].join("\n"));
  if (steps.length > 0) {
    const items = steps.map(
      ({ title, detail, done }) =>
        `- [${done === true ? "x" : " "}] ${sentence(title)}${detail === null ? "" : `<br>${sentence(detail)}`}`,
    );
    blocks.push(["#### What to do", "", ...items].join("\n"));
  }
  const secrets = secretRows(diff);
  if (secrets.length > 0) blocks.push(`#### Secrets\n\n${table(["Name", "", ""], secrets)}`);
  blocks.push(...workloads.map(workloadBlock));
  if (artifacts !== null && artifacts.length > 0) {
    const rows = artifacts.map(({ name, change, linesAdded, linesRemoved }) => [
      code(name),
      change,
      `+${linesAdded} -${linesRemoved}`,
    ]);
    blocks.push(
      `<details><summary>Artifacts (${artifacts.length})</summary>\n\n${table(["File", "", "Lines"], rows)}\n\n</details>`,
    );
  }
  return `${fitting(blocks)}\n`;
}

/** As many whole blocks as fit into a comment. */
function fitting(blocks: readonly string[]): string {
  let text = "";
  for (const block of blocks) {
    if (text.length + block.length > MAX_LENGTH)
      return `${text}\n\nMore changes than a comment holds: run \`qm-deploy diff\` to see all.`;
    text += text === "" ? block : `\n\n${block}`;
  }
  return text;
}
