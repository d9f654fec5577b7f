import { writeFileSync } from "node:fs";
import { FakePlane, realPlaneClock } from "../boxd-fake/index.ts";
import { planeOptions, readSettings, type StandInSettings } from "./settings.ts";

/** What is left when the process exits, as JSON in the file that `FAKE_BOXD_REPORT` names. */
export interface StandInReport {
  calls: { method: string; args: unknown[]; outcome: "pending" | "ok" | "error" }[];
  /** machines that were not deleted */
  survivors: { name: string; status: string; labels: Record<string, string> }[];
  /** command lines of processes that still ran in machines */
  processes: string[][];
  /** calls that broke the port */
  violations: string[];
  /** faults that never struck */
  unusedFaults: string[];
  clients: { opened: number; closed: number };
}

interface ProcessPlane {
  readonly plane: FakePlane;
  readonly settings: StandInSettings;
  /** the machines of the settings are there */
  readonly ready: Promise<void>;
  readonly clients: { opened: number; closed: number };
}

let made: ProcessPlane | undefined;

/** The one control plane of this process; made on first use, reported and removed when the process exits. */
export function processPlane(): ProcessPlane {
  if (made !== undefined) return made;
  const { settings, faults } = readSettings(process.env);
  const plane = new FakePlane({ ...planeOptions(settings), clock: realPlaneClock });
  for (const fault of faults) plane.faults.inject(fault);
  made = { plane, settings, ready: seed(plane, settings), clients: { opened: 0, closed: 0 } };
  const { clients } = made;
  process.on("exit", () => {
    const file = process.env["FAKE_BOXD_REPORT"];
    if (file !== undefined) writeFileSync(file, JSON.stringify(report(plane, clients)));
    plane.disposeNow();
  });
  return made;
}

/** Puts the machines of the settings into the plane. */
export async function seed(plane: FakePlane, settings: StandInSettings): Promise<void> {
  for (const { status, ...params } of settings.machines ?? []) await plane.seed(params, status);
  plane.bootEnds.push(...(settings.bootEnds ?? []));
}

/** What a plane has seen and still holds. */
export function report(plane: FakePlane, clients: StandInReport["clients"]): StandInReport {
  return {
    calls: plane.recorder.calls.map(({ method, args, outcome }) => ({
      method,
      outcome,
      args: args.map((value) => (value instanceof Uint8Array ? `${String(value.length)} bytes` : value)),
    })),
    survivors: plane.survivors().map(({ name, status, labels }) => ({ name, status, labels: { ...labels } })),
    processes: plane.processes().map((found) => [...found.argv]),
    violations: plane.violations.map((error) => error.message),
    unusedFaults: plane.faults.unused().map((fault) => fault.method),
    clients,
  };
}
