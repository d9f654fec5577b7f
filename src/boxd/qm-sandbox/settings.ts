import { withoutUndefined } from "../../base/without-undefined.ts";
import { assertOrg, baseUrlProblem, cleanBaseURL, isMachineName, MAX_NAME_LENGTH, VCPUS } from "../driver/index.ts";

/** What the environment says about the boxd backend; a variable that is unset or blank is absent. */
export interface BoxdSandboxSettings {
  apiKey: string;
  baseURL?: string;
  org?: string;
  namePrefix?: string;
  vcpu?: number;
  diskGb?: number;
  egressProxyUrl?: string;
  /** for commands that name no timeout of their own; default 600 */
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

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The primary backend, and the secondary one if there is one. Blank is `local`, except in production, where the choice must be explicit.
 * Throws `SandboxEnvironmentError`.
 */
export function readBackends(env: Environment): { primary: BackendName; secondary?: BackendName } {
  const reader = new EnvironmentReader(env);
  const primary = reader.read("SANDBOX_BACKEND", (text) => {
    if (text === undefined && env["NODE_ENV"] === "production")
      throw new Error(`must be one of ${BACKENDS.join(", ")} in production`);
    return text === undefined ? "local" : backendName(text);
  });
  const secondary = reader.readOptional("SANDBOX_SECONDARY_BACKEND", (text) => {
    const named = backendName(text);
    if (named === primary) throw new Error("must differ from SANDBOX_BACKEND");
    return named;
  });
  reader.throwIfAny();
  return withoutUndefined({ primary: primary ?? "local", secondary });
}

/** The one size of boxd's disks (docs/contract/boxd.md#machines). */
const DISK_GB = 100;

/**
 * The settings of the boxd backend. Throws `SandboxEnvironmentError`, which names every variable at fault. `warn` hears of what only older servers of
 * boxd take; by default it is a warning of the process.
 */
export function readBoxdSettings(
  env: Environment,
  warn: (warning: string) => void = (warning) => process.emitWarning(warning),
): BoxdSandboxSettings {
  const reader = new EnvironmentReader(env);
  const settings = {
    apiKey: reader.read("BOXD_API_KEY", apiKeyOf) ?? "",
    baseURL: reader.readOptional("BOXD_BASE_URL", baseUrl),
    org: reader.readOptional("BOXD_ORG", org),
    namePrefix: reader.readOptional("BOXD_NAME_PREFIX", prefix),
    // 0 means the org's default, as in qm.
    vcpu:
      reader.readNumber("BOXD_VCPU", (vcpu) => [0, ...VCPUS].includes(vcpu), "is none of the sizes 1, 2, 4 and 8") ||
      undefined,
    diskGb:
      reader.readNumber("BOXD_DISK_GB", (size) => Number.isInteger(size) && size >= 0, "is not a whole number") ||
      undefined,
    egressProxyUrl: reader.readOptional("BOXD_EGRESS_PROXY_URL", (text) => webUrl(text) && text),
    defaultTimeoutSec: reader.readNumber("SANDBOX_TIMEOUT_SEC", (seconds) => seconds > 0, "must be above 0"),
  };
  reader.throwIfAny();
  if (![undefined, DISK_GB].includes(settings.diskGb))
    warn(`BOXD_DISK_GB is not ${DISK_GB}: newer servers of boxd then refuse to make a machine; leave it out`);
  return withoutUndefined(settings);
}

/** Reads variables one after the other and keeps what is wrong with them, to be told at once. */
class EnvironmentReader {
  readonly #env: Environment;
  readonly #problems: VariableProblem[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  /** What `parse` makes of the variable, which is undefined when unset or blank; undefined, too, when it throws. */
  read<T>(variable: string, parse: (text: string | undefined) => T): T | undefined {
    const text = this.#env[variable]?.trim();
    try {
      return parse(text === "" ? undefined : text);
    } catch (error) {
      this.#problems.push({ variable, problem: (error as Error).message });
      return undefined;
    }
  }

  readOptional<T>(variable: string, parse: (text: string) => T): T | undefined {
    return this.read(variable, (text) => (text === undefined ? undefined : parse(text)));
  }

  readNumber(variable: string, fits: (value: number) => boolean, otherwise: string): number | undefined {
    return this.readOptional(variable, (text) => {
      const value = Number(text);
      if (!Number.isFinite(value)) throw new Error(`="${text}" is not a number`);
      if (!fits(value)) throw new Error(`="${text}" ${otherwise}`);
      return value;
    });
  }

  throwIfAny(): void {
    if (this.#problems.length > 0) throw new SandboxEnvironmentError(this.#problems);
  }
}

function backendName(text: string): BackendName {
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
  const problem = baseUrlProblem(text);
  if (problem !== null) throw new Error(problem);
  return cleanBaseURL(text) ?? text;
}

function webUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(text)) throw new Error("is not an http or https URL");
  if (url.username !== "" || url.password !== "") throw new Error("must not contain credentials");
  return url;
}

function org(text: string): string {
  assertOrg(text);
  return text;
}

function prefix(text: string): string {
  if (!isMachineName(text)) throw new Error(`"${text}" must be a lowercase DNS label that starts with a letter`);
  if (text.length > LONGEST_PREFIX)
    throw new Error(`"${text}" is longer than ${String(LONGEST_PREFIX)} characters, so machine names would not fit`);
  return text;
}
