import type { MachineConfig, MachineCreateParams } from "../../../src/boxd/driver/client.ts";
import { grpcError } from "./errors.ts";
import { checkObject, is } from "./shape.ts";

const GIB = 1024 ** 3;
const MEMORY_BY_VCPU: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [2, 8],
  [4, 16],
  [8, 32],
]);
const DEFAULT_VCPU = 2;
const DISK_GIB = 100;
const MOST_LABELS = 64;
const LONGEST_LABEL = 256;
const LONGEST_TIMER = 2_592_000;

/** What a machine is given. */
export interface Resources {
  readonly vcpu: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
}

/** Options of `machines.create` by shape: anything that the port does not name is a violation, not a refusal. */
export function checkCreateShape(params: unknown): void {
  checkObject(
    "machines.create",
    params,
    {
      name: is.string,
      org: is.string,
      image: is.string,
      fromSnapshot: is.string,
      isolated: is.boolean,
      restartPolicy: is.string,
      labels: is.record,
      config: is.plain,
    },
    ["name"],
  );
  const { config } = params as { config?: unknown };
  if (config !== undefined)
    checkObject("machines.create config", config, {
      vcpu: is.number,
      memory: is.string,
      disk: is.string,
      autoDestroyTimeout: is.number,
    });
}

/** The values of `machines.create` as the control plane judges them; refusals are INVALID_ARGUMENT. */
export function checkCreateValues(params: MachineCreateParams): void {
  checkName(params.name);
  if (params.image === "") refuse("image must not be empty");
  if (params.restartPolicy !== undefined && params.restartPolicy !== "always" && params.restartPolicy !== "never") {
    refuse(`restart policy '${String(params.restartPolicy)}' is not known`);
  }
  checkSeconds("auto-destroy", params.config?.autoDestroyTimeout ?? 0);
  if (params.fromSnapshot !== undefined && (params.image !== undefined || params.restartPolicy !== undefined))
    refuse("a machine restored from a snapshot keeps the snapshot's image and restarts always");
  checkLabels(params.labels ?? {});
}

/** INVALID_ARGUMENT unless it is a lowercase DNS label that starts with a letter and ends with a letter or digit. */
export function checkName(name: string): void {
  if (!/^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) {
    refuse(`name '${name}' must be at most 63 of a-z, 0-9 and '-', start with a letter and not end with '-'`);
  }
}

/** The size class that `config` names, or INVALID_ARGUMENT when it names none. */
export function resourcesOf(config: MachineConfig = {}): Resources {
  const byMemory = config.memory === undefined ? undefined : vcpuForMemory(config.memory);
  const vcpu = config.vcpu ?? byMemory ?? DEFAULT_VCPU;
  const memory = MEMORY_BY_VCPU.get(vcpu);
  if (memory === undefined) return refuse(`vcpu must be 1, 2, 4 or 8, not ${String(vcpu)}`);
  if (byMemory !== undefined && byMemory !== vcpu)
    refuse(`memory ${String(config.memory)} does not belong to ${String(vcpu)} vcpu`);
  if (config.disk !== undefined && config.disk !== `${String(DISK_GIB)}G`)
    refuse("disk_bytes must be 0 or exactly the fixed 100 GiB");
  return { vcpu, memoryBytes: memory * GIB, diskBytes: DISK_GIB * GIB };
}

/** A timer value in seconds; 0 takes a timer away. */
export function checkSeconds(what: string, seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > LONGEST_TIMER)
    refuse(`${what} must be a whole number of seconds from 0 to ${String(LONGEST_TIMER)}, not ${String(seconds)}`);
}

/** Entries of an egress allowlist: `none` alone, or host names, `*.` wildcards, addresses and ranges. */
export function checkEgress(entries: readonly string[]): void {
  if (entries.includes("none") && entries.length > 1) refuse("'none' cannot be combined with other entries");
  for (const entry of entries) {
    if (!/^(?:none|(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+|[0-9a-f.:]+(?:\/\d{1,3})?)$/.test(entry))
      refuse(`egress entry '${entry}' is not valid`);
  }
}

export function checkPort(port: number): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse(`port ${String(port)} is not valid`);
}

/** INVALID_ARGUMENT. */
export function refuse(message: string): never {
  throw grpcError(3, message);
}

export function checkLabels(labels: Readonly<Record<string, string>>): void {
  const entries = Object.entries(labels);
  if (entries.length > MOST_LABELS) refuse(`at most ${String(MOST_LABELS)} labels`);
  for (const [key, value] of entries) {
    if (!/^[a-z0-9](?:[a-z0-9._/-]{0,61}[a-z0-9])?$/.test(key) || key.startsWith("boxd/"))
      refuse(`label key '${key}' is not valid`);
    if (/[\u0000-\u001f\u007f]/.test(value) || value.length > LONGEST_LABEL)
      refuse(`value of label '${key}' is not valid`);
  }
}

function vcpuForMemory(memory: string): number {
  const found = [...MEMORY_BY_VCPU].find(([, gib]) => memory === `${String(gib)}G`);
  return found === undefined ? refuse(`memory '${memory}' is not a size class`) : found[0];
}
