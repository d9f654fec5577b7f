import type { Deployment, Secret, Workload } from "./deployment.ts";
import type { EnvironmentEntry } from "./provenance.ts";

/** An environment name that a workload would get both plainly and as a secret, which no container can. */
export interface EnvConflict {
  readonly workload: Workload;
  readonly entry: EnvironmentEntry;
  readonly secret: Secret;
}

/** The names of a deployment that are both, in the order of its secrets; a name with two secrets is there for each. */
export function findEnvConflicts({ workloads, secrets }: Deployment): readonly EnvConflict[] {
  const found: EnvConflict[] = [];
  const byName = new Map(
    workloads.map((workload) => {
      const entries = new Map(workload.environment.map((entry) => [entry.name, entry]));
      return [workload.name, { workload, entries }];
    }),
  );
  for (const secret of secrets) {
    for (const { workload: name, env } of secret.destinations) {
      const known = byName.get(name);
      const entry = known?.entries.get(env);
      if (known !== undefined && entry !== undefined) found.push({ workload: known.workload, entry, secret });
    }
  }
  return found;
}

/** True for a value that was written under its own name in `env` of a service or plugin; false for what qm makes. */
export function isWrittenEnv({ name, provenance }: EnvironmentEntry): boolean {
  return (
    provenance.kind === "config" &&
    provenance.path.at(-1) === name &&
    provenance.path.at(provenance.path[0] === "plugins" ? 2 : 0) === "env"
  );
}
