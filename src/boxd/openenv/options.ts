import {
  assertEgressAllow,
  assertLabels,
  assertMachineName,
  assertSize,
  baseUrlProblem,
  assertOrg,
  assertSeconds,
  BoxdDriverError,
  VCPUS,
  type BoxdClient,
  type MachineDriverOptions,
  type MachineSpec,
} from "../driver/index.ts";
import { assertMilliseconds, type Connection } from "./connection.ts";
import { assertSendable, dockerfileImage, readDockerfileImage } from "./dockerfile-image.ts";
import type { StartOptions } from "./container-provider.ts";

/** Docker reads env files with a scanner of Go's `bufio`, whose buffer has 64 KiB with the line's end. */
const MAX_ENV_LINE = 65_534;

/** What a machine of a provider carries besides its user's labels. */
export const OWN_LABELS = { "managed-by": "openenv" } as const;

/** The port of OpenEnv's images, and of the one public route. */
export const SERVER_PORT = 8000;

export interface BoxdProviderOptions
  extends Pick<MachineDriverOptions, "org" | "clock" | "times">, Pick<MachineSpec, "vcpu" | "memory"> {
  /** must be `true`: whoever has the machine's URL can reach the environment, and there is no other way in */
  public: true;
  /** a registry image, or what `imageFromDockerfile` answers; `startContainer` may name another */
  image?: string;
  /** environment of the container; they reach the machine in a file that is removed once the container runs */
  envVars?: Readonly<Record<string, string>>;
  /** default: BOXD_API_KEY of the environment, read at the first start */
  apiKey?: string;
  baseURL?: string;
  /** of the machine, beside `managed-by=openenv` */
  labels?: Readonly<Record<string, string>>;
  /** of the machine's name, default `openenv` */
  namePrefix?: string;
  /**
   * the machine's whole name, for a caller who must be able to delete it without having heard of the start's end. The address follows from it: take 48
   * random bits or more. It must not exist
   */
  name?: string;
  /** seconds after which boxd deletes the machine whatever happens, from 1 to 2592000 (30 days), default 3600; `null` for never */
  deleteAfterSeconds?: number | null;
  /** seconds without inbound traffic until boxd suspends the machine, up to 2592000, default 0 (never): a suspended machine drops the WebSocket */
  autoSuspendSeconds?: number;
  /** what the machine may reach while the container runs (hosts, addresses, ranges), not empty; `["none"]` nothing. Default: everything */
  egressAllow?: readonly string[];
  /** words that replace the image's command */
  command?: readonly string[];
  /** adds the end of the container's or build's output, with secrets masked, to errors. Default false: output is withheld */
  surfaceServerLogs?: boolean;
  /**
   * milliseconds for machine, pull or build, and run together, default 900000. A start that fails takes up to 26 seconds more to leave nothing: for ending docker,
   * removing the file with the environment, and deleting the machine
   */
  startTimeoutMs?: number;
  /** instead of opening boxd with a key; it stays the caller's to close */
  client?: BoxdClient;
  /** how to reach the machine's URL */
  connection?: Connection;
}

const START_NAMES: ReadonlySet<string> = new Set<keyof StartOptions>(["port", "envVars", "signal", "waitTimeout"]);

/** What is no plain value: code is checked by its types. */
const UNCHECKED = ["client", "clock", "times", "connection"] as const;

type Checked = Exclude<keyof BoxdProviderOptions, (typeof UNCHECKED)[number]>;

/** How every other option is checked, in this order, beside the others where it must agree with one. */
const CHECKS: { readonly [name in Checked]: (value: BoxdProviderOptions[name], options: BoxdProviderOptions) => void } =
  {
    public(value) {
      if (value !== true)
        throw new TypeError(
          "`public` must be true: the environment is reachable by everybody who has its URL, so say that you want that",
        );
    },
    deleteAfterSeconds: (seconds) => assertWholeSeconds("deleteAfterSeconds", seconds ?? undefined, 1),
    autoSuspendSeconds: (seconds) => assertWholeSeconds("autoSuspendSeconds", seconds, 0),
    startTimeoutMs: (ms) => assertMilliseconds("`startTimeoutMs`", ms),
    vcpu: (vcpu) => (vcpu === undefined ? undefined : asRangeError("", () => assertSize({ vcpu }))),
    memory(memory, { vcpu }) {
      assertText("memory", memory);
      // A wrong `vcpu` is a problem of its own.
      const size = vcpu !== undefined && VCPUS.includes(vcpu) ? { vcpu } : {};
      if (memory !== undefined) asRangeError("", () => assertSize({ memory, ...size }));
    },
    // With a stand-in of the length that the random part has.
    namePrefix: (prefix = "openenv") => checkName("namePrefix", prefix, `${prefix}-000000000000`),
    name(name, { namePrefix }) {
      if (name === undefined) return;
      checkName("name", name, name);
      if (namePrefix !== undefined) throw new TypeError("`name` is the machine's whole name: leave `namePrefix` out");
    },
    labels(labels = {}) {
      if (Object.hasOwn(labels, "managed-by")) throw new RangeError("`labels`: `managed-by` is the provider's own");
      for (const value of Object.values(labels)) assertText("labels", value);
      asRangeError("", () => assertLabels({ ...labels, ...OWN_LABELS }));
    },
    egressAllow(entries) {
      assertWords("egressAllow", entries);
      // boxd takes an empty list for "everything".
      if (entries?.length === 0)
        throw new RangeError(
          '`egressAllow` must not be empty: `["none"]` allows nothing, and leaving it out everything',
        );
      if (entries !== undefined) asOption("egressAllow", () => assertEgressAllow(entries));
    },
    command: (words) => assertWords("command", words),
    image: (image) => (image === undefined ? undefined : checkImage(image)),
    envVars: (envVars = {}) => checkEnvVars(envVars),
    surfaceServerLogs(value) {
      if (value !== undefined && typeof value !== "boolean")
        throw new TypeError("`surfaceServerLogs` must be true or false");
    },
    apiKey: (key) => assertText("apiKey", key),
    baseURL(url) {
      assertText("baseURL", url);
      const problem = url === undefined ? null : baseUrlProblem(url);
      if (problem !== null) throw new RangeError(`\`baseURL\` ${problem}`);
    },
    org(org) {
      assertText("org", org);
      if (org !== undefined) asOption("org", () => assertOrg(org));
    },
  };

