import type { Machine } from "../../../boxd/driver/client.ts";
import { explainError } from "../../../boxd/driver/errors.ts";
import { BoxdDriverError, type MachineDriver } from "../../../boxd/driver/index.ts";
import { closestName } from "../../../base/closest-name.ts";
import { printable, printableJson } from "../../../base/printable.ts";
import { withBoxd } from "./connection.ts";
import { machineView, toolkitMachines } from "./machines.ts";
import { confirmed } from "../../confirm.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";

interface Removal {
  readonly machine: Machine;
  /** Why it could not be confirmed as deleted; null where it is gone. */
  readonly problem: string | null;
}

/** `qm-deploy boxd rm`. Only machines that `boxd list` shows; every deletion is confirmed by boxd no longer knowing the machine. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  return withBoxd(invocation, async (driver) => {
    const all = await toolkitMachines(driver, invocation);
    const chosen = chooseMachines(invocation, all);
    if (chosen === null) return USAGE;
    const question = `delete ${chosen.map((machine) => printable(machine.name)).join(", ")}?`;
    if (chosen.length > 0 && !hasOption(invocation, "yes") && !(await confirmed(io, question))) {
      io.stderr.write("nothing was deleted; --yes deletes without a question\n");
      return textOption(invocation, "format") === "json"
        ? report(
            invocation,
            chosen.map((machine) => ({ machine, problem: "nobody confirmed it" })),
          )
        : PROBLEMS;
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
    io.stderr.write(
      `error: \`boxd list\` shows no machine \`${printable(name)}\`${close === null ? "" : `; did you mean \`${printable(close)}\`?`}\n`,
    );
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
  const { stdout } = invocation.io;
  const ok = removals.every((removal) => removal.problem === null);
  if (textOption(invocation, "format") === "json") {
    const machines = removals.map(({ machine, problem }) => ({
      ...machineView(machine),
      deleted: problem === null,
      problem,
    }));
    stdout.write(printableJson(`${JSON.stringify({ version: 1, ok, machines, problem: null }, null, 2)}\n`));
  } else {
    for (const { machine, problem } of removals)
      stdout.write(
        `${problem === null ? "deleted" : "failed "}  ${printable(machine.name)}${problem === null ? "" : `: ${printable(problem)}`}\n`,
      );
    if (removals.length === 0) stdout.write("no machines\n");
  }
  return ok ? PASSED : PROBLEMS;
}
