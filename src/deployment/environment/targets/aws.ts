import { nameOf } from "../../../catalog/settings/index.ts";
import { objectStoreBucket } from "../../derived-names.ts";
import { envValue } from "../../env-values.ts";
import { derivedFrom, fixedBy, writtenAt } from "../../provenance.ts";
import type { EnvironmentBuilder } from "../builder.ts";

const STORES = [
  ["core.sessionStore", "postgres"],
  ["core.runStore", "postgres"],
  ["core.snapshotStore", "s3"],
  ["core.transferStore", "s3"],
] as const;

/** Where core keeps what it stores, and who runs the apps that agents deploy. */
export function putStores(env: EnvironmentBuilder): void {
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
