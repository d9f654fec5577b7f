import { joined, lines, ours, plainText, type Shown, shown } from "../../base/shown.ts";
import { counted } from "../../base/phrase.ts";
import type { Palette } from "../../diagnostics/reporters/reporter.ts";
import type { Change, WorkloadChange } from "./changes.ts";
import type { DeploymentDiff, DiffSide } from "./diff.ts";
import type { Step } from "./steps/step.ts";
import type { SuppressionEntry } from "./suppressions.ts";

const MARKS: { readonly [change in Change | "renamed"]: string } = {
  added: "+",
  removed: "-",
  changed: "~",
  renamed: "~",
};

function side({ named, target, release, backend, errors }: DiffSide): Shown {
  const faults = errors === 0 ? "" : `, ${counted(errors, "error")}: see \`qm-deploy check\``;
  return shown`${plainText(named)} (${target ?? "no target"}, qm ${release}, backend ${backend ?? "none"}${faults})`;
}

function quoted(value: string | null): string {
  return value === null ? "none" : value === "" ? '""' : value;
}

function workloadLines({ name, change, image, environment }: WorkloadChange, paint: Palette): Shown[] {
  const by = { added: paint.good, removed: paint.error, changed: paint.warning, renamed: paint.warning };
  const turned = (from: string | null, to: string | null): string =>
    from === null || to === null ? quoted(to ?? from) : `${quoted(from)} -> ${quoted(to)}`;
  const entries = environment.map(({ name: key, change: how, formerName, from, to }) => {
    const names = formerName === null ? key : `${formerName} -> ${key}`;
    return by[how](shown`    ${MARKS[how]} ${names}=${from === to ? quoted(to) : turned(from, to)}`);
  });
  const images = image === null ? [] : [by[change](shown`    ${MARKS[change]} image: ${turned(image.from, image.to)}`)];
  return [shown`  ${MARKS[change]} ${name}`, ...images, ...entries];
}

/** One step with its number: `[x]` where the new config has it already. */
function stepLines({ title, detail, commands, done }: Step, number: number, paint: Palette): Shown[] {
  const line = shown`  ${String(number).padStart(2)}. [${done === true ? "x" : " "}] ${title}`;
  const more = commands.map((command) => paint.info(shown`          ${command}`));
  return [line, ...(detail === null ? [] : [shown`          ${detail}`]), ...more];
}

function secretLines({ secrets }: DeploymentDiff, paint: Palette): Shown[] {
  return [
    ...secrets.add.map(({ name, required, reason }) =>
      paint.good(shown`  + ${name} (${required ? "required" : "optional"}): ${reason}`),
    ),
    ...secrets.retire.map((name) => paint.error(shown`  - ${name}: nothing uses it any longer`)),
    ...secrets.change.map(({ name, required, addedTo, removedFrom }) => {
      const turned = required.from === required.to ? [] : [`now ${required.to ? "required" : "optional"}`];
      const places = [...addedTo.map((place) => `+${place}`), ...removedFrom.map((place) => `-${place}`)];
      return paint.warning(shown`  ~ ${name}: ${joined([...turned, ...places], ", ")}`);
    }),
  ];
}

function suppressionLines({ suppressions: { added, removed } }: DeploymentDiff, paint: Palette): Shown[] {
  const text = ({ rule, path, reason, file, line }: SuppressionEntry): Shown =>
    shown`${rule}${path === null ? "" : shown` (${path})`}: ${reason} (${plainText(file)}:${line})`;
  return [
    ...added.map((one) => paint.warning(shown`  + ${text(one)}`)),
    ...removed.map((one) => paint.good(shown`  - ${text(one)}`)),
  ];
}

/** A part of a text for people: left out where it has no lines. */
export type Section = readonly [title: string, all: readonly Shown[]];

/** What is at stake, which is said before all else. */
export function stakesSection({ data }: DeploymentDiff, paint: Palette, title = "data at stake"): Section {
  return [title, data.map(({ message }) => paint.warning(shown`  ! ${message}`))];
}

/** What changes, and what is to be done. */
export function changeSections(diff: DeploymentDiff, paint: Palette): readonly Section[] {
  const { workloads, artifacts, steps } = diff;
  return [
    ["workloads", workloads.flatMap((workload) => workloadLines(workload, paint))],
    ["secrets", secretLines(diff, paint)],
    [
      "artifacts",
      (artifacts ?? []).map(
        ({ name, change, linesAdded, linesRemoved }) =>
          shown`  ${MARKS[change]} ${name} (+${linesAdded} -${linesRemoved})`,
      ),
    ],
    ["suppressions", suppressionLines(diff, paint)],
    ["what to do", steps.flatMap((step, at) => stepLines(step, at + 1, paint))],
  ];
}

/** The two sides that are compared. */
export function sidesText({ from, to }: DeploymentDiff, paint: Palette): Shown {
  return lines([shown`${paint.faint("from")} ${side(from)}`, shown`${paint.faint("to")}   ${side(to)}`]);
}

/** Sections one after the other, those without lines left out. */
export function sectionsText(sections: readonly Section[], paint: Palette): Shown {
  const filled = sections.filter(([, all]) => all.length > 0);
  return joined(
    filled.map(([title, all]) => lines([paint.strong(title), ...all])),
    ours("\n"),
  );
}

/** A diff for people. Ends with a newline. */
export function diffText(diff: DeploymentDiff, paint: Palette): Shown {
  const head = sidesText(diff, paint);
  if (diff.same) return shown`${head}\nnothing changes\n`;
  return shown`${head}\n${sectionsText([stakesSection(diff, paint), ...changeSections(diff, paint)], paint)}`;
}
