import { FLY_TEMPLATES } from "../../catalog/fly-templates.generated.ts";
import type { RunnableServiceName } from "../../config/written-config.ts";
import type { DeploymentChoices } from "../choices.ts";
import { flyDeployAppPrefix, flyDeploymentId } from "../fly-names.ts";
import { putBroker } from "./broker.ts";
import type { EnvironmentBuilder } from "./builder.ts";
import { putBackendEnv, putBackendName, putModel, putSecurityScreen } from "./core-parts.ts";
import { putOrganization } from "./organization.ts";
import { putCoreAddress, putUpstream } from "./upstreams.ts";
import { putHostedEnv, putServiceEnv } from "./written.ts";

/** Core's environment on fly, in the order of docs/contract/qm-rendering.md#fly: the model beats slack there. */
export function putFlyCore(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  putTemplate(builder, basis, "core");
  putOrganization(builder, basis, "core");
  putBroker(builder, basis, "core");
  const deployPrefix = flyDeployAppPrefix(basis.config);
  if (deployPrefix !== null)
    builder.putDerived(
      "FLY_DEPLOY_APP_PREFIX",
      deployPrefix.value,
      deployPrefix.from,
      "prefix of the apps that agents deploy",
    );
  putBackendName(builder, basis);
  putBackendEnv(builder, basis);
  putServiceEnv(builder, basis, "slack");
  putModel(builder, basis);
  putServiceEnv(builder, basis, "core");
  putSecurityScreen(builder, basis);
  putFlyOrg(builder, basis);
  if (basis.release.layerImages) putDeployBaseImage(builder);
  putFlyIdentity(builder, basis);
}

/** The environment of a service other than core on fly. */
export function putFlyService(
  builder: EnvironmentBuilder,
  basis: DeploymentChoices,
  service: RunnableServiceName,
): void {
  putTemplate(builder, basis, service);
  putCoreAddress(builder, basis);
  putOrganization(builder, basis, service);
  putBroker(builder, basis, service);
  if (service === "portal") {
    putUpstream(builder, basis, "web-ui");
    putUpstream(builder, basis, "admin");
  }
  putHostedEnv(builder, basis, service);
  putFlyIdentity(builder, basis);
}

/** Puts the mark by which qm knows the deployment's apps. */
export function putFlyIdentity(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  const id = flyDeploymentId(basis.config);
  if (id !== null) builder.putDerived("QM_DEPLOYMENT_ID", id.value, id.from, "the mark of the deployment's apps");
}

function putTemplate(builder: EnvironmentBuilder, basis: DeploymentChoices, service: RunnableServiceName): void {
  const template = FLY_TEMPLATES[basis.release.version]?.[service];
  for (const [name, value] of Object.entries(template?.env ?? {})) {
    builder.put(name, value, { kind: "default", release: basis.release.version, how: `template of ${service} on fly` });
  }
}

/** `flyOrg` alone says where core deploys: an entry of `env.core` cannot. */
function putFlyOrg(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  const org = basis.config.flyOrg?.trim();
  if (org) builder.putWritten("FLY_ORG", org, ["flyOrg"]);
  else builder.drop("FLY_ORG");
}

/** Deployed apps start from the image of the sandboxes, where there is one; `env.core` has no say in it either. */
function putDeployBaseImage(builder: EnvironmentBuilder): void {
  const base = builder.get("FLY_BASE_IMAGE");
  if (base === undefined) builder.drop("FLY_DEPLOY_BASE_IMAGE");
  else builder.put("FLY_DEPLOY_BASE_IMAGE", base.value, base.provenance);
}
