import { memoizeLatest } from "../../base/memo.ts";
import { textsBelow, toValue } from "../../config/node.ts";
import type { StringMap } from "../../config/written-config.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { BACKENDS } from "../../catalog/backends/index.ts";
import { field, type Finding, type Rule } from "../rule.ts";
import { isPublicName, isSecretName } from "../../base/secret-name.ts";
import { secretShape } from "../../base/secret-shape.ts";
import { isPlainValue } from "./plain-value.ts";

/** A value that the config itself hands to a program, where no secret belongs. */
interface ConfigValue {
  readonly name: string;
  readonly value: string;
  readonly path: ConfigPath;
  /** How the value reaches its reader as a secret instead, as a short imperative. */
  readonly instead: (name: string) => string;
}

/** Why a value does not belong in the config: it is a secret of the catalogue (`what`), has the form of `what`, or the name of a secret. */
interface Reason {
  readonly kind: "catalogue" | "shape" | "name";
  readonly what: string;
}

/** A name of the catalogue; null workloads: it must stand nowhere in the config, else not in the environment of these. */
interface CatalogueName {
  readonly secret: string;
  readonly workloads: readonly string[] | null;
}

const DATABASE_NAMES = ["DATABASE_URL", "POSTGRES_PASSWORD"];

const BACKEND_SECRETS = BACKENDS.flatMap((backend) => backend.secrets.map((row) => row.name));

/** A rule about values that do not belong in the config for one reason. */
interface ValueRule extends Pick<Rule, "id" | "title" | "why" | "bad" | "good"> {
  readonly kind: Reason["kind"];
  readonly text: (value: ConfigValue, what: string) => Pick<Finding, "message" | "help">;
}

const VALUE_RULES: readonly ValueRule[] = [
  {
    kind: "catalogue",
    id: "secrets/catalogue-secret",
    title: "Secret of the catalogue in the config",
    why: "The config is committed and its values are rendered in the clear. A name of the secrets catalogue is delivered from `.env` or the target's store, and would collide with the value here.",
    bad: '{ "env": { "core": { "BOXD_API_KEY": "bxd" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": {} }, "sandbox": { "backend": "boxd" } }',
    text: ({ name, path }, secret) => ({
      message: `${field(path)} ${secret === name ? "is a secret" : `is how the secret \`${secret}\` is called inside the service`}: its value does not belong in the config`,
      help: `remove it, and put the value for \`${secret}\` into \`.env\` or the target's store; if it was real, replace it`,
    }),
  },
  {
    kind: "name",
    id: "secrets/secret-name",
    title: "Value under a secret's name",
    why: "The config is committed and its values are rendered in the clear, so a password, token or key must not stand in it. Names that only sound alike (`SORT_KEY`, `MAX_TOKEN`, publishable keys) and values that only say where a secret is are not meant.",
    bad: '{ "env": { "core": { "ACME_PASSWORD": "hunter2" } } }',
    good: '{ "secretEnv": { "core": { "ACME_PASSWORD": "ACME_PASSWORD" } } }',
    text: ({ name, path, instead }) => ({
      message: `${field(path)} has the name of a secret: its value does not belong in the config`,
      help: `${instead(name)}; if it was real, replace it`,
    }),
  },
  {
    kind: "shape",
    id: "secrets/secret-value",
    title: "Value in the form of a secret",
    why: "The config is committed and its values are rendered in the clear. Keys of well-known providers, private keys and URLs with a password are recognized by their form.",
    bad: '{ "env": { "core": { "ACME_DATABASE": "postgres://qm:hunter2@db.acme.dev/qm" } } }',
    good: '{ "secretEnv": { "core": { "ACME_DATABASE": "ACME_DATABASE" } } }',
    text: ({ name, path, instead }, what) => ({
      message: `${field(path)} holds ${what}, which does not belong in the config`,
      help: `${instead(name)}; if it was real, replace it`,
    }),
  },
];

/** Secrets that stand in the config. */
export const SECRET_VALUE_RULES: readonly Rule[] = VALUE_RULES.map(({ kind, text, ...info }) => ({
  ...info,
  clause: "config.no-secret-values",
  check(deployment, report) {
    for (const { value, reason } of misplacedValues(deployment))
      if (reason.kind === kind) report({ ...text(value, reason.what), place: { path: value.path } });
  },
}));

