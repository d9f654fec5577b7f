import type { RunnableServiceName, ServiceName } from "../config/written-config.ts";
import type { DeploymentChoices, Workload } from "./deployment.ts";
import { pluginEnvironment, serviceEnvironment } from "./environment/environment.ts";
import { type Plugin, servicePath } from "./plugins.ts";
import { defaultOf, writtenAt } from "./provenance.ts";

/** The workloads of a deployment: services in config order, each in its host, then plugins. Names are unique. */
export function resolveWorkloads(choices: DeploymentChoices): readonly Workload[] {
  const { host } = choices.release.release;
  const hosts = [...new Set(choices.services.map((service) => host[service]))];
  return [
    ...hosts.map((name) => serviceWorkload(choices, name)),
    ...choices.plugins.map((plugin) => pluginWorkload(choices, plugin)),
  ];
}

function serviceWorkload(choices: DeploymentChoices, name: RunnableServiceName): Workload {
  const { host } = choices.release.release;
  const inside = choices.services.filter((service) => host[service] === name);
  const hosts: ServiceName[] = [
    ...inside.filter((service) => service === name),
    ...inside.filter((service) => service !== name),
  ];
  return {
    name,
    kind: "service",
    hosts,
    path: servicePath(choices.document, hosts[0] ?? name),
    environment: serviceEnvironment(choices, name),
    image: serviceImage(choices, name),
    sourceDirectory: null,
  };
}

function serviceImage({ config, release }: DeploymentChoices, name: RunnableServiceName): Workload["image"] {
  const override = config.imageOverrides?.[name];
  if (override !== undefined) return { reference: override, provenance: writtenAt(["imageOverrides", name]) };
  const { version, images } = release.release;
  const published = images?.[name];
  if (published === undefined) return null;
  const provenance = defaultOf(release.release, `the ${name} image that qm ${version} published`);
  return { reference: published, provenance };
}

function pluginWorkload(choices: DeploymentChoices, plugin: Plugin): Workload {
  const { name, path, image, sourceDirectory } = plugin;
  return {
    name,
    kind: "plugin",
    hosts: [],
    path,
    environment: pluginEnvironment(choices, plugin),
    image: image === null ? null : { reference: image, provenance: writtenAt([...path, "image"]) },
    sourceDirectory,
  };
}
