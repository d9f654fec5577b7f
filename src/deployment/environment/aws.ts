import type { RunnableServiceName } from "../../config/written-config.ts";
import type { DeploymentChoices } from "../choices.ts";
import { objectStoreBucket } from "../object-store.ts";
import { envValue } from "../env-values.ts";
import { putBroker } from "./broker.ts";
import type { EnvironmentBuilder } from "./builder.ts";
import { putBackendEnv, putBackendName, putModel, putSecurityScreen } from "./core-parts.ts";
import { putOrganization } from "./organization.ts";
import { putCoreAddress, putUpstream } from "./upstreams.ts";
import { putHostedEnv, putServiceEnv } from "./written.ts";

/** Core's environment on aws: stores and what the backend needs override `env` (docs/contract/qm-rendering.md#aws). */
export function putAwsCore(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  putOrganization(builder, basis, "core");
  putModel(builder, basis);
  putBackendName(builder, basis);
  putServiceEnv(builder, basis, "slack");
  putServiceEnv(builder, basis, "core");
  putSecurityScreen(builder, basis);
  putBackendEnv(builder, basis);
  putStores(builder, basis);
  putBroker(builder, basis, "core");
}

/** The environment of a service other than core on aws: wiring overrides `env`. */
export function putAwsService(
  builder: EnvironmentBuilder,
  basis: DeploymentChoices,
  service: RunnableServiceName,
): void {
  putOrganization(builder, basis, service);
  putCoreAddress(builder, basis);
  putHostedEnv(builder, basis, service);
  if (service === "portal") {
    putUpstream(builder, basis, "web-ui");
    putUpstream(builder, basis, "admin");
    builder.putFixed("PORTAL_XFF_TRUSTED_HOPS", "1", "the load balancer is the one proxy before the portal");
  }
  putBroker(builder, basis, service);
  if (basis.services.includes("portal") && (service === "web-ui" || service === "admin")) {
    builder.putDerived("REQUIRE_SIGNED_PORTAL_IDENTITY", "1", [["services"]], "the portal stands before it");
  }
}

function putStores(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  const fixed = "where aws deployments keep it";
  const region = basis.config.aws?.region;
  putDeployProvider(builder, basis);
  builder.putFixed("SESSION_STORE", "postgres", fixed);
  builder.putFixed("RUN_STORE", "postgres", fixed);
  builder.putFixed("SNAPSHOT_STORE", "s3", fixed);
  builder.putFixed("TRANSFER_STORE", "s3", fixed);
  if (region !== undefined) {
    builder.putWritten("AWS_DEPLOY_REGION", region, ["aws", "region"]);
    builder.putWritten("S3_REGION", region, ["aws", "region"]);
  }
  const own = envValue(basis.config, "core", "S3_BUCKET");
  const bucket = objectStoreBucket(basis.config);
  if (own !== null) builder.putWritten("S3_BUCKET", own.value, own.path);
  else if (bucket !== null) builder.putDerived("S3_BUCKET", bucket.name, bucket.from, "the deployment's object store");
}

/** Who runs the apps that agents deploy. A release that always demands AWS_DEPLOY_IMAGE knows no other provider on aws. */
function putDeployProvider(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  const own = basis.release.awsDeployImage === "always" ? null : envValue(basis.config, "core", "DEPLOY_PROVIDER");
  if (own !== null) builder.putWritten("DEPLOY_PROVIDER", own.value, own.path);
  else builder.putFixed("DEPLOY_PROVIDER", "aws", "agents' apps run beside the deployment");
}
