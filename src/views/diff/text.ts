import { printable } from "../../base/printable.ts";
import type { Palette } from "../../diagnostics/reporters/reporter.ts";
import type { Change, WorkloadChange } from "./changes.ts";
import type { DeploymentDiff, DiffSide } from "./diff.ts";
import type { Step } from "./steps.ts";

const MARKS: { readonly [change in Change]: string } = { added: "+", removed: "-", changed: "~" };

function side({ named, target, release, backend, errors }: DiffSide): string {
  const faults = errors === 0 ? "" : `, ${errors} ${errors === 1 ? "error" : "errors"}: see \`qm-deploy check\``;
  return `${named} (${target ?? "no target"}, qm ${release}, backend ${backend ?? "none"}${faults})`;
}

function quoted(value: string | null): string {
  return value === null ? "none" : value === "" ? '""' : value;
}

function workloadLines({ name, change, image, environment }: WorkloadChange, paint: Palette): string[] {
  const by = { added: paint.good, removed: paint.error, changed: paint.warning };
  const lines = environment.map((entry) => {
    const value =
      entry.change === "changed" ? `${quoted(entry.from)} -> ${quoted(entry.to)}` : quoted(entry.to ?? entry.from);
    return by[entry.change](printable(`    ${MARKS[entry.change]} ${entry.name}=${value}`));
  });
  const shownImage =
    image === null
      ? ""
      : image.from === null || image.to === null
        ? quoted(image.to ?? image.from)
        : `${image.from} -> ${image.to}`;
  const images = image === null ? [] : [by[change](printable(`    ${MARKS[change]} image: ${shownImage}`))];
  return [printable(`  ${MARKS[change]} ${name}`), ...images, ...lines];
}

/** One step with its number: `[x]` where the new config has it already. */
function stepLines({ title, detail, done }: Step, number: number): string[] {
  const line = `  ${String(number).padStart(2)}. [${done === true ? "x" : " "}] ${title}`;
  return [printable(line), ...(detail === null ? [] : [printable(`          ${detail}`)])];
}

function secretLines({ secrets }: DeploymentDiff, paint: Palette): string[] {
  return [
    ...secrets.add.map(({ name, required, reason }) =>
      paint.good(printable(`  + ${name} (${required ? "required" : "optional"}): ${reason}`)),
    ),
    ...secrets.retire.map((name) => paint.error(printable(`  - ${name}: nothing uses it any longer`))),
    ...secrets.change.map(({ name, required, addedTo, removedFrom }) => {
      const turned = required.from === required.to ? [] : [`now ${required.to ? "required" : "optional"}`];
      const places = [...addedTo.map((place) => `+${place}`), ...removedFrom.map((place) => `-${place}`)];
      return paint.warning(printable(`  ~ ${name}: ${[...turned, ...places].join(", ")}`));
    }),
  ];
}

/** A diff for people. Ends with a newline. */
export function diffText(diff: DeploymentDiff, paint: Palette): string {
  const { from, to, same, workloads, artifacts, data, steps } = diff;
  const sections: (readonly [title: string, lines: readonly string[]])[] = [
    ["workloads", workloads.flatMap((workload) => workloadLines(workload, paint))],
    ["secrets", secretLines(diff, paint)],
    [
      "artifacts",
      (artifacts ?? []).map(({ name, change, linesAdded, linesRemoved }) =>
        printable(`  ${MARKS[change]} ${name} (+${linesAdded} -${linesRemoved})`),
      ),
    ],
    ["data at stake", data.map(({ message }) => paint.warning(printable(`  ! ${message}`)))],
    ["what to do", steps.flatMap((step, at) => stepLines(step, at + 1))],
  ];
  const head = `${paint.faint("from")} ${printable(side(from))}\n${paint.faint("to")}   ${printable(side(to))}\n`;
  if (same) return `${head}\nnothing changes\n`;
  const shown = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${paint.strong(title)}\n${lines.join("\n")}\n`);
  return `${head}\n${shown.join("\n")}`;
}
