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
  /** a program with arguments before Node's: Postgres does not run as root */
  readonly asUser: readonly string[];
  /** of who runs it; null where that is the user of the tests */
  readonly uid: number | null;
}

const NOBODY = 65_534;
/** The user may read what root may, as caches often lie in root's home; it may not write there. */
const SETPRIV = [
  "setpriv",
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
  if (process.getuid?.() !== 0) return { folder, node, asUser: [], uid: null };
  const [program = "", ...args] = SETPRIV;
  if (!answers(program, [...args, node, "--version"])) return "needs setpriv: as root, Postgres does not start";
  return { folder, node, asUser: SETPRIV, uid: NOBODY };
}
