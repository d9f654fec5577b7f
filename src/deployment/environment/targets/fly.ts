import { FLY_TEMPLATES } from "../../../catalog/fly-templates.generated.ts";
import { flyDeployAppPrefix, flyDeploymentId } from "../../derived-names.ts";
import { derivedFrom, writtenAt } from "../../provenance.ts";
import type { EnvironmentBuilder } from "../builder.ts";

/** What the template of the service says, weakest of all. */
export function putTemplate(env: EnvironmentBuilder): void {
  const { service, release } = env;
  const template = service === null ? undefined : FLY_TEMPLATES[release.version]?.[service];
  for (const [name, value] of Object.entries(template?.env ?? {}))
    env.putName(name, value, {
      kind: "default",
      release: release.version,
      how: `template of ${service} on fly`,
    });
}

export function putDeployPrefix(env: EnvironmentBuilder): void {
  const prefix = flyDeployAppPrefix(env.choices.config);
  if (prefix !== null)
    env.put("core.flyDeployAppPrefix", prefix.value, derivedFrom(prefix.from, "prefix of the apps that agents deploy"));
}

/** `flyOrg` alone says where core deploys: an entry of `env.core` cannot. */
export function putOrg(env: EnvironmentBuilder): void {
  const org = env.choices.config.flyOrg?.trim();
  if (org) env.put("core.flyOrg", org, writtenAt(["flyOrg"]));
  else env.drop("core.flyOrg");
}

/**
 * Under a release with layer images, deployed apps start from the image of the sandboxes, where there is one; `env.core`
 * has no say in it either.
 */
export function putDeployBaseImage(env: EnvironmentBuilder): void {
  if (!env.release.layerImages) return;
  const base = env.get("core.flyBaseImage");
  if (base === undefined) env.drop("core.flyDeployBaseImage");
  else env.put("core.flyDeployBaseImage", base.value, base.provenance);
}

/** The mark by which qm knows the deployment's apps. */
export function putIdentity(env: EnvironmentBuilder): void {
  const id = flyDeploymentId(env.choices.config);
  if (id !== null) env.put("all.deploymentId", id.value, derivedFrom(id.from, "the mark of the deployment's apps"));
}
