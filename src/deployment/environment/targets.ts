import { FLY_TEMPLATES } from "../../catalog/fly-templates.generated.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { flyDeployAppPrefix, flyDeploymentId, objectStoreBucket } from "../derived-names.ts";
import { envValue } from "../env-values.ts";
import { hasFiles } from "../inputs.ts";
import { defaultOf, derivedFrom, fixedBy, writtenAt } from "../provenance.ts";
import type { EnvironmentBuilder } from "./builder.ts";

const LAYER_DIRECTORIES = ["sandbox/skills", "sandbox/tools"] as const;

export function putDockerStores(env: EnvironmentBuilder): void {
  env.put("core.dataDirectory", "/data", fixedBy("the volume of core"));
  env.put("core.sessionStore", "postgres", fixedBy("docker keeps sessions in Postgres"));
  env.put("core.runStore", "postgres", fixedBy("docker keeps runs in Postgres"));
}

export function putDeploymentLayer(env: EnvironmentBuilder): void {
  if (LAYER_DIRECTORIES.some((directory) => hasFiles(env.choices.inputs, directory)))
    env.put("core.deploymentLayer", "/layer", fixedBy("`sandbox/` is mounted there"));
}

export function putFlyTemplate(env: EnvironmentBuilder): void {
  const { service, release } = env;
  const template = service === null ? undefined : FLY_TEMPLATES[release.version]?.[service];
  for (const [name, value] of Object.entries(template?.env ?? {}))
    env.putName(name, value, defaultOf(release, `template of ${service} on fly`));
}

export function putFlyDeployPrefix(env: EnvironmentBuilder): void {
  const prefix = flyDeployAppPrefix(env.choices.config);
  if (prefix !== null)
    env.put("core.flyDeployAppPrefix", prefix.value, derivedFrom(prefix.from, "prefix of the apps that agents deploy"));
}

/** `flyOrg` alone says where core deploys: an entry of `env.core` cannot. */
export function putFlyOrg(env: EnvironmentBuilder): void {
  const org = env.choices.config.flyOrg?.trim();
  if (org) env.put("core.flyOrg", org, writtenAt(["flyOrg"]));
  else env.drop("core.flyOrg");
}

/**
 * Under a release with layer images, deployed apps start from the image of the sandboxes, where there is one: that of
 * `sandbox.image`, as qm does, also where `env.core` gives the sandboxes another. `env.core` has no say in it either.
 */
export function putFlyDeployBaseImage(env: EnvironmentBuilder): void {
  if (!env.release.layerImages) return;
  const base = env.get("core.flyBaseImage");
  const layer =
    base === undefined ? undefined : [base, ...base.shadowed].find(({ provenance }) => provenance.kind === "derived");
  if (layer === undefined) env.drop("core.flyDeployBaseImage");
  else env.put("core.flyDeployBaseImage", layer.value, layer.provenance);
}

/** The mark by which qm knows the deployment's apps. */
export function putFlyIdentity(env: EnvironmentBuilder): void {
  const id = flyDeploymentId(env.choices.config);
  if (id !== null) env.put("all.deploymentId", id.value, derivedFrom(id.from, "the mark of the deployment's apps"));
}

const STORES = [
  ["core.sessionStore", "postgres"],
  ["core.runStore", "postgres"],
  ["core.snapshotStore", "s3"],
  ["core.transferStore", "s3"],
] as const;

/** Where core keeps what it stores, and who runs the apps that agents deploy. */
export function putAwsStores(env: EnvironmentBuilder): void {
  const { config } = env.choices;
  // A release that always demands AWS_DEPLOY_IMAGE knows no other provider on aws.
  if (env.release.awsDeployImage === "always" || !putOwn(env, "core.deployProvider"))
    env.put("core.deployProvider", "aws", fixedBy("agents' apps run beside the deployment"));
  for (const [key, value] of STORES) env.put(key, value, fixedBy("where aws deployments keep it"));
  const region = config.aws?.region;
  if (region !== undefined) {
    env.put("core.awsDeployRegion", region, writtenAt(["aws", "region"]));
    env.put("core.s3Region", region, writtenAt(["aws", "region"]));
  }
  const bucket = objectStoreBucket(config);
  if (!putOwn(env, "core.s3Bucket") && bucket !== null)
    env.put("core.s3Bucket", bucket.value, derivedFrom(bucket.from, "the deployment's object store"));
}

/** Puts what `env.core` says of a setting that the target has a value for; false where it says nothing. */
function putOwn(env: EnvironmentBuilder, key: "core.deployProvider" | "core.s3Bucket"): boolean {
  const own = envValue(env.choices.config, "core", nameOf(env.release, key));
  if (own !== null) env.put(key, own.value, writtenAt(own.path));
  return own !== null;
}

export function putTrustedHops(env: EnvironmentBuilder): void {
  if (env.service === "portal")
    env.put("portal.trustedHops", "1", fixedBy("the load balancer is the one proxy before the portal"));
}

/** web-ui and admin trust only what the portal has signed, once it stands before them. */
export function putSignedIdentity(env: EnvironmentBuilder): void {
  if (env.choices.services.includes("portal") && (env.service === "web-ui" || env.service === "admin"))
    env.put("web-ui.signedIdentity", "1", derivedFrom([["services"]], "the portal stands before it"));
}
