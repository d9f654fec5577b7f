import type { JsonObject, JsonValue } from "../../base/json.ts";
import { compareText } from "../../base/text-order.ts";
import { object, optionalList, optionalNumber, optionalObject, optionalText, text } from "../answer.ts";
import { digestOf } from "../../catalog/grammar/image-reference.ts";
import {
  type KnownNames,
  knownNames,
  type LiveDeployment,
  type LiveImage,
  type RunningWorkload,
  sortEnvironment,
} from "../workload.ts";
import type { DockerAnswers } from "./answers.ts";
import { healthText, mountText, portText, type RenderedService } from "./rendered.ts";

const COMPOSE = "com.docker.compose";

/** The directory of the compose file that a service was started from; null where no container says so. */
export function workingDirectory({ containers }: DockerAnswers, service: string): string | null {
  const labels = containers.map(labelsOf).find((one) => one[`${COMPOSE}.service`] === service);
  return optionalText(labels?.[`${COMPOSE}.project.working_dir`]) || null;
}

/**
 * What docker runs of a deployment: the containers of the compose project, and those of a workload's name, however they were started.
 *
 * @throws {AnswerError} where an answer is not docker's
 */
export function runningContainers(
  { containers, images }: DockerAnswers,
  rendered: readonly RenderedService[],
  project: string,
): LiveDeployment {
  const workloads: RunningWorkload[] = [];
  const strangers: LiveDeployment["strangers"][number][] = [];
  const all = images.map((one) => object(one, "an image"));
  for (const container of containers.map((one) => object(one, "a container"))) {
    const labels = labelsOf(container);
    const name = nameOf(container);
    const isOurs = labels[`${COMPOSE}.project`] === project;
    const service = rendered.find((one) =>
      isOurs ? one.name === labels[`${COMPOSE}.service`] : one.containerName === name,
    );
    if (isOneOff(labels)) continue;
    if (service !== undefined) workloads.push(runningContainer(container, service, imageOf(container, all), project));
    else if (isOurs && idleness(container) === null) strangers.push({ name, unit: `container ${name}` });
  }
  return { workloads, strangers, empty: new Set() };
}

function labelsOf(container: JsonValue): JsonObject {
  return optionalObject(optionalObject(optionalObject(container)["Config"])["Labels"]);
}

