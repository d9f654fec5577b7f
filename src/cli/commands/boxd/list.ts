import { printableJson } from "../../../base/printable.ts";
import { withBoxd } from "./connection.ts";
import { age, machineView, toolkitMachines } from "./machines.ts";
import { PASSED } from "../../exit-status.ts";
import { type Invocation, textOption } from "../../command-definition.ts";
import { tableText } from "../../table.ts";

/** `qm-deploy boxd list`. */
export async function run(invocation: Invocation): Promise<number> {
  const { stdout } = invocation.io;
  return withBoxd(invocation, async (driver) => {
    const machines = await toolkitMachines(driver, invocation);
    if (textOption(invocation, "format") === "json") {
      stdout.write(
        printableJson(
          `${JSON.stringify({ version: 1, ok: true, machines: machines.map(machineView), problem: null }, null, 2)}\n`,
        ),
      );
    } else if (machines.length === 0) stdout.write("no machines\n");
    else {
      const rows = machines.map((machine) => [
        machine.name,
        machine.status,
        age(machine.createdAt, Date.now()),
        machine.id,
      ]);
      stdout.write(tableText([["NAME", "STATE", "AGE", "ID"], ...rows]));
    }
    return PASSED;
  });
}
