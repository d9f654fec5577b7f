import type { Machine } from "../../../src/boxd/driver/client.ts";
import type { Fault, Strike } from "./faults.ts";
import { isGone } from "./status.ts";

/** Listings that alternate between nothing and everything, beginning with nothing. */
export function listFlaps(strike: Strike = {}): Fault {
  let struck = 0;
  return { ...strike, method: "machines.list", change: (rows) => (struck++ % 2 === 0 ? [] : rows) };
}

/** A listing ends after `rows` rows: the first page of more. */
export function listPage(length: number, strike: Strike = {}): Fault {
  return { ...strike, method: "machines.list", change: (rows) => (rows as Machine[]).slice(0, length) };
}

/** A listing shows, before everything else, a destroyed machine of every name that there ever was. */
export function listShowsDestroyed(strike: Strike = {}): Fault {
  return {
    ...strike,
    method: "machines.list",
    change: (rows, _args, plane) => [
      ...plane.allMachines().map(({ name }): Machine => ({ id: `destroyed-${name}`, name, status: "destroyed" })),
      ...(rows as Machine[]),
    ],
  };
}

/** A listing still shows deleted machines as running. */
export function listShowsGhosts(strike: Strike = {}): Fault {
  return {
    ...strike,
    method: "machines.list",
    change: (rows, _args, plane) => {
      const ghosts = plane
        .allMachines()
        .filter(({ status }) => isGone(status))
        .map(({ id, name }): Machine => ({ id, name, status: "running" }));
      return [...ghosts, ...(rows as Machine[]).filter((row) => !ghosts.some(({ id }) => id === row.id))];
    },
  };
}

/** A listing shows, before everything else, machines of another org with the names of ours. No call can reach them. */
export function listShowsOtherOrg(strike: Strike = {}): Fault {
  const org = { id: "org_2", name: "rival" };
  return {
    ...strike,
    method: "machines.list",
    change: (rows, _args, plane) => [
      ...plane.allMachines().map(({ name }): Machine => ({ id: `rival-${name}`, name, status: "running", org })),
      ...(rows as Machine[]),
    ],
  };
}