function nameOf(container: JsonObject): string {
  return text(container["Name"], "`Name` of a container").replace(/^\//, "");
}

/** What `docker compose run` starts is over when its work is done. */
function isOneOff(labels: JsonObject): boolean {
  return optionalText(labels[`${COMPOSE}.oneoff`]).toLowerCase() === "true";
}

function imageOf(container: JsonObject, images: readonly JsonObject[]): JsonObject | null {
  const id = container["Image"];
  const name = optionalObject(container["Config"])["Image"];
  const names = (image: JsonObject): readonly JsonValue[] => [
    ...optionalList(image["RepoTags"]),
    ...optionalList(image["RepoDigests"]),
  ];
  const found =
    images.find((image) => image["Id"] === id) ?? images.find((image) => names(image).includes(name ?? null));
  return found ?? null;
}

function runningContainer(
  container: JsonObject,
  service: RenderedService,
  image: JsonObject | null,
  project: string,
): RunningWorkload {
  const config = object(container["Config"], "`Config` of a container");
  const host = optionalObject(container["HostConfig"]);
  const known = knownNames(service);
  const name = nameOf(container);
  const labels = labelsOf(container);
  return {
    name: service.name,
    unit: `container ${name}`,
    idle: idleness(container),
    image: liveImage(optionalText(config["Image"]), image),
    ...environmentOf(config, image, known),
    staged: new Set(),
    ports: portsOf(host),
    mounts: mountsOf(container),
    size: new Map([
      ["cpus", limitText((optionalNumber(host["NanoCpus"]) ?? 0) / 1e9)],
      ["memory", limitText((optionalNumber(host["Memory"]) ?? 0) / 1_048_576, " MiB")],
    ]),
    settings: new Map([
      ["compose project", optionalText(labels[`${COMPOSE}.project`]) || "none"],
      ["container_name", name],
      ["restart", restartText(optionalObject(host["RestartPolicy"]))],
      ["labels.qm.org", optionalText(labels["qm.org"])],
      ["networks.default.aliases", aliasesOf(container, name, service, project)],
      ["healthcheck", healthOf(optionalObject(config["Healthcheck"]))],
      ["group_add", optionalList(host["GroupAdd"]).length === 0 ? "none" : "a group"],
      ...extraSettings(config, host, image),
    ]),
  };
}

/** What is rendered nowhere, so that it is the image's or none: told where it is something else. */
function extraSettings(config: JsonObject, host: JsonObject, image: JsonObject | null): readonly [string, string][] {
  const own = (read: (config: JsonObject) => string): string => {
    const is = read(config);
    return image === null || is === read(optionalObject(image["Config"])) ? "" : is;
  };
  const all: readonly [string, string][] = [
    ["user", own(({ User: user }) => optionalText(user))],
    ["command", own(({ Entrypoint: entry, Cmd: args }) => words(entry, args))],
    ["privileged", host["Privileged"] === true ? "true" : ""],
    ["cap_add", words(host["CapAdd"])],
  ];
  return all.filter(([, is]) => is !== "");
}

function words(...lists: readonly (JsonValue | undefined)[]): string {
  return lists.flatMap((one) => optionalList(one).map(optionalText)).join(" ");
}

/** Null for a container that runs. One that is started over and over runs only at times. */
function idleness(container: JsonObject): string | null {
  const {
    Running: running,
    Restarting: restarting,
    Paused: paused,
    Status: status,
  } = optionalObject(container["State"]);
  if (running === true && restarting !== true && paused !== true) return null;
  return optionalText(status) || "stopped";
}

function liveImage(reference: string, image: JsonObject | null): LiveImage {
  const digests = optionalList(image?.["RepoDigests"]).flatMap((one) => digestOf(optionalText(one)) ?? []);
  return { reference, digests };
}

/** Docker mixes what the image sets with what the container was given; only with the image at hand they can be told apart. */
function environmentOf(config: JsonObject, image: JsonObject | null, known: KnownNames) {
  const entries = optionalList(config["Env"]).flatMap((one) => entryOf(one));
  const { secretNames, ...sorted } = sortEnvironment(entries, known);
  const given = new Map(optionalList(optionalObject(image?.["Config"])["Env"]).flatMap((one) => entryOf(one)));
  const values = new Map(entries);
  const otherNames = [...sorted.otherNames].filter((name) => image !== null && given.get(name) !== values.get(name));
  // A blank secret is none: compose hands over what stands in the file.
  const secrets = secretNames.filter((name) => values.get(name)?.trim() !== "");
  return {
    environment: sorted.environment,
    otherNames: new Set(otherNames),
    secrets: new Map(secrets.map((name) => [name, null])),
  };
}

function entryOf(pair: JsonValue): readonly (readonly [name: string, value: string])[] {
  const [, name, value] = /^([^=]+)=([^]*)$/.exec(optionalText(pair)) ?? [];
  return name === undefined || value === undefined ? [] : [[name, value]];
}

function portsOf(host: JsonObject): readonly string[] {
  return Object.entries(optionalObject(host["PortBindings"]))
    .flatMap(([inside, bindings]) =>
      optionalList(bindings).map((one) => {
        const { HostIp: ip, HostPort: port } = optionalObject(one);
        return portText(optionalText(ip), optionalText(port), inside);
      }),
    )
    .sort(compareText);
}

/** Docker makes a volume with a random name for each place that an image calls one. */
const ANONYMOUS = /^[0-9a-f]{64}$/;

function mountsOf(container: JsonObject): ReadonlyMap<string, string> {
  const mounts = optionalList(container["Mounts"]).map((one) => object(one, "a mount"));
  return new Map(
    mounts
      .filter(({ Type: type, Name: name }) => !(type === "volume" && ANONYMOUS.test(optionalText(name))))
      .map(({ Type: type, Name: name, Source: source, Destination: path, RW: writable }) => [
        text(path, "`Destination` of a mount"),
        mountText(optionalText(type), optionalText(type === "volume" ? name : source), writable !== false),
      ]),
  );
}

function limitText(amount: number, unit = ""): string {
  return amount === 0 ? "no limit" : `${amount}${unit}`;
}

function restartText({ Name: name, MaximumRetryCount: retries }: JsonObject): string {
  const policy = optionalText(name) || "no";
  return policy === "on-failure" && optionalNumber(retries) ? `${policy}:${optionalNumber(retries)}` : policy;
}

/** Docker and compose give each container its name, the service's and the beginning of its id besides. */
function aliasesOf(container: JsonObject, name: string, service: RenderedService, project: string): string {
  const networks = optionalObject(optionalObject(container["NetworkSettings"])["Networks"]);
  const network = networks[`${project}_default`] ?? Object.values(networks)[0];
  const id = optionalText(container["Id"]);
  const is = new Set(optionalList(optionalObject(network)["Aliases"]).map(optionalText));
  const should = (service.settings.get("networks.default.aliases") ?? "").split(", ");
  const kept = should.filter((alias) => is.has(alias));
  const isGiven = (alias: string): boolean => alias === name || alias === service.name || id.startsWith(alias);
  const others = [...is].filter((alias) => !should.includes(alias) && !isGiven(alias));
  return [...kept, ...others.sort(compareText)].join(", ");
}

function healthOf({
  Test: test,
  Interval: interval,
  Timeout: timeout,
  Retries: retries,
  StartPeriod: start,
}: JsonObject) {
  if (optionalList(test).length === 0) return healthText(null, [], 0);
  const durations = [interval, timeout, start].map((one) => `${(optionalNumber(one) ?? 0) / 1e9}s`);
  return healthText(optionalList(test), durations, optionalNumber(retries) ?? 0);
}
