import { shellQuote } from "../driver/index.ts";
import { isBelow, relative } from "./paths.ts";

/** A place in the home directory where some program keeps credentials. */
export interface CredentialPath {
  /** relative to the home directory */
  path: string;
  kind: "file" | "directory";
}

/** Places that core makes links of on every computer (docs/contract/boxd.md#credentials). */
const USUAL: readonly CredentialPath[] = [
  { path: ".aws", kind: "directory" },
  { path: ".netrc", kind: "file" },
  { path: ".config/gh", kind: "directory" },
  { path: ".config/glab", kind: "directory" },
  { path: ".config/gcloud", kind: "directory" },
];
/** Places that stay on the disk, whoever asks: an agent's own keys. */
const DURABLE = [".ssh", ".git-credentials"];

/** The usual places and those of the deployment, each once; what lies below one that is a link already needs none. */
export function credentialPlaces(more: readonly CredentialPath[] = []): readonly CredentialPath[] {
  const covered = [...DURABLE, ...USUAL.map(({ path }) => path)];
  return [...USUAL, ...more.filter(({ path }) => !covered.some((place) => isBelow(relative(path), place)))];
}

/** Where the credentials really lie: emptied by every boot, and not part of a backup. */
const EPHEMERAL_DIR = "/tmp/agent-creds";
/** What stood in a link's place is moved here, never deleted. */
export const DISPLACED_DIR = ".displaced-credentials";

/**
 * A script that makes each place a link to ephemeral storage. It may run any number of times; it exits above 0 when a link could not
 * be made, because credentials would then be written to the disk.
 */
export function credentialLinkScript(home: string, places: readonly CredentialPath[]): string {
  const lines = [
    "set -e",
    "umask 077",
    // Two processes of core may prepare one machine at the same time.
    `mkdir -p ${shellQuote(`${home}/.qm-deploy`)}; exec 9>>${shellQuote(`${home}/.qm-deploy/links.lock`)}; flock 9`,
    // Somebody else's link or file would redirect the credentials.
    `[ -d ${EPHEMERAL_DIR} ] && [ ! -L ${EPHEMERAL_DIR} ] || { rm -rf ${EPHEMERAL_DIR}; mkdir ${EPHEMERAL_DIR}; }`,
    `chmod 700 ${EPHEMERAL_DIR}`,
    `_link() {`,
    `  mkdir -p "\${1%/*}" "\${2%/*}"`,
    `  [ "$(readlink "$1" 2>/dev/null)" != "$2" ] || return 0`,
    `  if [ -e "$1" ] || [ -L "$1" ]; then _aside="$3.$(date +%s).$$"; mkdir -p "\${_aside%/*}"; mv "$1" "$_aside"; fi`,
    `  ln -s "$2" "$1"`,
    `}`,
  ];
  for (const { path, kind } of places) {
    const clean = relative(path);
    if (clean === "") throw new Error(`"${path}" is not a path below the home directory`);
    const target = shellQuote(`${EPHEMERAL_DIR}/${clean}`);
    if (kind === "directory") lines.push(`mkdir -p ${target}`);
    lines.push(`_link ${shellQuote(`${home}/${clean}`)} ${target} ${shellQuote(`${home}/${DISPLACED_DIR}/${clean}`)}`);
  }
  return lines.join("\n");
}