/** What one start needs, checked. */
export interface ContainerStart {
  readonly image: string;
  readonly envVars: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly egressAllow: readonly string[] | undefined;
}

/** What is wrong with one option, a TypeError or a RangeError whose message shows no value that may be secret. */
export interface OptionProblem {
  readonly option: string;
  readonly error: Error;
}

/** Everything that is wrong with options, whoever wrote them: at most one problem an option. */
export function optionProblems(options: object): OptionProblem[] {
  const known = new Set([...Object.keys(CHECKS), ...UNCHECKED]);
  const unknown = Object.keys(options)
    .filter((option) => !known.has(option))
    .map((option) => ({ option, error: new TypeError(`unknown option \`${option}\``) }));
  const wrong = Object.entries(CHECKS).flatMap(([option, check]): OptionProblem[] => {
    try {
      (check as (value: unknown, options: object) => void)(Reflect.get(options, option), options);
      return [];
    } catch (error) {
      return [{ option, error: error as Error }];
    }
  });
  return [...unknown, ...wrong];
}

/** Throws TypeError or RangeError for options that cannot work, before anything is made. */
export function checkOptions(options: BoxdProviderOptions): void {
  const [first] = optionProblems(options);
  if (first !== undefined) throw first.error;
}

/** The image and the merged environment of a start, checked. */
export function checkStart(
  provider: BoxdProviderOptions,
  image: string | undefined,
  options: StartOptions,
): ContainerStart {
  assertKnown("startContainer", options, START_NAMES);
  if (options.port !== undefined && options.port !== SERVER_PORT)
    throw new RangeError(`startContainer: \`port\` must be ${SERVER_PORT}, not ${options.port}`);
  const chosen = image ?? provider.image;
  if (chosen === undefined) throw new TypeError("startContainer: no image was given, here or to the provider");
  checkImage(chosen);
  const build = readDockerfileImage(chosen);
  if (build !== null) {
    // Much may have happened to the files since the name was made, or it was made by hand; a machine that cannot be used costs money.
    dockerfileImage(build.dockerfile, build.contextDir);
    assertSendable(build);
  }
  checkEnvVars(options.envVars ?? {});
  const { command = [], egressAllow } = provider;
  return { image: chosen, envVars: { ...provider.envVars, ...options.envVars }, command, egressAllow };
}

function assertKnown(what: string, options: object, names: ReadonlySet<string>): void {
  for (const name of Object.keys(options)) {
    if (!names.has(name)) throw new TypeError(`${what}: unknown option \`${name}\``);
  }
}

function assertText(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== "string") throw new TypeError(`\`${name}\` must be text`);
}

/** Runs a check of the driver's, in a provider's words. */
function asOption(name: string, check: () => void): void {
  asRangeError(`\`${name}\`: `, check);
}

function asRangeError(start: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof BoxdDriverError) throw new RangeError(`${start}${error.message}`);
    throw error;
  }
}

function checkName(option: string, value: unknown, name: string): void {
  assertText(option, value);
  asOption(option, () => assertMachineName(name));
}

function assertWholeSeconds(name: string, value: unknown, least: number): void {
  if (value === undefined) return;
  if (typeof value !== "number") throw new TypeError(`\`${name}\` must be a number of seconds`);
  asRangeError("", () => assertSeconds(`\`${name}\``, value, least));
}

function assertWords(name: string, words: readonly string[] | undefined): void {
  if (words === undefined) return;
  if (!Array.isArray(words) || words.some((word) => typeof word !== "string" || word.includes("\0"))) {
    throw new TypeError(`\`${name}\` must be a list of words`);
  }
}

function checkImage(image: string): void {
  if (typeof image !== "string" || image.trim() === "" || /\p{Cc}/u.test(image))
    throw new TypeError("the image must be a name, on one line");
  if (image.startsWith("-"))
    throw new TypeError("the image must not start with `-`: docker would take it for an option");
}

/** Values are never shown: they may be secret. */
function checkEnvVars(envVars: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(envVars)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new TypeError("a name in `envVars` is not a variable name (letters, digits and `_`)");
    if (typeof value !== "string") throw new TypeError(`\`envVars.${name}\` must be text`);
    const of = `the value of \`envVars.${name}\``;
    if (/[\r\n\0]/.test(value)) throw new TypeError(`${of} must be a single line: docker's env files know no other`);
    if (/\p{Surrogate}/u.test(value))
      throw new TypeError(`${of} is not well-formed text: half a character would arrive as another`);
    if (Buffer.byteLength(`${name}=${value}`) > MAX_ENV_LINE)
      throw new RangeError(
        `\`envVars.${name}\` must have fewer than 64 KiB: docker reads no longer line of an env file`,
      );
  }
}
