import { shellWord } from "../../../base/shell-word.ts";
import { dockerName, flyAppPrefix } from "../../../deployment/derived-names.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { flyAppName } from "../../../render/fly-toml.ts";
import { inStartOrder } from "../../../render/workloads.ts";
import { type Step, step } from "./step.ts";

/** What names the place where the workloads, the database and the volumes of a deployment are. */
export function placeOf({
  target,
  config,
}: Deployment): readonly (readonly [field: string, value: string | undefined])[] {
  if (target === "docker") return [["orgId", config.orgId]];
  if (target === "fly")
    return [
      ["appPrefix", flyAppPrefix(config)?.value],
      ["flyOrg", config.flyOrg],
    ];
  return [
    ["aws.accountId", config.aws?.accountId],
    ["aws.region", config.aws?.region],
    ["aws.cluster", config.aws?.cluster],
  ];
}

/** True where everything is brought up anew somewhere else, and nothing that runs is changed. */
export function isMoved(before: Deployment, after: Deployment): boolean {
  if (before.target !== after.target || after.target === null) return true;
  const now = new Map(placeOf(after));
  return placeOf(before).some(([field, value]) => now.get(field) !== value);
}

/** Ends what ran in the old place. */
export function leavingStep(before: Deployment, because: readonly string[]): Step {
  const title = `end what runs on ${before.target ?? "the old target"} in the old place, once nothing there is missed`;
  const backwards = inStartOrder(before.workloads).toReversed();
  if (before.target === "docker")
    return step(because, title, {
      detail: "volumes stay until `docker volume rm` removes them",
      commands: [`docker compose -p ${shellWord(dockerName(before.config))} down`],
    });
  if (before.target === "fly")
    return step(because, title, {
      detail: "each command asks before it destroys an app",
      commands: backwards.map(({ name }) => `fly apps destroy ${shellWord(flyAppName(before, name))}`),
    });
  return step(because, title, { detail: "`terraform destroy` with the variables and the state of the old place" });
}
