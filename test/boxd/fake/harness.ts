import type { ExecResult, Machine } from "../../../src/boxd/driver/client.ts";
import { FakePlane, processesSupported, type PlaneOptions } from "../../support/boxd-fake/index.ts";

export const needsProc = processesSupported ? "" : " (skipped: needs /proc)";

/** A plane with one running machine and shorthands on it. */
export async function withMachine<T>(options: PlaneOptions, use: (at: Desk) => Promise<T>): Promise<T> {
  const plane = new FakePlane(options);
  try {
    const machine = await plane.seed({ name: "m1" });
    const client = plane.client();
    return await use({
      plane,
      client,
      machine,
      id: machine.id,
      sh: (command, timeout) =>
        client.machines.exec(machine.id, timeout === undefined ? { command } : { command, timeout }),
      read: () => client.machines.get(machine.id),
    });
  } finally {
    await plane.dispose();
  }
}

export interface Desk {
  plane: FakePlane;
  client: ReturnType<FakePlane["client"]>;
  machine: Awaited<ReturnType<FakePlane["seed"]>>;
  id: string;
  sh(command: string, timeout?: number): Promise<ExecResult>;
  read(): Promise<Machine>;
}

/** Waits for what a real process brings about, however slow the computer is. */
export async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    if (await happened()) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  throw new Error("it did not happen");
}

/** The error of a promise that must reject. */
export async function failure(promise: Promise<unknown>): Promise<Error & { grpcCode?: number }> {
  try {
    await promise;
  } catch (error) {
    return error as Error & { grpcCode?: number };
  }
  throw new Error("it did not fail");
}
