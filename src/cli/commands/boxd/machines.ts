import { closestName } from "../../../base/closest-name.ts";
import { joined, ours, plainText, type Shown, shown } from "../../../base/shown.ts";
import type { Machine } from "../../../boxd/driver/client.ts";
import { explainError } from "../../../boxd/driver/errors.ts";
import { BoxdDriverError, type MachineDriver } from "../../../boxd/driver/index.ts";
import { MANAGED_BY, MANAGED_BY_LABEL } from "../../../boxd/driver/labels.ts";
import { SMOKE_PREFIX } from "../../../boxd/driver/smoke/smoke.ts";
import { hasOption, type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { printError, printJson, tableText } from "../../output.ts";
import type { ProcessIo } from "../../process-io.ts";
import { askYesNo } from "../../prompts.ts";
import { withBoxd } from "./connection.ts";

/** The machines that `boxd list` and `boxd rm` are about: those of a name prefix that no label says are somebody else's. */
async function toolkitMachines(driver: MachineDriver, invocation: Invocation): Promise<readonly Machine[]> {
  const namePrefix = textOption(invocation, "prefix") ?? SMOKE_PREFIX;
  return driver.list({ namePrefix, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } });
}

/** One machine as JSON shows it. Its address is left out: who knows it may reach the machine. */
function machineView(machine: Machine): object {
  return {
    name: plainText(machine.name),
    id: plainText(machine.id),
    state: machine.status,
    createdAt: machine.createdAt?.toISOString() ?? null,
    deletesAt: machine.deleteAt?.toISOString() ?? null,
  };
}

const UNITS = [["d", 86_400] as const, ["h", 3_600] as const, ["min", 60] as const];

/** Time since a moment, in the largest unit that fits: "3 h". */
function age(since: Date | null | undefined, now: number): string {
  if (since === null || since === undefined) return "-";
  const seconds = Math.max(0, Math.round((now - since.getTime()) / 1000));
  const [unit, length] = UNITS.find((one) => seconds >= one[1]) ?? ["s", 1];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/** `qm-deploy boxd list`. */
export async function list(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  return withBoxd(invocation, async (driver) => {
    const machines = await toolkitMachines(driver, invocation);
    if (wantsJson(invocation)) printJson(io, { ok: true, machines: machines.map(machineView), problem: null });
    else if (machines.length === 0) io.stdout.write(ours("no machines\n"));
    else {
      const rows = machines.map(({ name, status, createdAt, id }) => [
        plainText(name),
        status,
        age(createdAt, Date.now()),
        plainText(id),
      ]);
      io.stdout.write(tableText([["NAME", "STATE", "AGE", "ID"], ...rows]));
    }
    return PASSED;
  });
}

/** `problem` says why a machine could not be confirmed as deleted; null where it is gone. */
type Removal = { readonly machine: Machine; readonly problem: string | null };

/** `qm-deploy boxd rm`. Only machines that `boxd list` shows; every deletion is confirmed by boxd no longer knowing the machine. */
export async function rm(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  return withBoxd(invocation, async (driver) => {
    const all = await toolkitMachines(driver, invocation);
    const chosen = chooseMachines(invocation, all);
    if (chosen === null) return USAGE;
    const question = shown`delete ${joined(
      chosen.map((machine) => plainText(machine.name)),
      ", ",
    )}?`;
    if (chosen.length > 0 && !hasOption(invocation, "yes") && !(await confirmed(io, question))) {
      io.stderr.write(ours("nothing was deleted; --yes deletes without a question\n"));
      const kept = chosen.map((machine) => ({ machine, problem: "nobody confirmed it" }));
      return wantsJson(invocation) ? report(invocation, kept) : PROBLEMS;
    }
    const removals: Removal[] = [];
    for (const machine of chosen) removals.push(await remove(driver, machine));
    return report(invocation, removals);
  });
}

function chooseMachines({ io, args }: Invocation, all: readonly Machine[]): readonly Machine[] | null {
  if (args.length === 0) return all;
  const names = all.map((machine) => machine.name);
  const unknown = args.filter((name) => !names.includes(name));
  for (const name of unknown) {
    const close = closestName(name, names);
    const hint = close === null ? "" : `; did you mean \`${close}\`?`;
    printError(io, `\`boxd list\` shows no machine \`${name}\`${hint}`);
  }
  return unknown.length > 0 ? null : all.filter((machine) => args.includes(machine.name));
}

async function remove(driver: MachineDriver, machine: Machine): Promise<Removal> {
  try {
    await driver.deleteConfirmed(machine.id, undefined, { name: machine.name });
    return { machine, problem: null };
  } catch (error) {
    if (error instanceof BoxdDriverError) return { machine, problem: explainError(error) };
    throw error;
  }
}

function report(invocation: Invocation, removals: readonly Removal[]): number {
  const { io } = invocation;
  const ok = removals.every((removal) => removal.problem === null);
  if (wantsJson(invocation)) {
    const machines = removals.map(({ machine, problem }) => ({
      ...machineView(machine),
      deleted: problem === null,
      problem,
    }));
    printJson(io, { ok, machines, problem: null });
    return ok ? PASSED : PROBLEMS;
  }
  for (const { machine, problem } of removals) {
    const verdict = problem === null ? "deleted" : "failed ";
    io.stdout.write(shown`${verdict}  ${plainText(machine.name)}${problem === null ? "" : `: ${problem}`}\n`);
  }
  if (removals.length === 0) io.stdout.write(ours("no machines\n"));
  return ok ? PASSED : PROBLEMS;
}

/** Asks a yes-or-no question on a terminal; without one the answer is no, so that nothing in CI waits or deletes by accident. */
async function confirmed(io: ProcessIo, question: Shown): Promise<boolean> {
  return io.stdin.isTTY === true && (await askYesNo(io, question));
}
