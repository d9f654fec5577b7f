import type { TargetName } from "../../../config/written-config.ts";
import type { Deployment, Workload } from "../../../deployment/deployment.ts";
import { taskDefinitionName } from "../../../render/aws/task-definition.ts";
import { COMPOSE } from "../../../render/docker/names.ts";
import { flyTomlName } from "../../../render/fly-toml.ts";
import type { Changes, RenderedDeployment } from "../changes.ts";

/** The file that starts a workload by itself; null on docker, where one file starts them all. */
const FILE_OF: { readonly [target in TargetName]: ((workload: string) => string) | null } = {
  docker: null,
  fly: flyTomlName,
  aws: taskDefinitionName,
};

/** What asks for something to be done about the workloads of a deployment: each name with why. */
export type Affected = ReadonlyMap<string, readonly string[]>;

/** The workloads that run otherwise than before, those that are new among them, with the changes that make it so. */
export function affectedWorkloads(changes: Changes, after: Deployment): Affected {
  const changed = new Set(changes.workloads.map(({ name }) => name));
  const artifacts = new Set(changes.artifacts?.map(({ name }) => name));
  const file = after.target === null ? null : FILE_OF[after.target];
  const reasons = (workload: Workload): readonly string[] => [
    ...(changed.has(workload.name) ? [workload.name] : []),
    ...(file === null ? [] : [renderedName(after, file(workload.name))].filter((name) => artifacts.has(name))),
    ...secretsFor(changes, after, workload.name),
  ];
  return new Map(
    after.workloads.map((workload) => [workload.name, reasons(workload)] as const).filter(([, why]) => why.length > 0),
  );
}

/** The artifacts that start workloads, or hold their environment, and cannot be rendered now, by path; `check` says why. */
export function refusedArtifacts({ deployment, rendered }: RenderedDeployment): ReadonlySet<string> {
  return new Set(rendered.refusals.map(({ artifact }) => renderedName(deployment, artifact)));
}

/** True where the file that starts a workload cannot be rendered. */
export function isBlocked(after: Deployment, refused: ReadonlySet<string>, workload: string): boolean {
  const file = after.target === null ? null : FILE_OF[after.target];
  return refused.has(renderedName(after, file === null ? COMPOSE : file(workload)));
}

/** The path of an artifact below the deployment directory. */
export function renderedName({ target }: Deployment, artifact: string): string {
  return `rendered/${target}/${artifact}`;
}

/** The secrets that newly reach a workload, or no longer do; those that nobody has to set are left out. */
export function secretsFor({ secrets }: Changes, after: Deployment, workload: string): readonly string[] {
  const reached = new Set(
    after.secrets.flatMap(({ name, destinations }) =>
      destinations.some((one) => one.workload === workload) ? [name] : [],
    ),
  );
  const reaches = (place: string): boolean => place.startsWith(`${workload}.`);
  const added = secrets.add.filter(({ name, required }) => required && reached.has(name));
  const changed = secrets.change.filter(
    ({ name, required, addedTo, removedFrom }) =>
      [...addedTo, ...removedFrom].some(reaches) || (required.to && !required.from && reached.has(name)),
  );
  return [...added, ...changed].map(({ name }) => name);
}
