import { parse } from "smol-toml";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { FLY_VM_SIZES, readFlyMemory } from "../../catalog/targets/fly.ts";
import { flyOwnerMark } from "../../deployment/derived-names.ts";
import type { RenderContext } from "../../render/artifact.ts";
import { object, optionalList, optionalNumber, optionalObject, optionalText, textEntries } from "../answer.ts";
import { plainDuration } from "../duration.ts";
import { digestOf } from "../../catalog/grammar/image-reference.ts";
import { secretsOf } from "../rendered-secrets.ts";
import type { RenderedWorkload } from "../workload.ts";
import { autoStop, checkSettings, concurrencyText, type FlyFields, portText, serviceSettings } from "./service.ts";

/** The app of a rendered fly.toml. */
export interface RenderedApp extends RenderedWorkload {
  readonly app: string;
  /** True where its machines stop when nobody asks for anything. */
  readonly stopsWhenIdle: boolean;
}

/** What a rendered fly.toml of a workload says. */
export function renderedApp(context: RenderContext, workload: string, toml: string): RenderedApp {
  const file = object(parse(toml) as JsonValue, `${workload}.fly.toml`);
  const image = optionalObject(file["build"])["image"];
  const { secrets, optionalSecrets } = secretsOf(context, workload);
  const mark = flyOwnerMark(context.deployment.config);
  return {
    name: workload,
    app: optionalText(file["app"]),
    stopsWhenIdle: autoStop(optionalObject(file["http_service"])["auto_stop_machines"]) !== "off",
    // What Fly builds gets a name of Fly's own.
    image: typeof image === "string" ? { reference: image, digests: [digestOf(image) ?? []].flat() } : null,
    environment: new Map(textEntries(file["env"])),
    secrets: mark === null ? secrets : new Map([...secrets, [mark, null]]),
    optionalSecrets,
    mounts: new Map(),
    size: sizeOf(file),
    ...fieldsOf(file),
  };
}

/** Without `[[vm]]` a deploy keeps whatever size the machine has. */
function sizeOf(file: JsonObject): ReadonlyMap<string, string | null> {
  const [vm] = optionalList(file["vm"]).map((one) => optionalObject(one));
  if (vm === undefined)
    return new Map([
      ["vm", null],
      ["memory", null],
    ]);
  const size = optionalText(vm["size"]);
  const memory = readFlyMemory(optionalText(vm["memory"])) ?? FLY_VM_SIZES.get(size)?.least ?? null;
  return new Map([
    ["vm", size],
    ["memory", memory === null ? null : `${memory} MB`],
  ]);
}

function fieldsOf(file: JsonObject): FlyFields {
  const service = file["http_service"] === undefined ? null : optionalObject(file["http_service"]);
  const restart = optionalList(file["restart"]).map((one) => optionalText(optionalObject(one)["policy"]));
  const inside = optionalNumber(service?.["internal_port"]);
  return {
    // flyctl publishes these two whatever `ports` says (docs/contract/live.md#fly).
    ports:
      service === null
        ? []
        : [
            portText(443, inside, ["http", "tls"], false),
            portText(80, inside, ["http"], service["force_https"] === true),
          ],
    settings: new Map<string, string | null>([
      ["primary_region", optionalText(file["primary_region"])],
      ["kill_signal", optionalText(file["kill_signal"])],
      ["kill_timeout", plainDuration(optionalText(file["kill_timeout"]))],
      // Without one the platform has a default of its own.
      ["restart", restart[0] ?? null],
      ["deploy.strategy", optionalText(optionalObject(file["deploy"])["strategy"]) || null],
      ...checkSettings(file["checks"]),
      ...serviceSettings(
        service === null
          ? null
          : {
              auto_stop_machines: autoStop(service["auto_stop_machines"]),
              auto_start_machines: `${service["auto_start_machines"] === true}`,
              min_machines_running: `${optionalNumber(service["min_machines_running"]) ?? 0}`,
              concurrency: concurrencyText(service["concurrency"]),
            },
      ),
    ]),
  };
}
