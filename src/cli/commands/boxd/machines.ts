import { closestName } from "../../../base/closest-name.ts";
import { joined, ours, plainText, type Shown, shown } from "../../../base/shown.ts";
import { explainError } from "../../../boxd/driver/errors.ts";
import { BoxdDriverError, type MachineDriver } from "../../../boxd/driver/index.ts";
import { toolkitMachine, type ToolkitMachine } from "../../../boxd/driver/inventory.ts";
import { hasOption, type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { printError, printJson, tableText } from "../../output.ts";
import type { ProcessIo } from "../../process-io.ts";
import { askYesNo } from "../../prompts.ts";
import { type OpenedFor, withBoxd } from "./connection.ts";

/** A listing that has not come by then does not come. */
const LIST_MS = 60_000;

/** The machines that `boxd list` and `boxd rm` are about: what this toolkit has made, as far as the filters let it through. */
async function toolkitMachines(
  driver: MachineDriver,
  invocation: Invocation,
  opened: OpenedFor,
): Promise<readonly ToolkitMachine[]> {
  const [kind, owner] = [textOption(invocation, "kind"), textOption(invocation, "owner")];
  const namePrefix = textOption(invocation, "prefix");
  const machines = await driver.list(namePrefix === undefined ? {} : { namePrefix }, { timeoutMs: LIST_MS });
  opened.answered();
  return machines
    .map((machine) => toolkitMachine(machine, opened.namePrefix))
    .filter((found) => found !== null)
    .filter((found) => kind === undefined || found.kind === kind)
    .filter((found) => owner === undefined || found.owner?.includes(owner) === true);
}

/** One machine as JSON shows it. Its address is left out: who knows it may reach the machine. */
function machineView({ machine, kind, owner }: ToolkitMachine): object {
  return {
    name: plainText(machine.name),
    id: plainText(machine.id),
    kind,
    owner: owner === null ? null : plainText(owner),
    state: machine.status,
    createdAt: machine.createdAt?.toISOString() ?? null,
    deletesAt: machine.deleteAt?.toISOString() ?? null,
  };
}

const UNITS = [["d", 86_400] as const, ["h", 3_600] as const, ["min", 60] as const];

/** The time between two moments, in the largest unit that fits: "3 h". A dash where one is not known. */
function span(from: Date | null | undefined, to: Date | null | undefined): string {
  if (!from || !to) return "-";
  const seconds = Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));
  const [unit, length] = UNITS.find((one) => seconds >= one[1]) ?? ["s", 1];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/** `qm-deploy boxd list`. */
export async function list(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  return withBoxd(invocation, async (driver, opened) => {
    const machines = await toolkitMachines(driver, invocation, opened);
    if (wantsJson(invocation)) printJson(io, { ok: true, machines: machines.map(machineView), problem: null });
    else if (machines.length === 0) io.stdout.write(ours("no machines\n"));
    else {
      const now = new Date();
      const rows = machines.map(({ machine, kind, owner }) => [
        plainText(machine.name),
        kind,
        machine.status,
        span(machine.createdAt, now),
        span(now, machine.deleteAt),
        plainText(machine.id),
        owner === null ? "-" : plainText(owner),
      ]);
      io.stdout.write(tableText([["NAME", "KIND", "STATE", "AGE", "DELETED IN", "ID", "OWNER"], ...rows]));
    }
    return PASSED;
  });
}

/** `problem` says why a machine could not be confirmed as deleted; null where it is gone. */
type Removal = { readonly found: ToolkitMachine; readonly problem: string | null };

/** `qm-deploy boxd rm`. Only machines that `boxd list` shows; every deletion is confirmed by boxd no longer knowing the machine. */
export async function rm(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const isChosen =
    args.length > 0 || ["kind", "owner", "prefix"].some((name) => textOption(invocation, name) !== undefined);
  if (isChosen === hasOption(invocation, "all")) {
    printError(
      io,
      isChosen
        ? "--all is every machine: leave out names and filters"
        : "say which machines: names as `boxd list` shows them, --kind, --owner, --prefix, or --all",
    );
    return USAGE;
  }
  return withBoxd(invocation, async (driver, opened) => {
    const all = await toolkitMachines(driver, invocation, opened);
    const chosen = chooseMachines(invocation, all);
    if (chosen === null) return USAGE;
    const named = chosen.map(({ machine, kind }) => shown`${plainText(machine.name)} (${kind})`);
    const question = shown`delete ${joined(named, ", ")}, with everything on ${chosen.length === 1 ? "it" : "them"}?`;
    if (chosen.length > 0 && !hasOption(invocation, "yes") && !(await confirmed(io, question))) {
      io.stderr.write(ours("nothing was deleted; --yes deletes without a question\n"));
      const kept = chosen.map((found) => ({ found, problem: "nobody confirmed it" }));
      return wantsJson(invocation) ? report(invocation, kept) : PROBLEMS;
    }
    const removals: Removal[] = [];
    for (const found of chosen) removals.push(await remove(driver, found));
    return report(invocation, removals);
  });
}

function chooseMachines({ io, args }: Invocation, all: readonly ToolkitMachine[]): readonly ToolkitMachine[] | null {
  if (args.length === 0) return all;
  const names = all.map(({ machine }) => machine.name);
  const unknown = args.filter((name) => !names.includes(name));
  for (const name of unknown) {
    const close = closestName(name, names);
    const hint = close === null ? "" : `; did you mean \`${close}\`?`;
    printError(io, `\`boxd list\` shows no machine \`${name}\`${hint}`);
  }
  return unknown.length > 0 ? null : all.filter(({ machine }) => args.includes(machine.name));
}

async function remove(driver: MachineDriver, found: ToolkitMachine): Promise<Removal> {
  const { id, name } = found.machine;
  try {
    const receipt = await driver.deleteConfirmed(id, undefined, { name });
    if (receipt.state === "destroyed") return { found, problem: null };
    const seconds = (receipt.absentMs / 1000).toFixed(1);
    return { found, problem: `it has been in no listing for ${seconds} s, and a listing may lag longer: list again` };
  } catch (error) {
    if (error instanceof BoxdDriverError) return { found, problem: explainError(error) };
    throw error;
  }
}

function report(invocation: Invocation, removals: readonly Removal[]): number {
  const { io } = invocation;
  const ok = removals.every((removal) => removal.problem === null);
  if (wantsJson(invocation)) {
    const machines = removals.map(({ found, problem }) => ({
      ...machineView(found),
      deleted: problem === null,
      problem,
    }));
    printJson(io, { ok, machines, problem: null });
    return ok ? PASSED : PROBLEMS;
  }
  for (const { found, problem } of removals) {
    const verdict = problem === null ? "deleted" : "failed ";
    io.stdout.write(shown`${verdict}  ${plainText(found.machine.name)}${problem === null ? "" : `: ${problem}`}\n`);
  }
  if (removals.length === 0) io.stdout.write(ours("no machines\n"));
  return ok ? PASSED : PROBLEMS;
}

/** Asks a yes-or-no question on a terminal; without one the answer is no, so that nothing in CI waits or deletes by accident. */
async function confirmed(io: ProcessIo, question: Shown): Promise<boolean> {
  return io.stdin.isTTY === true && (await askYesNo(io, question));
}
