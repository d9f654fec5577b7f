import { FLY_TEMPLATES } from "../../catalog/fly-templates.generated.ts";
import type { FlyTemplate } from "../../catalog/fly-template.ts";
import type { WrittenVm } from "../../config/written-config.ts";
import type { Deployment, Workload } from "../../deployment/deployment.ts";
import { flyAppPrefix } from "../../deployment/derived-names.ts";

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

/** The data of a workload's fly.toml; null where the release has no template for the service. */
export function flyApp(deployment: Deployment, workload: Workload): object | null {
  const template = templateOf(deployment, workload);
  if (template === null) return null;
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

function templateOf(deployment: Deployment, workload: Workload): FlyTemplate | null {
  if (workload.kind === "plugin") return PLUGIN_TEMPLATE;
  const templates = FLY_TEMPLATES[deployment.release.resolved];
  return templates?.[workload.name as keyof typeof templates] ?? null;
}

function vmOf(deployment: Deployment, workload: string): WrittenVm {
  const vms: { readonly [name: string]: WrittenVm | undefined } = deployment.config.vms ?? {};
  return (Object.hasOwn(vms, workload) ? vms[workload] : undefined) ?? {};
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
