/**
 * boxd machines on a dependable driver: `import { MachineDriver, openBoxd } from "qm-deploy/boxd"`. The folder's README says what is where.
 * The adapters (`qm-sandbox/`, `paperclip/`, `openenv/`) import this file and nothing below it.
 */
export * from "./base-url.ts";
export type { DriverTimes } from "./call.ts";
export type * from "./client.ts";
export { systemClock, type Clock } from "./clock.ts";
export type { FoundOrCreated, Handle, OwnedMachine, OwnedSpec } from "./create.ts";
export { beginning } from "./cut-text.ts";
export { Deadline, type TimeLimit } from "./deadline.ts";
export type { DeletionReceipt } from "./delete.ts";
export * from "./errors.ts";
export type { ExecOutcome, ExecRequest } from "./exec.ts";
export type { FileSink, FileSource } from "./files.ts";
export { PART_BYTES } from "./guest.ts";
export { KeyedQueue } from "./keyed-queue.ts";
export { assertLabels, compareLabels, MANAGED_BY, MANAGED_BY_LABEL, MAX_LABEL_LENGTH, type Labels } from "./labels.ts";
export type { MachineFilter } from "./lookup.ts";
export { MachineDriver, type Inspection, type MachineDriverOptions, type Within } from "./machine-driver.ts";
export { assertEgressAllow } from "./machine-settings.ts";
export { machineState, type MachineState } from "./machine-record.ts";
export {
  assertSeconds,
  assertSize,
  LONGEST_TIMER_SECONDS,
  VCPUS,
  type Expiry,
  type IdleTimers,
  type MachineSpec,
} from "./machine-spec.ts";
export { assertMachineName, assertOrg, isMachineName, MAX_NAME_LENGTH, scopeName, uniqueName } from "./names.ts";
export * from "./open-boxd.ts";
export type { StoppedReceipt } from "./power-state.ts";
export { redact, redactedTail } from "./redact.ts";
export type { OnOutput } from "./live-output.ts";
export { loadSdk, SDK_PACKAGE, SDK_RANGE } from "./sdk.ts";
export { shellQuote, shellWords } from "./shell.ts";
