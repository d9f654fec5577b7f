import type { JsonObject } from "../../base/json.ts";
import { compareText } from "../../base/text-order.ts";
import { object, optionalList, optionalNumber, optionalObject, optionalText, text, textEntries } from "../answer.ts";
import { AskError } from "../ask.ts";
import { plainDuration } from "../duration.ts";
import { digestOf } from "../../catalog/grammar/image-reference.ts";
import { knownNames, type LiveDeployment, type LiveImage, type RunningWorkload, sortEnvironment } from "../workload.ts";
import type { FlyAnswers, FlyApp } from "./answers.ts";
import type { RenderedApp } from "./rendered.ts";
import { autoStop, checkSettings, commandOf, concurrencyText, portText, serviceSettings } from "./service.ts";

/**
 * What Fly runs of a deployment. `others` are names of apps that a deployment with other services would have.
 *
 * @throws {AnswerError} where an answer is not flyctl's, or a machine's host did not answer
 */
export function runningMachines(
  { apps, details }: FlyAnswers,
  rendered: readonly RenderedApp[],
  others: readonly string[],
): LiveDeployment {
  const strangers = others.filter((name) => apps.includes(name)).map((name) => ({ name, unit: `app ${name}` }));
  const workloads = rendered.flatMap((workload) => {
    const app = details.get(workload.app);
    return app === undefined
      ? []
      : app.machines.flatMap((machine) => runningMachine(object(machine, "a machine"), workload, app));
  });
  const empty = rendered.filter(({ app }) => details.has(app)).map(({ name }) => name);
  return { workloads, strangers, empty: new Set(empty) };
}

/** The process group that a deploy makes; the others belong to consoles, release commands and tests. */
const APP_GROUP = "app";

function runningMachine(
  machine: JsonObject,
  workload: RenderedApp,
  { config: app, secrets }: FlyApp,
): readonly RunningWorkload[] {
  const state = optionalText(machine["state"]);
  if (state === "destroyed" || state === "destroying") return [];
  const unit = `machine ${text(machine["id"], "`id` of a machine")}`;
  if (machine["config"] === undefined || machine["config"] === null)
    throw new AskError(
      `the host of ${unit} does not answer, so that nothing is known of it`,
      `ask again when its host is back, or replace it: \`fly machine list --app ${workload.app}\` says what Fly knows`,
    );
  const config = object(machine["config"], "`config` of a machine");
  const { fly_process_group: group, process_group: older } = optionalObject(config["metadata"]);
  if (![APP_GROUP, ""].includes(optionalText(group) || optionalText(older))) return [];
  // It takes over when the machine that it stands by for is lost.
  if (optionalList(config["standbys"]).length > 0) return [];
  return [
    {
      name: workload.name,
      unit,
      idle: idleness(state, workload),
      image: liveImage(config, optionalObject(machine["image_ref"])),
      ...namesOf(config, secrets, workload),
      ports: portsOf(config),
      mounts: mountsOf(config),
      size: sizeOf(optionalObject(config["guest"])),
      settings: settingsOf(machine, config, app === null ? null : object(app, "an app's configuration"), workload),
    },
  ];
}

function idleness(state: string, { stopsWhenIdle }: RenderedApp): string | null {
  if (["started", "starting", "replacing", "updating"].includes(state)) return null;
  return stopsWhenIdle && ["stopped", "stopping", "suspended", "suspending"].includes(state) ? null : state;
}

function liveImage(config: JsonObject, ref: JsonObject): LiveImage {
  const reference = optionalText(config["image"]);
  const digest = optionalText(ref["digest"]);
  const { registry, repository, tag } = ref;
  const named = `${optionalText(registry)}/${optionalText(repository)}:${optionalText(tag) || "latest"}`;
  return {
    reference: reference === "" ? named : reference,
    digests: [digest === "" ? [] : digest, digestOf(reference) ?? []].flat(),
  };
}

/** What flyctl adds to the environment of every machine. */
const ADDED = new Set(["FLY_PROCESS_GROUP", "PRIMARY_REGION"]);

