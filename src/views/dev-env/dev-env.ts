import { findBackend } from "../../catalog/backends/index.ts";
import { isPubliclyReachable } from "../../catalog/grammar/host.ts";
import { DEV_BACKENDS, DEV_PREFIX, FORWARDED_ALWAYS, type DevBackend } from "./rows.ts";

/** A value and where it stands: the environment of the process, or the worktree's `.env`. */
export interface FoundValue {
  readonly value: string;
  readonly source: "environment" | ".env";
}

/** What a contributor's core needs for a backend. */
export interface DevEnv {
  readonly backend: string;
  /** without secrets */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** what core also needs and what is never shown; null where it is missing */
  readonly secret: { readonly name: string; readonly source: FoundValue["source"] | null } | null;
  /** with these it does not work */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const PUBLIC_URL = "PUBLIC_API_URL";
/** A shorter one would be found in ordinary words. */
const MIN_KEY_LENGTH = 4;

/** `find` answers a trimmed value that is not blank, or null. */
export function devEnv(row: DevBackend, find: (name: string) => FoundValue | null): DevEnv {
  const problems: string[] = [];
  const warnings: string[] = [];
  const env = [{ name: "SANDBOX_BACKEND", value: row.name }];
  const secret = row.secret === null ? null : { name: row.secret.name, source: find(row.secret.name)?.source ?? null };
  if (row.secret !== null && secret?.source === null)
    problems.push(`\`${row.secret.name}\` is not set, and \`${row.name}\` needs it: get one with ${row.secret.from}`);
  if (row.prefix !== null && find(row.prefix) === null) env.push({ name: row.prefix, value: DEV_PREFIX });
  const keys = DEV_BACKENDS.flatMap((other) => (other.secret === null ? [] : (find(other.secret.name)?.value ?? [])));
  const names = [
    ...(row.prefix === null ? [] : [row.prefix]),
    ...row.forwarded,
    ...(row.egressProxy === null ? [] : [row.egressProxy]),
    ...FORWARDED_ALWAYS,
    ...(row.isRemote ? [PUBLIC_URL] : []),
  ];
  for (const name of names) {
    const found = find(name);
    if (found === null) continue;
    if (keys.some((key) => key.length >= MIN_KEY_LENGTH && found.value.includes(key)))
      problems.push(`\`${name}\` holds a key, which is never printed: a key belongs into its own variable`);
    else if (name.endsWith("_URL") && hasCredentials(found.value))
      problems.push(`\`${name}\` holds credentials, which are not passed on: use an address without them`);
    else env.push({ name, value: found.value });
  }
  for (const { name, value } of env) judge(row, name, value, problems, warnings);
  if (row.egressProxy !== null && find(row.egressProxy) === null)
    warnings.push(`\`${row.egressProxy}\` is not set: agents can reach any host`);
  if (row.isRemote) warnings.push(...unreachable(row, find(PUBLIC_URL)?.value));
  return { backend: row.name, env, secret, problems, warnings };
}

/** As `check` judges the same setting of a deployment. A value is not repeated: it is in the reader's own environment. */
function judge(row: DevBackend, name: string, value: string, problems: string[], warnings: string[]): void {
  const found = findBackend(row.name)
    ?.settings.find((setting) => setting.name === name)
    ?.judge(value);
  if (!found) return;
  (found.severity === "error" ? problems : warnings).push(`\`${name}\` ${found.message}: ${found.help}`);
}

function unreachable(row: DevBackend, url: string | undefined): string[] {
  const help = "open a tunnel to core's port and set its https address";
  if (url === undefined)
    return [`\`${PUBLIC_URL}\` is not set: machines of \`${row.name}\` cannot reach a core on this computer; ${help}`];
  if (/^https:/i.test(url) && isPubliclyReachable(url)) return [];
  return [`\`${PUBLIC_URL}\` is not a public https address: machines of \`${row.name}\` cannot reach it; ${help}`];
}

/** However the address is written: of another scheme, without one, or with the slashes that programs forgive. */
function hasCredentials(value: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*[^\\/?#]*@/i.test(value);
}
