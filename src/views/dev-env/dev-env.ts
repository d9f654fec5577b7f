import { secretShape } from "../../base/secret-shape.ts";
import { findReference } from "../../base/stand-in.ts";
import type { Backend } from "../../catalog/backends/backend.ts";
import { BACKENDS } from "../../catalog/backends/index.ts";
import { urlHostKind } from "../../catalog/grammar/host.ts";
import { NEWEST } from "../../catalog/releases/index.ts";
import { nameOf, settingOf } from "../../catalog/settings/index.ts";

/** A value and where it stands: the environment of the process, or the worktree's `.env`. */
export interface FoundValue {
  readonly value: string;
  readonly source: "environment" | ".env";
}

/** What a contributor's core needs for a backend. */
export interface DevEnv {
  readonly backend: string;
  /** without secrets, and without what is a problem */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** what core also needs and what is never shown; null where it is missing */
  readonly secret: { readonly name: string; readonly source: FoundValue["source"] | null } | null;
  /** with these it does not work */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** The prefix of a contributor's machines, so that they are told from a deployment's. */
const DEV_PREFIX = "qmdev";
/** A shorter one would be found in ordinary words. */
const MIN_KEY_LENGTH = 4;

/** A contributor's core is newer than every release. */
const PUBLIC_URL = nameOf(NEWEST, "core.publicApiUrl");

/** Read whatever the backend is. */
const TIMEOUT = settingOf("core.sandboxTimeout");

/** The backends that a contributor's own core can run agents in. */
export const DEV_BACKENDS: readonly Backend[] = BACKENDS.filter(({ devEnv }) => devEnv !== null);

/** The names that are passed on to core where they are set, in the order in which they are printed. */
function namesOf(backend: Backend): { prefix: string | null; egressProxy: string | null; all: readonly string[] } {
  const { devEnv, machineNames, egressSetting, settings, remote } = backend;
  const prefix = machineNames?.prefix.name ?? devEnv?.prefix ?? null;
  const all = [
    prefix,
    ...settings.map(({ name }) => name),
    ...(devEnv?.names ?? []),
    egressSetting,
    TIMEOUT.name,
    remote ? PUBLIC_URL : null,
  ];
  return { prefix, egressProxy: egressSetting, all: [...new Set(all)].filter((name) => name !== null) };
}

/** `find` answers a trimmed value that is not blank, or null. */
export function devEnv(backend: Backend, find: (name: string) => FoundValue | null): DevEnv {
  const problems: string[] = [];
  const warnings: string[] = [];
  const env = [{ name: nameOf(NEWEST, "core.sandboxBackend"), value: backend.name }];
  const { prefix, egressProxy, all } = namesOf(backend);
  const [row] = backend.secrets;
  const secret = row === undefined ? null : { name: row.name, source: find(row.name)?.source ?? null };
  if (row !== undefined && secret?.source === null) {
    const hint = row.source.kind === "operator" && row.source.hint !== null ? `: ${row.source.hint}` : "";
    problems.push(`\`${row.name}\` is not set, and \`${backend.name}\` needs it${hint}`);
  }
  const stored = row === undefined ? null : findReference(find(row.name)?.value ?? "");
  if (row !== undefined && stored !== null)
    warnings.push(
      `\`${row.name}\` ${stored.what}: core takes the text itself for the key, unless a command of that store starts it`,
    );
  if (prefix !== null && find(prefix) === null) env.push({ name: prefix, value: DEV_PREFIX });
  const keys = DEV_BACKENDS.flatMap(({ secrets }) => secrets.flatMap(({ name }) => find(name)?.value ?? []));
  for (const name of all) {
    const found = find(name);
    if (found === null) continue;
    const isKey = secretShape(found.value) !== null && !hasCredentials(found.value);
    const reference = findReference(found.value);
    if (reference !== null)
      problems.push(`\`${name}\` ${reference.what}, and core would take the text itself: use the value`);
    else if (isKey || keys.some((key) => key.length >= MIN_KEY_LENGTH && found.value.includes(key)))
      problems.push(`\`${name}\` holds a key, which is never printed: a key belongs into its own variable`);
    else if (name.endsWith("_URL") && hasCredentials(found.value))
      problems.push(`\`${name}\` holds credentials, which are not passed on: use an address without them`);
    else env.push({ name, value: found.value });
  }
  // As `check` judges the same setting. A value is not repeated: it is in the reader's own environment.
  const sound = env.filter(({ name, value }) => {
    const setting = [...backend.settings, TIMEOUT].find((one) => one.name === name);
    const found = setting?.reading.judge(value, { release: NEWEST, production: false, other: () => null }) ?? null;
    if (found === null) return true;
    (found.severity === "warning" ? warnings : problems).push(`\`${name}\` ${found.message}: ${found.help}`);
    return found.severity === "warning";
  });
  if (egressProxy !== null && find(egressProxy) === null)
    warnings.push(`\`${egressProxy}\` is not set: agents can reach any host`);
  if (backend.remote) warnings.push(...unreachable(backend, find(PUBLIC_URL)?.value));
  return { backend: backend.name, env: sound, secret, problems, warnings };
}

function unreachable(backend: Backend, url: string | undefined): string[] {
  const help = "open a tunnel to core's port and set its https address";
  if (url === undefined)
    return [
      `\`${PUBLIC_URL}\` is not set: machines of \`${backend.name}\` cannot reach a core on this computer; ${help}`,
    ];
  if (/^https:/i.test(url) && urlHostKind(url) === "public") return [];
  return [`\`${PUBLIC_URL}\` is not a public https address: machines of \`${backend.name}\` cannot reach it; ${help}`];
}

/** However the address is written: of another scheme, without one, or with the slashes that programs forgive. */
function hasCredentials(value: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*@/i.test(value);
}
