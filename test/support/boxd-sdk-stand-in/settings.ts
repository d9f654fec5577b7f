import type { MachineCreateParams } from "../../../src/boxd/driver/client.ts";
import { grpcError, type Fault, type PlaneOptions, type Quirks, type Status, type Steps } from "../boxd-fake/index.ts";

/** What a test tells the stand-in of another process, as JSON in `FAKE_BOXD`. */
export interface StandInSettings {
  apiKeys?: string[];
  org?: { id: string; slug: string };
  /** base URLs at which the control plane answers; default the SDK's own */
  baseURLs?: string[];
  tools?: Record<string, string>;
  mounts?: boolean;
  steps?: Partial<Steps>;
  quirks?: Partial<Quirks>;
  /** how `close` fails */
  close?: "stalls" | "throws";
  /** how many times faster than real time the process lives, see fast-time.mjs; default 1 */
  rate?: number;
  bootEnds?: ("running" | "failed")[];
  /** machines that are there when the process begins */
  machines?: (MachineCreateParams & { status?: Exclude<Status, "destroying" | "absent"> })[];
}

/** A fault as JSON, in the list `FAKE_BOXD_FAULTS`: like `Fault`, with what cannot be written as JSON put in words. */
export interface PlainFault {
  method: string;
  when?: "before" | "after";
  nth?: number;
  times?: number | "always";
  error?: { code: number; message: string };
  stall?: true;
  /** real milliseconds before the call goes on */
  delayMs?: number;
  /** fields that replace the answer's */
  set?: Record<string, unknown>;
  /** the whole answer */
  answer?: unknown;
}

/** Reads both variables; a broken one throws, a test must not run without its faults. */
export function readSettings(env: NodeJS.ProcessEnv): { settings: StandInSettings; faults: Fault[] } {
  const settings = JSON.parse(env["FAKE_BOXD"] ?? "{}") as StandInSettings;
  const faults = JSON.parse(env["FAKE_BOXD_FAULTS"] ?? "[]") as PlainFault[];
  return { settings, faults: faults.map(toFault) };
}

export function planeOptions(settings: StandInSettings): PlaneOptions {
  const { apiKeys, org, tools, mounts, steps, quirks } = settings;
  return {
    ...(apiKeys === undefined ? {} : { apiKeys }),
    ...(org === undefined ? {} : { org }),
    ...(tools === undefined ? {} : { tools }),
    ...(mounts === undefined ? {} : { mounts }),
    ...(steps === undefined ? {} : { steps }),
    ...(quirks === undefined ? {} : { quirks }),
  };
}

/** The fault that was written as JSON. */
export function toFault(plain: PlainFault): Fault {
  const { method, when, nth, times, error, stall, delayMs, set, answer } = plain;
  return {
    method,
    ...(when === undefined ? {} : { when }),
    ...(nth === undefined ? {} : { nth }),
    ...(times === undefined ? {} : { times: times === "always" ? Infinity : times }),
    ...(error === undefined ? {} : { error: () => grpcError(error.code, error.message) }),
    ...(stall === undefined ? {} : { stall }),
    ...(delayMs === undefined
      ? {}
      : {
          hold: () =>
            new Promise((resolve) => {
              setTimeout(resolve, delayMs);
            }),
        }),
    ...(set === undefined ? {} : { change: (value: unknown) => ({ ...(value as object), ...set }) }),
    ...(answer === undefined ? {} : { change: () => answer }),
  };
}