function namesOf(config: JsonObject, secrets: FlyApp["secrets"], workload: RenderedApp) {
  const entries = textEntries(config["env"]).filter(([name]) => !ADDED.has(name));
  const { environment, otherNames, secretNames } = sortEnvironment(entries, knownNames(workload));
  const stored = secrets.map((one) => object(one, "a secret"));
  const names = (isWanted: (status: string) => boolean): readonly string[] =>
    stored.flatMap(({ name, Name, status }) =>
      isWanted(optionalText(status)) ? text(name ?? Name, "`name` of a secret") : [],
    );
  const isStaged = (status: string): boolean => status === "Staged" || status === "Partial";
  return {
    environment,
    // A secret that stands in `env` of the machine is one for everybody who may look at it.
    otherNames: new Set([...otherNames, ...secretNames]),
    secrets: new Map(names((status) => !isStaged(status)).map((name) => [name, null])),
    staged: new Set(names(isStaged)),
  };
}

function portsOf(config: JsonObject): readonly string[] {
  return optionalList(config["services"])
    .map((one) => optionalObject(one))
    .flatMap((service) =>
      optionalList(service["ports"]).map((one) => {
        const { port, handlers, force_https: forcesHttps } = optionalObject(one);
        const names = optionalList(handlers).map(optionalText);
        return portText(
          optionalNumber(port) ?? 0,
          optionalNumber(service["internal_port"]),
          names,
          forcesHttps === true,
        );
      }),
    )
    .sort(compareText);
}

function mountsOf(config: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    optionalList(config["mounts"]).map((one) => {
      const { path, name, volume } = optionalObject(one);
      return [optionalText(path), `volume ${optionalText(name) || optionalText(volume)}`];
    }),
  );
}

function sizeOf({ cpu_kind: kind, cpus, memory_mb: memory }: JsonObject): ReadonlyMap<string, string> {
  const family = optionalText(kind) === "shared" ? "shared-cpu" : optionalText(kind);
  return new Map([
    ["vm", `${family}-${optionalNumber(cpus)}x`],
    ["memory", `${optionalNumber(memory)} MB`],
  ]);
}

/** How machines call what fly.toml calls otherwise. */
const RESTART: { readonly [policy: string]: string } = { no: "never" };

function settingsOf(
  machine: JsonObject,
  config: JsonObject,
  app: JsonObject | null,
  workload: RenderedApp,
): ReadonlyMap<string, string | null> {
  const stop = optionalObject(config["stop_config"]);
  const policy = optionalText(optionalObject(config["restart"])["policy"]);
  const [service] = optionalList(config["services"]).map((one) => optionalObject(one));
  const command = commandOf(optionalObject(config["init"]));
  return new Map<string, string | null>([
    ["primary_region", regionOf(machine, config, workload)],
    ["kill_signal", optionalText(stop["signal"])],
    ["kill_timeout", plainDuration(optionalText(stop["timeout"]))],
    ["restart", RESTART[policy] ?? policy],
    // Machines do not know how they are replaced; the app's last release does.
    ["deploy.strategy", app === null ? null : optionalText(optionalObject(app["deploy"])["strategy"])],
    ...checkSettings(config["checks"]),
    ...(command === null ? [] : ([["command", command]] as const)),
    ...serviceSettings(
      service === undefined
        ? null
        : {
            auto_stop_machines: autoStop(service["autostop"]),
            auto_start_machines: `${service["autostart"] === true}`,
            min_machines_running: `${optionalNumber(service["min_machines_running"]) ?? 0}`,
            concurrency: concurrencyText(service["concurrency"]),
          },
    ),
  ]);
}

/** Where the machine is, and where the app's release says that it is, are told as one. */
function regionOf(machine: JsonObject, config: JsonObject, { settings }: RenderedApp): string {
  const primary = optionalText(optionalObject(config["env"])["PRIMARY_REGION"]);
  const region = optionalText(machine["region"]);
  return primary === settings.get("primary_region") ? region : primary || region;
}