/** The values that do not belong in the config, each with why. */
export const misplacedValues = memoizeLatest((deployment: Deployment) => {
  const values = [...configValues(deployment), ...misshapenValues(deployment)];
  const catalogue = catalogueNames(deployment.secrets, new Set(values.map(({ name }) => name)));
  return values.flatMap((value) => {
    const reason = reasonOf(value, catalogue, deployment);
    return reason === null ? [] : [{ value, reason }];
  });
});

/** Those of the names that are a secret's in a catalogue, or its name inside a service, each with the secret. */
function catalogueNames(secrets: readonly Secret[], names: ReadonlySet<string>): ReadonlyMap<string, CatalogueName> {
  const known = new Map<string, CatalogueName>();
  for (const name of BACKEND_SECRETS) if (names.has(name)) known.set(name, { secret: name, workloads: null });
  for (const { name, required, destinations } of secrets) {
    if (!names.has(name) && !destinations.some(({ env }) => names.has(env))) continue;
    // What docker's own database is told with is in no catalogue of qm: elsewhere the name is anybody's.
    const isOfDockerOnly = DATABASE_NAMES.includes(name) && !required;
    const workloads = isOfDockerOnly ? destinations.map(({ workload }) => workload) : null;
    known.set(name, { secret: name, workloads });
    for (const { env } of destinations) known.set(env, { secret: name, workloads });
  }
  return known;
}

/** Every environment value and build argument that stands in the config, in the order of its blocks. */
export function* configValues({ config }: Deployment): Iterable<ConfigValue> {
  for (const [service, map] of Object.entries(config.env ?? {}))
    yield* valuesIn(
      map,
      ["env", service],
      (name) => `keep the value in \`.env\` or the target's store, and route it with \`secretEnv.${service}.${name}\``,
    );
  for (const [at, plugin] of (config.plugins ?? []).entries())
    yield* valuesIn(
      plugin.env,
      ["plugins", at, "env"],
      () => `declare it in \`plugins[${at}].secrets\`, and keep the value in \`.env\` or the target's store`,
    );
  yield* valuesIn(
    config.sandbox?.env,
    ["sandbox", "env"],
    () => "name it in `sandbox.secretEnv` (Sprites only), and keep the value in `.env` or the target's store",
  );
  for (const [workload, service] of Object.entries(config.aws?.services ?? {}))
    yield* valuesIn(
      service.buildArgs,
      ["aws", "services", workload, "buildArgs"],
      () => "build arguments stay readable in the image: fetch it at run time instead, as a secret of the service",
    );
}

/** What stands in `env` under a secret's name and is no text: the typed config has none of it, and the file has it all the same. */
function* misshapenValues({ document }: Deployment): Iterable<ConfigValue> {
  const services = document.node(["env"]);
  for (const { key: service, value: block } of services?.kind === "object" ? services.members : [])
    for (const { key: name, value } of block?.kind === "object" ? block.members : []) {
      if (value === null || !["object", "array", "number"].includes(value.kind) || !isSecretName(name)) continue;
      if (value.kind !== "number" && [...textsBelow(value)].length === 0) continue;
      yield {
        name,
        value: JSON.stringify(toValue(value)),
        path: ["env", service, name],
        instead: () => "remove it, and keep the value in `.env` or the target's store",
      };
    }
}

function* valuesIn(
  map: StringMap | undefined,
  path: ConfigPath,
  instead: (name: string) => string,
): Iterable<ConfigValue> {
  for (const [name, value] of Object.entries(map ?? {})) yield { name, value, path: [...path, name], instead };
}

function reasonOf(
  { name, value, path }: ConfigValue,
  catalogue: ReadonlyMap<string, CatalogueName>,
  deployment: Deployment,
): Reason | null {
  const known = catalogue.get(name);
  const isTheirs = known?.workloads?.includes(path[0] === "env" ? workloadOf(String(path[1]), deployment) : "") ?? true;
  if (known !== undefined && isTheirs) return { kind: "catalogue", what: known.secret };
  const what = secretShape(value, isPublicName(name));
  if (what !== null) return { kind: "shape", what };
  return isSecretName(name) && !isPlainValue(value) ? { kind: "name", what: "" } : null;
}

/** The workload that a service runs in, its own name where it runs in none. */
function workloadOf(service: string, { workloads }: Deployment): string {
  return workloads.find(({ hosts }) => hosts.some((host) => host === service))?.name ?? service;
}
