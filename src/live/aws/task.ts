import type { JsonObject, JsonValue } from "../../base/json.ts";
import { compareText } from "../../base/text-order.ts";
import { object, optionalList, optionalNumber, optionalObject, optionalText, textEntries } from "../answer.ts";
import { digestOf } from "../../catalog/grammar/image-reference.ts";
import type { LiveWorkload } from "../workload.ts";

/** What a task definition says, as it is registered and as it is described: both are read by the same function. */
export type Task = Omit<LiveWorkload, "name" | "environment" | "secrets"> & {
  readonly environment: readonly (readonly [name: string, value: string])[];
  readonly secrets: ReadonlyMap<string, string>;
};

/** Reads the task definition of a workload, whose container has its name, else is the first. */
export function readTask(definition: JsonObject, workload: string): Task {
  const containers = optionalList(definition["containerDefinitions"]).map((one) => object(one, "a container"));
  const container = containers.find(({ name }) => name === workload) ?? containers[0] ?? {};
  const image = optionalText(container["image"]);
  return {
    image: { reference: image, digests: [digestOf(image) ?? []].flat() },
    environment: pairs(container["environment"], "value"),
    secrets: new Map(pairs(container["secrets"], "valueFrom")),
    ports: optionalList(container["portMappings"])
      .map((one) => portText(optionalObject(one)))
      .sort(compareText),
    mounts: mountsOf(definition, container),
    size: new Map([
      ["cpu", units(definition["cpu"], 1024, "vcpu")],
      ["memory", units(definition["memory"], 1024, "gb")],
    ]),
    settings: settingsOf(definition, container, containers),
  };
}

function pairs(value: JsonValue | undefined, of: string): readonly (readonly [string, string])[] {
  return optionalList(value).map((one) => {
    const entry = optionalObject(one);
    return [optionalText(entry["name"]), optionalText(entry[of])];
  });
}

/** Under `awsvpc` the host's port is the container's, whether or not it is said. */
function portText({ containerPort, hostPort, protocol, appProtocol, name }: JsonObject): string {
  const inside = optionalNumber(containerPort);
  const outside = optionalNumber(hostPort) || inside;
  const more = [optionalText(appProtocol), optionalText(name)].filter((one) => one !== "").join(", ");
  return `${outside}->${inside}/${optionalText(protocol) || "tcp"}${more === "" ? "" : ` (${more})`}`;
}

/** CPU units and MiB, which may also be written as `2 vCPU` and `4 GB`. */
function units(value: JsonValue | undefined, factor: number, unit: string): string {
  const written = typeof value === "number" ? `${value}` : optionalText(value).trim().toLowerCase();
  const [, amount, named] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(written) ?? [];
  return amount === undefined ? written : `${Number(amount) * (named === unit ? factor : 1)}`;
}

function mountsOf(definition: JsonObject, container: JsonObject): ReadonlyMap<string, string> {
  const volumes = new Map(
    optionalList(definition["volumes"]).map((one) => {
      const { name, efsVolumeConfiguration: efs } = optionalObject(one);
      return [optionalText(name), optionalText(optionalObject(efs)["fileSystemId"]) || optionalText(name)];
    }),
  );
  return new Map(
    optionalList(container["mountPoints"]).map((one) => {
      const { sourceVolume, containerPath, readOnly } = optionalObject(one);
      const source = volumes.get(optionalText(sourceVolume)) ?? optionalText(sourceVolume);
      return [optionalText(containerPath), `volume ${source}${readOnly === true ? ", read-only" : ""}`];
    }),
  );
}

function settingsOf(
  definition: JsonObject,
  container: JsonObject,
  containers: readonly JsonObject[],
): ReadonlyMap<string, string> {
  const { cpuArchitecture, operatingSystemFamily } = optionalObject(definition["runtimePlatform"]);
  const command = ["entryPoint", "command"].flatMap((field) => optionalList(container[field]).map(optionalText));
  const stopTimeout = optionalNumber(container["stopTimeout"]);
  return new Map([
    ["family", optionalText(definition["family"])],
    ["networkMode", optionalText(definition["networkMode"])],
    [
      "requiresCompatibilities",
      optionalList(definition["requiresCompatibilities"]).map(optionalText).sort(compareText).join(", "),
    ],
    ["runtimePlatform.cpuArchitecture", optionalText(cpuArchitecture) || "X86_64"],
    ["runtimePlatform.operatingSystemFamily", optionalText(operatingSystemFamily) || "LINUX"],
    ["executionRoleArn", optionalText(definition["executionRoleArn"])],
    ["taskRoleArn", optionalText(definition["taskRoleArn"])],
    ["containers", containers.map(({ name }) => optionalText(name)).join(", ")],
    // Where it is not said, a container is essential.
    ["essential", `${container["essential"] !== false}`],
    ["healthCheck", healthText(optionalObject(container["healthCheck"]))],
    ["stopTimeout", stopTimeout === null ? "none" : `${stopTimeout}s`],
    ["logConfiguration", logText(optionalObject(container["logConfiguration"]))],
    ...(command.length === 0 ? [] : ([["command", command.join(" ")]] as const)),
    ...extraSettings(container),
  ]);
}

/** Fields of a container that nothing renders: who it runs as, what it may do and read. Lists and objects are named, not shown. */
const EXTRA = [
  "user",
  "privileged",
  "readonlyRootFilesystem",
  "workingDirectory",
  "linuxParameters",
  "environmentFiles",
];

function extraSettings(container: JsonObject): readonly [string, string][] {
  return EXTRA.flatMap((field): [string, string][] => {
    const value = container[field];
    if (value === undefined || value === null || value === false || value === "") return [];
    if (typeof value !== "object") return [[field, `${value}`]];
    return Object.keys(value).length === 0 ? [] : [[field, "set"]];
  });
}

/** What ECS takes where a check does not say it, in seconds. */
const HEALTH_DEFAULTS = { interval: 30, timeout: 5, retries: 3, startPeriod: 0 };

function healthText(check: JsonObject): string {
  const command = optionalList(check["command"]).map(optionalText);
  if (command.length === 0) return "none";
  const number = (field: keyof typeof HEALTH_DEFAULTS): number =>
    optionalNumber(check[field]) ?? HEALTH_DEFAULTS[field];
  return `every ${number("interval")}s, within ${number("timeout")}s, ${number("retries")} tries, ${number("startPeriod")}s to start: ${command.join(" ")}`;
}

function logText({ logDriver, options }: JsonObject): string {
  const sorted = textEntries(options).toSorted(([a], [b]) => compareText(a, b));
  return [optionalText(logDriver) || "none", ...sorted.map(([name, value]) => `${name}=${value}`)].join(", ");
}
