import type { CoreEnvContext } from "../../catalog/backends/backend.ts";
import type { DeploymentChoices } from "../choices.ts";
import { objectStoreBucket } from "../object-store.ts";
import { coreEnvironment } from "../env-values.ts";
import { derivedFrom } from "../provenance.ts";
import { selectingPlaces } from "../backend-selection.ts";
import type { EnvironmentBuilder } from "./builder.ts";

const BACKEND_NAME = "SANDBOX_BACKEND";

/** Puts the model and its provider as the config declares them. */
export function putModel(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  const { model, modelProvider } = basis.config;
  if (model !== undefined && model.trim() !== "") builder.putWritten("PI_MODEL", model, ["model"]);
  if (modelProvider !== undefined) builder.putWritten("MODEL_PROVIDER", modelProvider, ["modelProvider"]);
}

/**
 * Puts the backend that the declaration or the release's default gives core, below `env`, which may name another. The
 * sum of the two is what the selection computed.
 */
export function putBackendName(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  const { declared, effective } = basis.sandbox;
  if (declared !== null) builder.putWritten(BACKEND_NAME, declared.name, declared.path);
  else if (effective !== null && effective.provenance.kind !== "config")
    builder.put(BACKEND_NAME, effective.name, effective.provenance);
}

/** Puts what the selected backends need besides their name; the primary one is put last and wins. */
export function putBackendEnv(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  const { target, config } = basis;
  if (target === null) return;
  for (const backend of [...basis.sandbox.selected].reverse()) {
    const context: CoreEnvContext = {
      target,
      release: basis.release,
      orgId: config.orgId ?? "",
      sandbox: config.sandbox ?? {},
      primary: basis.sandbox.effective?.name === backend.name,
      because: selectingPlaces(basis.sandbox, backend.name),
      coreEnv: coreEnvironment(config),
      aws: awsParts(basis),
    };
    for (const entry of backend.coreEnv(context)) {
      if (entry.name !== BACKEND_NAME) builder.put(entry.name, entry.value, derivedFrom(entry.from, entry.how));
    }
  }
}

/** Puts the security screen, which its own block governs. */
export function putSecurityScreen(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  const { securityScreen: screen } = basis.config;
  const { release } = basis;
  if (screen?.backend === undefined) {
    if (!release.securityScreenAlwaysRendered) return;
    builder.put("SECURITY_SCREEN_BACKEND", "off", {
      kind: "default",
      release: release.version,
      how: "no `securityScreen` is declared",
    });
    return;
  }
  if (!release.securityScreen.includes(screen.backend)) return;
  builder.putWritten("SECURITY_SCREEN_BACKEND", screen.backend, ["securityScreen", "backend"]);
  if (screen.backend !== "proxy") return;
  for (const key of ["provider", "endpoint", "rollout"] as const) {
    const value = screen[key];
    if (value !== undefined)
      builder.putWritten(`SECURITY_SCREEN_PROXY_${key.toUpperCase()}`, value, ["securityScreen", key]);
  }
}

function awsParts(basis: DeploymentChoices): CoreEnvContext["aws"] {
  const { accountId, region, cluster } = basis.config.aws ?? {};
  const bucket = objectStoreBucket(basis.config);
  if (
    basis.target !== "aws" ||
    accountId === undefined ||
    region === undefined ||
    cluster === undefined ||
    bucket === null
  )
    return null;
  return { accountId, region, cluster, bucket: bucket.name };
}
