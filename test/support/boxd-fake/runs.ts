import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeMachine } from "./machine.ts";
import type { FakePlane } from "./plane.ts";
import { GUEST_HOME } from "./remap.ts";

/** A command that leaves one line a run; `count` must be new for each call that is made. For `repeatedRuns`. */
export function countedCommand(count: number): string {
  return `echo x >>${GUEST_HOME}/run-${String(count)}; sync`;
}

/** The counted commands that ran more than once, in whatever state their machine is; I3 wants none. Fewer lines are fine: a command may be killed half-way. */
export function repeatedRuns(plane: FakePlane): string[] {
  return plane.survivors().flatMap(({ name, disk: { home } }) =>
    readdirSync(home)
      .filter((file) => file.startsWith("run-") && readFileSync(join(home, file), "utf8").split("\n").length > 2)
      .map((file) => `${name} ${file}`),
  );
}

/** Resolves once a process of the machine has this word on its command line. */
export async function untilRuns(machine: FakeMachine, word: string): Promise<void> {
  while (!machine.processes().some(({ argv }) => argv.includes(word)))
    await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Resolves once no process is left; what watches a command ends up to a second after it. */
export async function untilNoneRuns(where: Pick<FakeMachine, "processes">): Promise<void> {
  while (where.processes().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
