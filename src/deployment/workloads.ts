import type { RunnableServiceName, ServiceName } from "../config/written-config.ts";
import type { DeploymentChoices } from "./choices.ts";
import type { Workload } from "./deployment.ts";
import { pluginEnvironment } from "./environment/plugin.ts";
import { serviceEnvironment } from "./environment/service.ts";
import { servicePath } from "./places.ts";
import type { Plugin } from "./plugins.ts";

/** The workloads of a deployment: services in config order, each in its host, then plugins. Names are unique. */
export function resolveWorkloads(basis: DeploymentChoices): readonly Workload[] {
  const hosts = [...new Set(basis.services.map((service) => basis.release.host[service]))];
  return [
    ...hosts.map((host) => serviceWorkload(basis, host)),
    ...basis.plugins.map((plugin) => pluginWorkload(basis, plugin)),
  ];
}

function serviceWorkload(basis: DeploymentChoices, name: RunnableServiceName): Workload {
  const inside = basis.services.filter((service) => basis.release.host[service] === name);
  const hosts: ServiceName[] = [
    ...inside.filter((service) => service === name),
    ...inside.filter((service) => service !== name),
  ];
  return {
    name,
    kind: "service",
    hosts,
    path: servicePath(basis.document, hosts[0] ?? name),
    environment: serviceEnvironment(basis, name),
    image: serviceImage(basis, name),
    sourceDirectory: null,
  };
}

function serviceImage(basis: DeploymentChoices, name: RunnableServiceName): Workload["image"] {
  const override = basis.config.imageOverrides?.[name];
  if (override !== undefined)
    return { reference: override, provenance: { kind: "config", path: ["imageOverrides", name] } };
  const published = basis.release.images?.[name];
  if (published === undefined) return null;
  return {
    reference: published,
    provenance: {
      kind: "default",
      release: basis.release.version,
      how: `the ${name} image that qm ${basis.release.version} published`,
    },
  };
}

function pluginWorkload(basis: DeploymentChoices, plugin: Plugin): Workload {
  return {
    name: plugin.name,
    kind: "plugin",
    hosts: [],
    path: plugin.path,
    environment: pluginEnvironment(basis, plugin),
    image:
      plugin.image === null
        ? null
        : { reference: plugin.image, provenance: { kind: "config", path: [...plugin.path, "image"] } },
    sourceDirectory: plugin.sourceDirectory,
  };
}
