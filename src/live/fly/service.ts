import type { JsonObject, JsonValue } from "../../base/json.ts";
import { optionalList, optionalNumber, optionalObject, optionalText } from "../answer.ts";
import { plainDuration } from "../duration.ts";

/** What fly.toml and a machine say of how an app is reached, watched and stopped, in the words of the first. */
export interface FlyFields {
  readonly ports: readonly string[];
  readonly settings: ReadonlyMap<string, string | null>;
}

/** The fields of `[http_service]` that are compared besides its ports; nothing is said of them where there is no service. */
const SERVICE_FIELDS = ["auto_stop_machines", "auto_start_machines", "min_machines_running", "concurrency"] as const;

type ServiceValues = { readonly [field in (typeof SERVICE_FIELDS)[number]]: string };

/** {@link SERVICE_FIELDS} as settings. */
export function serviceSettings(values: ServiceValues | null): readonly (readonly [string, string | null])[] {
  return SERVICE_FIELDS.map((field) => [`http_service.${field}`, values?.[field] ?? null]);
}

/** `stop`, `off` or `suspend`: the first two are also written as booleans. */
export function autoStop(value: JsonValue | undefined): string {
  return value === true ? "stop" : optionalText(value) || "off";
}

/** Limits of requests or connections in one line. */
export function concurrencyText(value: JsonValue | undefined): string {
  const { type, soft_limit: soft, hard_limit: hard } = optionalObject(value);
  const limits = [optionalNumber(soft), optionalNumber(hard)];
  return limits.every((limit) => limit === null)
    ? "none"
    : `${optionalText(type)} ${limits.map((one) => one ?? 0).join("/")}`;
}

/** A port that Fly's proxy listens on. */
export function portText(
  port: number,
  inside: number | null,
  handlers: readonly string[],
  forcesHttps: boolean,
): string {
  return `${port}->${inside ?? "?"}/tcp (${[...handlers].sort().join(", ")}${forcesHttps ? ", to https" : ""})`;
}

/** Health checks by their setting's name, as flyctl names them too. */
export function checkSettings(checks: JsonValue | undefined): readonly (readonly [string, string])[] {
  return Object.entries(optionalObject(checks)).map(([name, check]) => [
    `checks.${name}`,
    checkText(optionalObject(check)),
  ]);
}

function checkText({ type, port, method, path, interval, timeout, grace_period: grace }: JsonObject): string {
  const target =
    type === "http" ? `${optionalText(method).toUpperCase() || "GET"} ${optionalText(path) || "/"} on ` : "";
  const [every, within, start] = [interval, timeout, grace].map((one) => plainDuration(optionalText(one)));
  return `${optionalText(type)}: ${target}${optionalNumber(port)}, every ${every}, within ${within}, ${start} to start`;
}

/** A command that replaces the image's own, which nothing renders. */
export function commandOf(init: JsonObject): string | null {
  const words = ["entrypoint", "exec", "cmd"].flatMap((field) => optionalList(init[field]));
  return words.length === 0 ? null : words.map(optionalText).join(" ");
}
