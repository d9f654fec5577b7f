import type { MachineConfig, MachineCreateParams } from "./client.ts";
import { BoxdDriverError } from "./errors.ts";
import { assertLabels, MANAGED_BY, MANAGED_BY_LABEL, type Labels } from "./labels.ts";

/** What a new machine is to be like. Everything is optional; omitted sizes are the org's defaults. */
export interface MachineSpec {
  /** 1, 2, 4 or 8; memory is 4 GiB for each. Not together with `fromSnapshot`, which keeps the captured size */
  vcpu?: number;
  memory?: string;
  /** for example `100G`; newer control planes refuse any other */
  disk?: string;
  image?: string;
  /** name of a snapshot that is ready */
  fromSnapshot?: string;
  /** no metadata endpoint, peers, in-machine CLI or org integrations; cannot be undone */
  isolated?: boolean;
  restartPolicy?: "always" | "never";
  /** default `{ "managed-by": "qm-deploy" }` */
  labels?: Labels;
  /** a server-side delete timer, set right after the machine exists; the backstop for a process that dies */
  expiry?: Expiry;
  /** default both 0 (never): a machine that is reached through commands only looks idle to boxd. `null` leaves boxd's own defaults */
  idle?: IdleTimers | null;
}

/** When boxd deletes a machine by itself: in so many seconds, or at the latest at a moment. */
export type Expiry = { afterSeconds: number } | { at: Date };

/** Seconds without inbound traffic until boxd parks a machine; 0 is never. */
export interface IdleTimers {
  suspendSeconds: number;
  hibernateSeconds: number;
}

const SIZES: ReadonlySet<number> = new Set([1, 2, 4, 8]);

/** Throws `invalid` for a specification that boxd would refuse or misread, before anything is made. */
export function assertSpec(spec: MachineSpec): void {
  if (spec.vcpu !== undefined && !SIZES.has(spec.vcpu)) throw invalid(`vcpu must be 1, 2, 4 or 8, not ${spec.vcpu}`);
  if (spec.fromSnapshot !== undefined && [spec.vcpu, spec.memory, spec.disk].some((size) => size !== undefined)) {
    throw invalid("a machine from a snapshot keeps the captured size: vcpu, memory and disk cannot be given with it");
  }
  assertLabels(labelsOf(spec));
  if (spec.expiry !== undefined && "afterSeconds" in spec.expiry)
    assertSeconds("the delete timer", spec.expiry.afterSeconds, 1);
  if (spec.idle !== undefined && spec.idle !== null) assertIdle(spec.idle);
}

/** Throws `invalid` unless both timers are whole seconds, 0 or more. */
export function assertIdle(idle: IdleTimers): void {
  assertSeconds("the suspend timer", idle.suspendSeconds, 0);
  assertSeconds("the hibernate timer", idle.hibernateSeconds, 0);
}

/** Throws `invalid` unless `seconds` is a whole number of at least `least`. */
export function assertSeconds(what: string, seconds: number, least: number): void {
  if (!Number.isSafeInteger(seconds) || seconds < least)
    throw invalid(`${what} must be a whole number of seconds, at least ${least}, not ${seconds}`);
}

export function labelsOf(spec: MachineSpec): Labels {
  return spec.labels ?? { [MANAGED_BY_LABEL]: MANAGED_BY };
}

/** The arguments of `machines.create`; timers are not among them (see `client.ts`). */
export function createParams(name: string, org: string | undefined, spec: MachineSpec): MachineCreateParams {
  const config: MachineConfig = {
    ...(spec.vcpu === undefined ? {} : { vcpu: spec.vcpu }),
    ...(spec.memory === undefined ? {} : { memory: spec.memory }),
    ...(spec.disk === undefined ? {} : { disk: spec.disk }),
  };
  return {
    name,
    ...(org === undefined ? {} : { org }),
    ...(spec.image === undefined ? {} : { image: spec.image }),
    ...(spec.fromSnapshot === undefined ? {} : { fromSnapshot: spec.fromSnapshot }),
    ...(spec.isolated === true ? { isolated: true } : {}),
    ...(spec.restartPolicy === undefined ? {} : { restartPolicy: spec.restartPolicy }),
    labels: { ...labelsOf(spec) },
    ...(Object.keys(config).length === 0 ? {} : { config }),
  };
}

function invalid(message: string): BoxdDriverError {
  return new BoxdDriverError({ kind: "invalid" }, message);
}
