import { own } from "../base/json.ts";
import { stringify, type TomlTable } from "smol-toml";
import type { FlyTemplate } from "../catalog/targets/fly.ts";
import { FLY_TEMPLATES } from "../catalog/fly-templates.generated.ts";
import type { WrittenVm } from "../config/written-config.ts";
import type { Deployment, Workload } from "../deployment/deployment.ts";
import { flyAppPrefix } from "../deployment/derived-names.ts";
import { generatedHeader, publicArtifact, type RenderContext, type RenderOutput } from "./artifact.ts";
import { refuse, refuseWorkload } from "./refusals.ts";

const WHY_NOT_BOTH = "on Fly the secret would win over `[env]` without a word";

/** One `<workload>.fly.toml` per app. */
export function renderFlyTomls(context: RenderContext): readonly RenderOutput[] {
  return context.deployment.workloads.flatMap((workload) => renderOne(context, workload));
}

/** The file of a workload's app. */
export function flyTomlName(workload: string): string {
  return `${workload}.fly.toml`;
}

function renderOne(context: RenderContext, workload: Workload): readonly RenderOutput[] {
  const { deployment } = context;
  const artifact = flyTomlName(workload.name);
  const template = templateOf(deployment, workload);
  const refusals = refuseWorkload(context, workload, artifact, WHY_NOT_BOTH);
  if (template === null) return [...refusals, refuseUnknownApp(deployment, workload, artifact)];
  if (refusals.length > 0) return refusals;
  const source =
    workload.image === null
      ? [`Built by Fly from ${workload.sourceDirectory}/Dockerfile: deploy it from that directory.`]
      : [];
  const text = `${generatedHeader("#", ...source)}\n${tomlText(flyApp(deployment, workload, template))}`;
  return [publicArtifact(artifact, text)];
}

function refuseUnknownApp(deployment: Deployment, workload: Workload, artifact: string): RenderOutput {
  return refuse(deployment, {
    artifact,
    rule: "render/incomplete",
    path: workload.path,
    message: `qm ${deployment.release.resolved} has no Fly app for \`${workload.name}\``,
    help: "this is a gap of qm-deploy: please report it",
  });
}

/** Fly's limit for how a plugin is watched: its port takes connections (docs/contract/qm-rendering.md#fly). */
const PLUGIN_TEMPLATE: FlyTemplate = {
  kill_signal: "SIGTERM",
  kill_timeout: "10s",
  env: {},
  vm: [],
  checks: { port: { type: "tcp", port: 8080, interval: "15s", timeout: "2s", grace_period: "10s" } },
};

/** Name of the Fly app of a workload. */
export function flyAppName(deployment: Deployment, workload: string): string {
  return `${flyAppPrefix(deployment.config)?.value ?? ""}-${workload}`;
}

function flyApp(deployment: Deployment, workload: Workload, template: FlyTemplate): object {
  const { kill_signal, kill_timeout, env: _decided, vm, ...rest } = template;
  const image = workload.image?.reference;
  return {
    app: flyAppName(deployment, workload.name),
    primary_region: deployment.config.region ?? "",
    kill_signal,
    kill_timeout,
    ...(image === undefined ? {} : { build: { image } }),
    ...rest,
    env: Object.fromEntries(workload.environment.map(({ name, value }) => [name, value])),
    ...sized(vm, vmOf(deployment, workload.name)),
  };
}

/** Null where the release has no template for the service. */
function templateOf(deployment: Deployment, workload: Workload): FlyTemplate | null {
  if (workload.kind === "plugin") return PLUGIN_TEMPLATE;
  const templates = FLY_TEMPLATES[deployment.release.resolved];
  return templates?.[workload.name as keyof typeof templates] ?? null;
}

function vmOf(deployment: Deployment, workload: string): WrittenVm {
  return own<WrittenVm | undefined>(deployment.config.vms, workload) ?? {};
}

function sized(vm: FlyTemplate["vm"], written: WrittenVm): { readonly vm?: readonly object[] } {
  if (vm.length === 0) return {};
  return {
    vm: vm.map((one) => ({
      ...one,
      ...(written.size === undefined ? {} : { size: written.size }),
      ...(written.memory === undefined ? {} : { memory: written.memory }),
    })),
  };
}

/**
 * TOML of a table. Scalars come before tables, as TOML demands, so nothing lands inside `[[vm]]` by accident. Strings are
 * basic single-line ones; DEL and the other characters that TOML forbids raw are escaped here, as smol-toml leaves some.
 */
export function tomlText(table: object): string {
  return stringify(table as TomlTable).replace(
    FORBIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

// eslint-disable-next-line no-control-regex -- control characters are what is looked for; tab and line feed are layout
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g;
