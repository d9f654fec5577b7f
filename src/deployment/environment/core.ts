import type { CoreEnvContext } from "../../catalog/backends/backend.ts";
import { objectStoreBucket } from "../derived-names.ts";
import type { DeploymentChoices } from "../deployment.ts";
import { derivedFrom, writtenAt } from "../provenance.ts";
import type { EnvironmentBuilder } from "./builder.ts";

/** The model and its provider as the config declares them. */
export function putModel(env: EnvironmentBuilder): void {
  const { model, modelProvider } = env.choices.config;
  if (model !== undefined && model.trim() !== "") env.put("core.model", model, writtenAt(["model"]));
  if (modelProvider !== undefined) env.put("core.modelProvider", modelProvider, writtenAt(["modelProvider"]));
}

/**
 * The backend that the declaration or the release's default gives core, below `env`, which may name another. The sum of
 * the two is what the selection computed. No other place puts SANDBOX_BACKEND.
 */
export function putBackendName(env: EnvironmentBuilder): void {
  const { declared, effective } = env.choices.sandbox;
  if (declared !== null) env.put("core.sandboxBackend", declared.name, writtenAt(declared.path));
  else if (effective !== null && effective.provenance.kind !== "config")
    env.put("core.sandboxBackend", effective.name, effective.provenance);
}

/** What the selected backends need besides their name; the primary one is put last and wins. */
export function putBackendEnv(env: EnvironmentBuilder): void {
  const { target, config, sandbox } = env.choices;
  if (target === null) return;
  const context: CoreEnvContext = {
    target,
    release: env.release,
    orgId: config.orgId ?? "",
    sandbox: config.sandbox ?? {},
    coreEnv: (key) => env.get(key)?.value.trim() || null,
    aws: awsParts(env.choices),
  };
  for (const backend of [...sandbox.selected].reverse()) {
    for (const { name, value, from, how } of backend.coreEnv(context)) env.putName(name, value, derivedFrom(from, how));
  }
}

/** The security screen, which its own block governs. */
export function putSecurityScreen(env: EnvironmentBuilder): void {
  const { release } = env;
  const screen = env.choices.config.securityScreen;
  if (screen?.backend === undefined) {
    const how = "no `securityScreen` is declared";
    if (release.securityScreenAlwaysRendered)
      env.put("core.securityScreen", "off", { kind: "default", release: release.version, how });
    return;
  }
  if (!release.securityScreen.includes(screen.backend)) return;
  env.put("core.securityScreen", screen.backend, writtenAt(["securityScreen", "backend"]));
  if (screen.backend !== "proxy") return;
  for (const [field, key] of [
    ["provider", "core.securityScreenProvider"],
    ["endpoint", "core.securityScreenEndpoint"],
    ["rollout", "core.securityScreenRollout"],
  ] as const) {
    const value = screen[field];
    if (value !== undefined) env.put(key, value, writtenAt(["securityScreen", field]));
  }
}

function awsParts({ target, config }: DeploymentChoices): CoreEnvContext["aws"] {
  const { accountId, region, cluster } = config.aws ?? {};
  const bucket = target === "aws" ? objectStoreBucket(config) : null;
  if (accountId === undefined || region === undefined || cluster === undefined || bucket === null) return null;
  return { accountId, region, cluster, bucket: bucket.value };
}
