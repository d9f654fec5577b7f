import { isMachineName, MAX_NAME_LENGTH } from "../driver/index.ts";

/** What the environment says about the boxd backend; a variable that is unset or blank is absent. */
export interface BoxdSandboxSettings {
  apiKey: string;
  baseURL?: string;
  org?: string;
  namePrefix?: string;
  vcpu?: number;
  diskGb?: number;
  egressProxyUrl?: string;
  defaultTimeoutSec?: number;
}

/** One variable that cannot be used. */
export interface VariableProblem {
  variable: string;
  /** says what is wrong, without the value where that may be secret */
  problem: string;
}

/** All that is wrong with the environment, at once. */
export class SandboxEnvironmentError extends Error {
  readonly problems: readonly VariableProblem[];

  constructor(problems: readonly VariableProblem[]) {
    super(problems.map(({ variable, problem }) => `${variable} ${problem}`).join("; "));
    this.name = "SandboxEnvironmentError";
    this.problems = problems;
  }
}

export const KEY_REQUIRED = "SANDBOX_BACKEND=boxd requires BOXD_API_KEY";

const BACKENDS = ["aws", "local", "sprites", "smolmachines", "boxd"] as const;
export type BackendName = (typeof BACKENDS)[number];

/** `<prefix>-scratch-<40>-<6>` is the longest name that is made of a prefix. */
const LONGEST_PREFIX = MAX_NAME_LENGTH - "-scratch-".length - 40 - "-".length - 6;
const PLACEHOLDERS: ReadonlySet<string> = new Set(["replace-me", "placeholder", "changeme", "todo"]);
const SIZES: ReadonlySet<number> = new Set([1, 2, 4, 8]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The primary backend, and the secondary one if there is one. Blank is `local`, except in production, where the choice must be explicit.
 * Throws `SandboxEnvironmentError`.
 */
export function readBackends(env: Environment): { primary: BackendName; secondary?: BackendName } {
  const problems = new Problems();
  const primary = problems.collect("SANDBOX_BACKEND", () => {
    const named = backendName(env, "SANDBOX_BACKEND");
    if (named === undefined && env["NODE_ENV"] === "production")
      throw new Error(`must be one of ${BACKENDS.join(", ")} in production`);
    return named ?? "local";
  });
  const secondary = problems.collect("SANDBOX_SECONDARY_BACKEND", () => {
    const named = backendName(env, "SANDBOX_SECONDARY_BACKEND");
    if (named !== undefined && named === primary) throw new Error("must differ from SANDBOX_BACKEND");
    return named;
  });
  problems.throwIfAny();
  return { primary: primary ?? "local", ...(secondary === undefined ? {} : { secondary }) };
}

/** The settings of the boxd backend. Throws `SandboxEnvironmentError`, which names every variable at fault. */
export function readBoxdSettings(env: Environment): BoxdSandboxSettings {
  const problems = new Problems();
  const read = <T>(variable: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = value(env, variable);
    return text === undefined ? undefined : problems.collect(variable, () => parse(text));
  };
  const apiKey = problems.collect("BOXD_API_KEY", () => apiKeyOf(value(env, "BOXD_API_KEY")));
  const settings = {
    baseURL: read("BOXD_BASE_URL", baseUrl),
    org: read("BOXD_ORG", org),
    namePrefix: read("BOXD_NAME_PREFIX", prefix),
    vcpu: read("BOXD_VCPU", vcpu),
    diskGb: read("BOXD_DISK_GB", diskGb),
    egressProxyUrl: read("BOXD_EGRESS_PROXY_URL", proxyUrl),
    defaultTimeoutSec: read("SANDBOX_TIMEOUT_SEC", timeoutSec),
  };
  problems.throwIfAny();
  return { apiKey: apiKey ?? "", ...withoutUndefined(settings) };
}

class Problems {
  readonly #found: VariableProblem[] = [];

  collect<T>(variable: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.#found.push({ variable, problem: (error as Error).message });
      return undefined;
    }
  }

  throwIfAny(): void {
    if (this.#found.length > 0) throw new SandboxEnvironmentError(this.#found);
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, entry]) => entry !== undefined)) as Defined<T>;
}

function value(env: Environment, variable: string): string | undefined {
  const text = env[variable]?.trim();
  return text === "" ? undefined : text;
}

function backendName(env: Environment, variable: string): BackendName | undefined {
  const text = value(env, variable);
  if (text === undefined) return undefined;
  const named = BACKENDS.find((name) => name === text);
  if (named === undefined) throw new Error(`"${text}" is none of ${BACKENDS.join(", ")}`);
  return named;
}

function apiKeyOf(text: string | undefined): string {
  if (text === undefined) throw new Error(`is missing: ${KEY_REQUIRED}`);
  if (PLACEHOLDERS.has(text.toLowerCase())) throw new Error(`is a placeholder: ${KEY_REQUIRED}`);
  return text;
}

function baseUrl(text: string): string {
  const url = webUrl(text);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") throw new Error("must have no path");
  const loopback = url.hostname === "localhost" || url.hostname === "[::1]" || url.hostname.startsWith("127.");
  if (url.protocol === "http:" && !loopback) throw new Error("must be https, except for this machine itself");
  return text.replace(/\/+$/, "");
}

function proxyUrl(text: string): string {
  webUrl(text);
  return text;
}

function webUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(text)) throw new Error("is not an http or https URL");
  if (url.username !== "" || url.password !== "") throw new Error("must not contain credentials");
  return url;
}

function org(text: string): string {
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text)) throw new Error(`"${text}" is not an org slug`);
  return text;
}

function prefix(text: string): string {
  if (!isMachineName(text)) throw new Error(`"${text}" must be a lowercase DNS label that starts with a letter`);
  if (text.length > LONGEST_PREFIX)
    throw new Error(`"${text}" is longer than ${String(LONGEST_PREFIX)} characters, so machine names would not fit`);
  return text;
}

/** 0 means the org's default, as in qm. */
function vcpu(text: string): number | undefined {
  const count = number(text);
  if (count === 0) return undefined;
  if (!SIZES.has(count)) throw new Error(`="${text}" is none of the sizes 1, 2, 4 and 8`);
  return count;
}

function diskGb(text: string): number | undefined {
  const size = number(text);
  if (!Number.isInteger(size) || size < 0) throw new Error(`="${text}" is not a whole number`);
  return size === 0 ? undefined : size;
}

function timeoutSec(text: string): number {
  const seconds = number(text);
  if (seconds <= 0) throw new Error(`="${text}" must be above 0`);
  return seconds;
}

function number(text: string): number {
  const parsed = Number(text);
  if (!Number.isFinite(parsed)) throw new Error(`="${text}" is not a number`);
  return parsed;
}
