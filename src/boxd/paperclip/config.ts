import type { PluginEnvironmentValidationResult } from "@paperclipai/plugin-sdk";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { baseUrlProblem, cleanBaseURL, LONGEST_TIMER_SECONDS, VCPUS } from "../driver/index.ts";
import { DEFAULT_SECONDS, DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS, MIN_SECONDS } from "./manifest.ts";
import { refusal } from "./errors.ts";

/** An environment's settings as the host hands them over: JSON that an operator wrote, its secrets resolved except in `validate`. */
export type RawConfig = Readonly<Record<string, unknown>>;

/** What is needed to reach machines that exist. Read leniently, so that a setting that went bad never keeps a machine from being deleted. */
export interface Connection {
  apiKey: string;
  baseURL: string | undefined;
  org: string | undefined;
  /** milliseconds; undefined when the stored settings do not say, which the host takes as 30 seconds for everything */
  timeoutMs: number | undefined;
  reuseLease: boolean;
  reuseIdleSeconds: number;
  maxLeaseSeconds: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The host cuts every call short after this unless the settings name a time; then after that time and this. */
const HOST_GRACE_MS = 30_000;
/** What a failed creation takes on top of its deadline, to leave nothing behind. */
export const CLEANUP_MS = 20_000;

/** The settings that are times in seconds. */
const SECONDS = ["reuseIdleSeconds", "maxLeaseSeconds"] as const;

/** Every problem of the settings, one message each. A problem names its field; the key is only ever named. */
function configProblems(raw: RawConfig, env: Environment): string[] {
  const problems: string[] = [];
  // Before it is resolved, a reference to a secret may be an object.
  const isReference = typeof raw["apiKey"] === "object" && raw["apiKey"] !== null;
  if (!isReference && (textOf(raw, "apiKey") ?? textOf(env, "BOXD_API_KEY")) === undefined)
    problems.push("`apiKey` is missing: set it to a secret, or give the host BOXD_API_KEY");
  for (const name of ["org", "baseUrl", "image", "snapshot"]) {
    if (isSet(raw[name]) && typeof raw[name] !== "string") problems.push(`\`${name}\` must be a text`);
  }
  if (isSet(raw["vcpu"]) && !VCPUS.includes(raw["vcpu"] as number)) problems.push("`vcpu` must be 1, 2, 4 or 8");
  if (isSet(raw["vcpu"]) && isSet(raw["snapshot"]))
    problems.push("`vcpu` and `snapshot` cannot be set together: a snapshot keeps its own size");
  if (isSet(raw["timeoutMs"]) && timeoutOf(raw) === undefined) {
    problems.push(`\`timeoutMs\` must be a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`);
  }
  for (const name of SECONDS) {
    if (isSet(raw[name]) && !isSeconds(raw[name]))
      problems.push(`\`${name}\` must be a whole number of seconds from ${MIN_SECONDS} to ${LONGEST_TIMER_SECONDS}`);
  }
  if (isSet(raw["reuseLease"]) && typeof raw["reuseLease"] !== "boolean")
    problems.push("`reuseLease` must be true or false");
  const baseURL = textOf(raw, "baseUrl");
  const problem = baseURL === undefined ? null : baseUrlProblem(baseURL);
  if (problem !== null) problems.push(`\`baseUrl\` ${problem}`);
  return problems;
}

/** Judges settings before the host stores them. Offline: whether the key works is the probe's question. */
export function validateConfig(raw: RawConfig, env: Environment): PluginEnvironmentValidationResult {
  const errors = configProblems(raw, env);
  if (errors.length > 0) return { ok: false, errors };
  // What the host stores: blank settings left out, texts trimmed, the times always a number. The key and whatever we do not know stay as they are.
  const tidy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (name === "apiKey" || isSet(value))
      tidy[name] = name === "apiKey" || typeof value !== "string" ? value : value.trim();
  }
  tidy["timeoutMs"] = timeoutOf(raw) ?? DEFAULT_TIMEOUT_MS;
  tidy["reuseLease"] = raw["reuseLease"] === true;
  return { ok: true, normalizedConfig: tidy };
}

/** The settings that reach boxd. Throws when there is no key. */
export function connectionOf(raw: RawConfig, env: Environment): Connection {
  const apiKey = textOf(raw, "apiKey") ?? textOf(env, "BOXD_API_KEY");
  if (apiKey === undefined)
    throw refusal("the boxd environment has no API key: set `apiKey`, or give the host BOXD_API_KEY");
  return {
    apiKey,
    baseURL: cleanBaseURL(textOf(raw, "baseUrl")),
    org: textOf(raw, "org"),
    timeoutMs: timeoutOf(raw),
    reuseLease: raw["reuseLease"] === true,
    reuseIdleSeconds: secondsOf(raw, "reuseIdleSeconds"),
    maxLeaseSeconds: secondsOf(raw, "maxLeaseSeconds"),
  };
}

/** What to make machines from. Throws with every problem of the settings. */
export function machineChoice(raw: RawConfig, env: Environment) {
  const problems = configProblems(raw, env);
  if (problems.length > 0) throw refusal(`the boxd environment's settings are not valid: ${problems.join("; ")}`);
  const vcpu = isSet(raw["vcpu"]) ? (raw["vcpu"] as number) : undefined;
  return withoutUndefined({ vcpu, image: textOf(raw, "image"), fromSnapshot: textOf(raw, "snapshot") });
}

/** Milliseconds for one hook, such that it answers before the host gives up on it, also when it has to clean up first. */
export function operationMs({ timeoutMs }: Pick<Connection, "timeoutMs">): number {
  return Math.max(timeoutMs ?? 0, HOST_GRACE_MS - CLEANUP_MS - 1_000);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");
}

function textOf(raw: RawConfig, name: string): string | undefined {
  const value = raw[name];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function timeoutOf(raw: RawConfig): number | undefined {
  const value = raw["timeoutMs"];
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const whole = Math.trunc(value);
  return whole >= 1 && whole <= MAX_TIMEOUT_MS ? whole : undefined;
}

function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= MIN_SECONDS && (value as number) <= LONGEST_TIMER_SECONDS;
}

function secondsOf(raw: RawConfig, name: (typeof SECONDS)[number]): number {
  return isSeconds(raw[name]) ? raw[name] : DEFAULT_SECONDS;
}
