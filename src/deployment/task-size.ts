import type { Deployment, Workload } from "./deployment.ts";
import type { EnvironmentEntry } from "./provenance.ts";

/** Amazon ECS: "Task definition size" quota, in bytes. */
export const MAX_TASK_BYTES = 65_536;

/** More than everything of a task definition takes that is neither environment nor secrets. */
const FRAME_BYTES = 4_096;

/** More than an entry takes beside its texts, and more than the reference of a secret does beside its names. */
const ENTRY_BYTES = 64;
const REFERENCE_BYTES = 160;

/** A workload whose task definition Amazon ECS would refuse. */
export interface OversizedTask {
  readonly workload: Workload;
  /** At most this many bytes. */
  readonly bytes: number;
  /** What takes the most of them. */
  readonly largest: EnvironmentEntry | undefined;
}

/** The workloads whose environment and secrets are too much for one task definition: nothing of what they hold is near that by chance. */
export function findOversizedTasks({ config, workloads, secrets }: Deployment): readonly OversizedTask[] {
  const references = new Map<string, number>();
  const each = REFERENCE_BYTES + (config.aws?.secretsPrefix?.length ?? 0);
  for (const { name, destinations } of secrets)
    for (const { workload, env } of destinations)
      references.set(workload, (references.get(workload) ?? 0) + name.length + env.length + each);
  return workloads.flatMap((workload) => {
    const { environment, name } = workload;
    const bytes = FRAME_BYTES + (references.get(name) ?? 0) + sizeOf(environment);
    if (bytes <= MAX_TASK_BYTES) return [];
    return [{ workload, bytes, largest: environment.toSorted((a, b) => sizeOf([b]) - sizeOf([a]))[0] }];
  });
}

function sizeOf(entries: readonly EnvironmentEntry[]): number {
  const texts = entries.map(({ name, value }) => JSON.stringify([name, value]));
  return new TextEncoder().encode(texts.join("")).length + texts.length * ENTRY_BYTES;
}
