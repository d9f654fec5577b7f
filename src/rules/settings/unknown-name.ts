import { closestName, isOneSlip } from "../../base/closest-name.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { createMemo } from "../../base/memo.ts";
import { BACKEND_SETTINGS } from "../../catalog/backends/index.ts";
import type { Release } from "../../catalog/releases/release.ts";
import type { Backend } from "../../catalog/backends/backend.ts";
import { secretRows } from "../../catalog/secrets.ts";
import { settingsOf } from "../../catalog/settings/index.ts";
import { SERVICE_NAMES, type ServiceName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { type ServiceRuntime, serviceRuntimes, settingReader } from "../../deployment/written-settings.ts";
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
    formerly: ["boxd/unknown-setting"],
    severity: "warning",
    why: "A service takes a misspelt name without a word and works as if it were not there. Names of your own are free: only those are reported that are one letter away from a setting, or written in another case, or that begin like those of the selected backend.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "WORKRES": "4" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "WORKERS": "4" } } }',
    check(deployment, report) {
      const readSetting = settingReader(deployment);
      for (const runtime of serviceRuntimes(deployment)) {
        for (const service of runtime.hosts) {
          const isRead = (name: string): boolean => readSetting(runtime.hosts, service, name) !== null;
          for (const path of writtenNames(deployment, service)) {
            const [section, , name] = path;
            if (isRead(name) || isKnown(deployment, section, name)) continue;
            const isMeant = (known: string): boolean =>
              isRead(known) || (section === "secretEnv" && isSecret(deployment, known));
            const found = ofFamily(deployment, runtime, path) ?? misspelt(deployment, runtime, path, isMeant);
            if (found !== null) report(found);
          }
        }
      }
    },
  },
];

/** Every name that something of a release reads somewhere, or that one of its secrets has; by the release's version. */
const namesOfReleases = createMemo<ReadonlySet<string>>(8);

function knownNames(release: Release): ReadonlySet<string> {
  return namesOfReleases(release.version, () => {
    const ofServices = SERVICE_NAMES.flatMap((service) => [...settingsOf(release, service).keys()]);
    return new Set([...ofServices, ...BACKEND_SETTINGS.keys(), ...secretRows(release).map(({ name }) => name)]);
  });
}

const SECTIONS = ["env", "secretEnv"] as const;

type NamePath = readonly [section: (typeof SECTIONS)[number], service: ServiceName, name: string];

/** The places where a config names what a service gets, as a value or from a secret. */
function writtenNames({ config }: Deployment, service: ServiceName): readonly NamePath[] {
  return SECTIONS.flatMap((section) =>
    Object.keys(config[section]?.[service] ?? {}).map((name): NamePath => [section, service, name]),
  );
}

function isSecret({ release }: Deployment, name: string): boolean {
  return secretRows(release.release).some((row) => row.name === name);
}

function isKnown({ release, secrets }: Deployment, section: NamePath[0], name: string): boolean {
  if (knownNames(release.release).has(name)) return true;
  // An entry of `secretEnv` makes a secret of its name itself.
  if (section === "secretEnv") return false;
  return secrets.some((secret) => secret.name === name || secret.destinations.some(({ env }) => env === name));
}

function ofFamily({ sandbox }: Deployment, runtime: ServiceRuntime, path: NamePath): Finding | null {
  if (!runtime.hosts.includes("core")) return null;
  const name = path[2];
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
  { config, release }: Deployment,
  { hosts }: ServiceRuntime,
  path: NamePath,
  isMeant: (name: string) => boolean,
): Finding | null {
  const name = path[2];
  if (name.length < SHORTEST) return null;
  const meant = [...knownNames(release.release)].filter((known) => isMisspelling(name, known) && isMeant(known));
  const [only] = meant;
  if (only === undefined || meant.length > 1) return null;
  const isTaken = hosts.some((service) =>
    SECTIONS.some((section) => own(config[section]?.[service], only) !== undefined),
  );
  return {
    message: `${field(path)} is no setting that qm reads`,
    help: `did you mean \`${only}\`? If the name is your own, keep it`,
    place: { path },
    fix: isTaken ? undefined : renaming(path, only),
  };
}

function isMisspelling(name: string, known: string): boolean {
  if (known.length < SHORTEST) return false;
  // Case counts, but for those names that programs read in lower case too: `https_proxy`.
  if (name.toUpperCase() === known) return !name.endsWith("_proxy");
  if (!isOneSlip(name, known)) return false;
  const [written, meant] = [name.split("_"), known.split("_")];
  const at = meant.findIndex((word, index) => word !== written[index]);
  const shortest = at === 0 && meant.length > 1 ? SHORTEST_FIRST_WORD : SHORTEST_WORD;
  if (written.length === meant.length && (meant[at] ?? "").length < shortest) return false;
  // A number of one's own: `S3_BUCKET2`.
  return name.replace(/\d/g, "") !== known.replace(/\d/g, "");
}
