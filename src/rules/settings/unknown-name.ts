import { closestName, isOneSlip } from "../../base/closest-name.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { BACKENDS } from "../../catalog/backends/index.ts";
import type { Backend } from "../../catalog/backends/backend.ts";
import { secretRows } from "../../catalog/secrets.ts";
import { settingsOf } from "../../catalog/settings/index.ts";
import { SERVICE_NAMES } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import {
  readBackendSettings,
  type ServiceRuntime,
  serviceRuntimes,
  settingReader,
} from "../../deployment/written-settings.ts";
import { field, type Finding, names, own, renaming, type Rule } from "../rule.ts";

/** In shorter names one letter makes another word. */
const SHORTEST = 6;

/** So it does in shorter words of a name: `ID`; and the first word is a vendor's mark where it is short: `PI_`, `AWS_`. */
const SHORTEST_WORD = 3;
const SHORTEST_FIRST_WORD = 4;

export const UNKNOWN_NAME_RULES: readonly Rule[] = [
  {
    id: "settings/unknown-name",
    title: "Misspelt name of a setting",
    severity: "warning",
    why: "A service takes a misspelt name without a word and works as if it were not there. Names of your own are free: only those are reported that are one letter away from a setting, or that begin like those of the selected backend.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "WORKRES": "4" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "WORKERS": "4" } } }',
    check(deployment, report) {
      const readSetting = settingReader(deployment);
      let known: ReadonlySet<string> | undefined;
      for (const runtime of serviceRuntimes(deployment)) {
        let read: readonly string[] | undefined;
        for (const service of runtime.hosts) {
          for (const name of Object.keys(deployment.config.env?.[service] ?? {})) {
            if (readSetting(runtime.hosts, service, name) !== null) continue;
            if ((known ??= knownNames(deployment)).has(name)) continue;
            const path = ["env", service, name];
            const found =
              ofFamily(deployment, runtime, path, name) ??
              misspelt(deployment, runtime, path, name, (read ??= readNames(deployment, runtime)));
            if (found !== null) report(found);
          }
        }
      }
    },
  },
];

/** Every name that something of qm reads somewhere, or that a secret has. */
function knownNames({ release: { release }, secrets }: Deployment): ReadonlySet<string> {
  return new Set([
    ...SERVICE_NAMES.flatMap((service) => [...settingsOf(release, service).keys()]),
    ...BACKENDS.flatMap(({ settings }) => settings.map(({ name }) => name)),
    ...secretRows(release).map(({ name }) => name),
    ...secrets.flatMap(({ name, destinations }) => [name, ...destinations.map(({ env }) => env)]),
  ]);
}

function ofFamily({ sandbox }: Deployment, runtime: ServiceRuntime, path: ConfigPath, name: string): Finding | null {
  if (!runtime.hosts.includes("core")) return null;
  const backend = sandbox.selected.find(
    ({ settingFamily }) => settingFamily !== null && name.startsWith(settingFamily),
  );
  return backend === undefined ? null : strayOfFamily(backend, path, name);
}

function strayOfFamily(backend: Backend, path: ConfigPath, name: string): Finding {
  const settings = backend.settings.map((setting) => setting.name);
  const meant = closestName(name, settings);
  return {
    message: `${field(path)} is no setting of \`${backend.name}\``,
    help: meant === null ? `remove it; ${backend.name} has ${names(settings)}` : `did you mean \`${meant}\`?`,
    place: { path },
    fix: renaming(path, meant),
  };
}

function misspelt(
  { config }: Deployment,
  { hosts }: ServiceRuntime,
  path: ConfigPath,
  name: string,
  read: readonly string[],
): Finding | null {
  if (name.length < SHORTEST) return null;
  const meant = read.filter((known) => isMisspelling(name, known));
  const [only] = meant;
  if (only === undefined || meant.length > 1) return null;
  const isTaken = hosts.some((service) => own(config.env?.[service], only) !== undefined);
  return {
    message: `${field(path)} is no setting that qm reads`,
    help: `did you mean \`${only}\`? If the name is your own, keep it`,
    place: { path },
    fix: isTaken ? undefined : renaming(path, only),
  };
}

function isMisspelling(name: string, known: string): boolean {
  if (known.length < SHORTEST || !isOneSlip(name, known)) return false;
  const [written, meant] = [name.split("_"), known.split("_")];
  const at = meant.findIndex((word, index) => word !== written[index]);
  const shortest = at === 0 && meant.length > 1 ? SHORTEST_FIRST_WORD : SHORTEST_WORD;
  if (written.length === meant.length && (meant[at] ?? "").length < shortest) return false;
  // A number of one's own: `S3_BUCKET2`.
  return name.replace(/\d/g, "") !== known.replace(/\d/g, "");
}

/** Every name that something of a runtime reads. */
function readNames(deployment: Deployment, { hosts }: ServiceRuntime): readonly string[] {
  const ofServices = hosts.flatMap((service) => [...settingsOf(deployment.release.release, service).keys()]);
  const ofBackends = hosts.includes("core") ? readBackendSettings(deployment).map(({ name }) => name) : [];
  return [...new Set([...ofServices, ...ofBackends])];
}
