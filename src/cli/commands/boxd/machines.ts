import type { Machine } from "../../../boxd/driver/client.ts";
import type { MachineDriver } from "../../../boxd/driver/index.ts";
import { MANAGED_BY, MANAGED_BY_LABEL } from "../../../boxd/driver/labels.ts";
import { SMOKE_PREFIX } from "../../../boxd/driver/smoke/smoke.ts";
import { type Invocation, textOption } from "../../command-definition.ts";

/** The machines that `boxd list` and `boxd rm` are about: those of a name prefix that no label says are somebody else's. */
export async function toolkitMachines(driver: MachineDriver, invocation: Invocation): Promise<readonly Machine[]> {
  const namePrefix = textOption(invocation, "prefix") ?? SMOKE_PREFIX;
  return driver.list({ namePrefix, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } });
}

/** One machine as JSON shows it. Its address is left out: who knows it may reach the machine. */
export function machineView(machine: Machine): {
  readonly name: string;
  readonly id: string;
  readonly state: string;
  readonly createdAt: string | null;
  readonly deletesAt: string | null;
} {
  return {
    name: machine.name,
    id: machine.id,
    state: machine.status,
    createdAt: machine.createdAt?.toISOString() ?? null,
    deletesAt: machine.deleteAt?.toISOString() ?? null,
  };
}

/** Time since a moment, in the largest unit that fits: "3 h". */
export function age(since: Date | null | undefined, now: number): string {
  if (since === null || since === undefined) return "-";
  const seconds = Math.max(0, Math.round((now - since.getTime()) / 1000));
  for (const [unit, length] of [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
  ] as const) {
    if (seconds >= length) return `${Math.floor(seconds / length)} ${unit}`;
  }
  return `${seconds} s`;
}
