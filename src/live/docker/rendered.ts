import { parse } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { dockerName } from "../../deployment/derived-names.ts";
import { POSTGRES_WORKLOAD } from "../../deployment/secrets/sources.ts";
import { bringsPostgres, databaseUrlName } from "../../render/database.ts";
import type { RenderContext } from "../../render/artifact.ts";
import { list, object, optionalList, optionalObject, optionalText, text, textEntries } from "../answer.ts";
import { plainDuration } from "../duration.ts";
import { secretsOf } from "../rendered-secrets.ts";
import { digestOf } from "../../catalog/grammar/image-reference.ts";
import type { RenderedWorkload } from "../workload.ts";

/** A service of the rendered compose.yaml, with what leads to its container. */
export interface RenderedService extends RenderedWorkload {
  readonly containerName: string;
}

/** The services of a rendered compose.yaml. `directoryOf`: where the compose file lies that a service was started from. */
export function renderedServices(
  context: RenderContext,
  compose: string,
  directoryOf: (service: string) => string,
): readonly RenderedService[] {
  const file = object(unescaped(parse(compose) as JsonValue), "compose.yaml");
  const project = text(file["name"], "`name`");
  return Object.entries(object(file["services"], "`services`")).map(([name, value]) => {
    const service = object(value, name);
    const image = service["image"];
    return {
      name,
      containerName: text(service["container_name"], `${name}.container_name`),
      // What compose builds gets a name of compose's own.
      image: typeof image === "string" ? { reference: image, digests: [digestOf(image) ?? []].flat() } : null,
      environment: new Map(textEntries(service["environment"])),
      ...secretsOfService(context, name),
      ports: optionalList(service["ports"]).map((port) => publishedPort(text(port, `${name}.ports`))),
      mounts: mountsOf(service, optionalObject(file["volumes"]), directoryOf(name)),
      size: new Map([
        ["cpus", "no limit"],
        ["memory", "no limit"],
      ]),
      settings: new Map([
        ["compose project", project],
        ["container_name", text(service["container_name"], `${name}.container_name`)],
        ["restart", text(service["restart"], `${name}.restart`)],
        ["labels.qm.org", optionalText(optionalObject(service["labels"])["qm.org"])],
        ["networks.default.aliases", aliasesOf(service)],
        ["healthcheck", healthOf(optionalObject(service["healthcheck"]))],
        // Which group it is, compose takes from the environment of whoever starts it.
        ["group_add", optionalList(service["group_add"]).length === 0 ? "none" : "a group"],
      ]),
    };
  });
}

/** What compose makes of a text: `$$` is a dollar. A reference stays as it is, and is compared with nothing. */
function unescaped(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.replaceAll("$$", () => "$");
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(unescaped);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, unescaped(child)]));
}

function secretsOfService(context: RenderContext, name: string): Pick<RenderedWorkload, "secrets" | "optionalSecrets"> {
  const { secrets, optionalSecrets } = secretsOf(context, name);
  if (!bringsPostgres(context)) return { secrets, optionalSecrets };
  if (name === POSTGRES_WORKLOAD) return { secrets: new Map([["POSTGRES_PASSWORD", null]]), optionalSecrets };
  if (name !== "core") return { secrets, optionalSecrets };
  return { secrets: new Map([...secrets, [databaseUrlName(context.deployment), null]]), optionalSecrets };
}

/** `127.0.0.1:8080:8080` or `[::1]:8080:8080`, as {@link portText} says it. */
function publishedPort(written: string): string {
  const [, host = "", published = "", inside = ""] = /^(?:\[?(.*?)\]?:)?(\d+):(\d+)$/.exec(written) ?? [];
  return portText(host, published, `${inside}/tcp`);
}

/** A published port: of which address and port of the host, and where it leads. No address is every address. */
export function portText(host: string, published: string, inside: string): string {
  const address = host === "" || host === "::" ? "0.0.0.0" : host.includes(":") ? `[${host}]` : host;
  return `${address}:${published}->${inside}`;
}

function mountsOf(service: JsonObject, volumes: JsonObject, directory: string): ReadonlyMap<string, string> {
  return new Map(
    optionalList(service["volumes"]).map((one): [string, string] => {
      const { type, source, target, read_only: readOnly } = object(one, "a volume");
      const named = text(source, "a volume's source");
      const is =
        type === "volume"
          ? text(object(volumes[named], `\`volumes.${named}\``)["name"], "a volume's name")
          : joined(directory, named);
      return [text(target, "a volume's target"), mountText(optionalText(type), is, readOnly !== true)];
    }),
  );
}

/** A mount without its path inside. */
export function mountText(type: string, source: string, writable: boolean): string {
  return `${type} ${source}${writable ? "" : ", read-only"}`;
}

/** A path of the compose file as compose resolves it, on a host whose paths have `/`. */
function joined(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${directory}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function aliasesOf(service: JsonObject): string {
  const { aliases } = optionalObject(optionalObject(service["networks"])["default"]);
  return list(aliases ?? [], "aliases").join(", ");
}

function healthOf({ test, interval, timeout, retries, start_period: start }: JsonObject): string {
  if (test === undefined) return healthText(null, [], 0);
  const [every, limit, grace] = [interval, timeout, start].map((one) => plainDuration(optionalText(one)));
  return healthText(optionalList(test), [every ?? "", limit ?? "", grace ?? ""], Number(retries));
}

/** A health check in one line; durations are its interval, timeout and start period. */
export function healthText(test: readonly JsonValue[] | null, durations: readonly string[], retries: number): string {
  if (test === null) return "none";
  const [interval, timeout, start] = durations;
  return `every ${interval}, within ${timeout}, ${retries} tries, ${start} to start: ${test.join(" ")}`;
}

/** The name of the compose project, which is also what the containers' names begin with. */
export function projectName({ deployment }: RenderContext): string {
  return dockerName(deployment.config);
}
