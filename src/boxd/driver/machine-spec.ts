import { withoutUndefined } from "../../base/without-undefined.ts";
import type { MachineConfig, MachineCreateParams } from "./client.ts";
import type { Operation } from "./call.ts";
import type { Clock } from "./clock.ts";
import { BoxdDriverError } from "./errors.ts";
import { assertLabels, MANAGED_BY, MANAGED_BY_LABEL, type Labels } from "./labels.ts";

/** What a new machine is to be like. Everything is optional; omitted sizes are the org's defaults. */
export interface MachineSpec
  extends MachineConfig, Pick<MachineCreateParams, "image" | "fromSnapshot" | "isolated" | "restartPolicy"> {
  /** default `{ "managed-by": "qm-deploy" }` */
  labels?: Labels;
  /** a server-side delete timer, set right after the machine exists; the backstop for a process that dies */
  expiry?: Expiry;
  /** default both 0 (never): a machine that is reached through commands only looks idle to boxd. `null` leaves boxd's own defaults */
  idle?: IdleTimers | null;
}

/**
 * When boxd deletes a machine by itself: in so many seconds, or at the latest at a moment. `final` says that it will not be put off later, so
 * that it may already travel with the create call, as a timer that cannot be changed.
 */
export type Expiry = ({ afterSeconds: number } | { at: Date }) & { final?: boolean };

/**
 * Thirty days: the longest of boxd's timers that anybody is known to have set (docs/contract/boxd.md#timers). It also catches a time that was meant in
 * milliseconds. Longer is never, which is said by leaving the timer out.
 */
export const LONGEST_TIMER_SECONDS = 2_592_000;

/** Seconds without inbound traffic until boxd suspends or hibernates a machine; 0 is never. */
export interface IdleTimers {
  suspendSeconds: number;
  hibernateSeconds: number;
}

/** boxd's sizes in vCPUs; memory is 4 GiB for each (docs/contract/boxd.md#machines). */
export const VCPUS: readonly number[] = [1, 2, 4, 8];

/** Throws `invalid` unless this names one of boxd's sizes: by its vCPUs, its memory (`8G`), both where they agree, or neither. */
export function assertSize({ vcpu, memory }: Pick<MachineConfig, "vcpu" | "memory">): void {
  if (vcpu !== undefined && !VCPUS.includes(vcpu))
    throw new BoxdDriverError("invalid", `\`vcpu\` must be 1, 2, 4 or 8, not ${JSON.stringify(vcpu)}`);
  if (memory === undefined) return;
  const named = VCPUS.find((count) => memory === memoryOf(count));
  if (named === undefined)
    throw new BoxdDriverError(
      "invalid",
      `\`memory\` must be ${VCPUS.map(memoryOf)
        .join(", ")
        .replace(/, (?=\d+G$)/, " or ")}`,
    );
  if (vcpu !== undefined && vcpu !== named)
    throw new BoxdDriverError(
      "invalid",
      `\`memory\` ${memory} is that of ${named} vCPU: a machine of ${vcpu} has ${memoryOf(vcpu)}`,
    );
}

function memoryOf(vcpu: number): string {
  return `${vcpu * 4}G`;
}

/** Throws `invalid` for a specification that boxd would refuse or misread, before anything is made. */
export function assertSpec(spec: MachineSpec, clock: Clock): void {
  const { vcpu, memory, disk, image, fromSnapshot, restartPolicy, expiry, idle } = spec;
  assertSize(spec);
  const captured = { vcpu, memory, disk, image, restartPolicy };
  const given = Object.entries(captured).filter(([, value]) => value !== undefined);
  if (fromSnapshot !== undefined && given.length > 0) {
    const names = given.map(([field]) => field).join(", ");
    throw new BoxdDriverError("invalid", `a machine from a snapshot is as it was captured: it takes no ${names}`);
  }
  assertLabels(labelsOf(spec));
  if (expiry !== undefined) secondsUntil(expiry, clock);
  if (idle !== undefined && idle !== null) assertIdle(idle);
}

/** Throws `invalid` unless both timers are whole seconds from 0 to the longest. */
export function assertIdle(idle: IdleTimers): void {
  assertSeconds("the suspend timer", idle.suspendSeconds, 0);
  assertSeconds("the hibernate timer", idle.hibernateSeconds, 0);
}

/** Whole seconds; of a moment two fewer than there are, for the call itself. Throws `invalid` for one that is too close, past, or later than a timer reaches. */
export function secondsUntil(expiry: Expiry, clock: Clock): number {
  if ("afterSeconds" in expiry) {
    assertSeconds("the delete timer", expiry.afterSeconds, 1);
    return expiry.afterSeconds;
  }
  const seconds = Math.floor((expiry.at.getTime() - clock.wallNow()) / 1000) - 2;
  if (isTimer(seconds, 1)) return seconds;
  const range = `from three to ${LONGEST_TIMER_SECONDS} seconds from now`;
  throw new BoxdDriverError("invalid", `the expiry must be a moment ${range}`);
}

export function labelsOf(spec: MachineSpec): Labels {
  return spec.labels ?? { [MANAGED_BY_LABEL]: MANAGED_BY };
}

/** How much later than the delete timer the one of the create call comes: the former counts from a later moment, and is the one that is told. */
const BACKSTOP_SECONDS = 60;

/** The arguments of `machines.create`. Of the timers only the one that a crash right after this call would leave unset (see `client.ts`). */
export function createParams(
  operation: Pick<Operation, "org" | "clock">,
  name: string,
  spec: MachineSpec,
): MachineCreateParams {
  const { vcpu, memory, disk, image, fromSnapshot, isolated, restartPolicy, expiry } = spec;
  const autoDestroyTimeout =
    expiry?.final === true ? secondsUntil(expiry, operation.clock) + BACKSTOP_SECONDS : undefined;
  const config = withoutUndefined({ vcpu, memory, disk, autoDestroyTimeout });
  return withoutUndefined({
    name,
    org: operation.org,
    image,
    fromSnapshot,
    isolated: isolated === true ? true : undefined,
    restartPolicy,
    labels: { ...labelsOf(spec) },
    config: Object.keys(config).length === 0 ? undefined : config,
  });
}

/** Throws `invalid` unless `seconds` is what a timer of boxd's can be set to; `what` names it for the message. */
export function assertSeconds(what: string, seconds: number, least: number): void {
  if (isTimer(seconds, least)) return;
  const range = `from ${least} to ${LONGEST_TIMER_SECONDS}`;
  throw new BoxdDriverError("invalid", `${what} must be a whole number of seconds ${range}, not ${seconds}`);
}

function isTimer(seconds: number, least: number): boolean {
  return Number.isSafeInteger(seconds) && seconds >= least && seconds <= LONGEST_TIMER_SECONDS;
}
