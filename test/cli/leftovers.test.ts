import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDirectory } from "../workspace/temp.ts";
import { plainEnv, runCli } from "./built.ts";
import { MENDABLE, soundConfig } from "./deployments.ts";

/** A program for node's --require: the process is killed where a file would get its name. */
const KILLER = `const fs = require("node:fs"); fs.renameSync = () => { process.kill(process.pid, "SIGKILL"); };\n`;

const CONFIG = "qm.config.jsonc";
const SECRET = "5ec2e7".repeat(8);

function git(cwd: string, ...args: readonly string[]): string {
  return spawnSync("git", args, { cwd, env: plainEnv({ GIT_CONFIG_GLOBAL: "/dev/null" }), encoding: "utf8" }).stdout;
}

/** What a run of this toolkit has left in a directory, and git would take. */
function leftIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => /\.tmp$|\.lock/.test(name));
}

test.each([
  ["secrets set", ["secrets", "set", "CAPABILITY_SECRET"], "."],
  ["config set", ["config", "set", "orgId", "other"], "."],
  ["check --fix", ["check", "--fix=all"], "."],
  ["init", ["init", ".", "--yes"], "."],
  ["render", ["render", "--secrets", "--force"], "rendered/docker"],
])(
  "what a killed `%s` leaves is for no commit, doctor tells of it, and the next run takes it away",
  (name, argv, place) => {
    const cwd = tempDirectory({
      ".gitignore": ".env\n",
      ".env": `BOXD_API_KEY=bxk_${"ab".repeat(20)}\n`,
      [CONFIG]: name === "check --fix" ? MENDABLE : soundConfig(),
      "killer.cjs": KILLER,
    });
    git(cwd, "init", "-q");
    const options = { cwd, input: SECRET };
    const before = git(cwd, "add", "-A", "-n");
    expect(runCli(argv, { ...options, nodeArgs: ["--require", join(cwd, "killer.cjs")] }).status).toBeNull();
    const directory = join(cwd, place);
    const left = leftIn(directory);
    expect(left.filter((one) => one.endsWith(".tmp"))).toHaveLength(1);
    const taken = git(cwd, "add", "-A", "-n").replace(before, "");
    if (name === "secrets set" || name === "render") expect(taken).not.toMatch(/\.tmp/);
    if (place === ".") {
      const doctor = runCli(["doctor"], options).stdout;
      expect(doctor).toMatch(/^failed +leftovers: .*\.tmp/m);
      expect(doctor).toMatch(/^failed +leftovers: .*\.lock\b/m);
      expect(doctor).not.toContain(SECRET);
    }
    expect(runCli(argv, options).status).toBeLessThan(2);
    expect(leftIn(directory)).toEqual([]);
  },
);

test("any command that writes there takes it away", () => {
  const cwd = tempDirectory({ [CONFIG]: soundConfig(), "killer.cjs": KILLER });
  const killed = { cwd, input: SECRET, nodeArgs: ["--require", join(cwd, "killer.cjs")] };
  expect(runCli(["secrets", "set", "CAPABILITY_SECRET"], killed).status).toBeNull();
  expect(runCli(["config", "set", "orgId", "other"], { cwd }).status).toBe(0);
  expect(leftIn(cwd).filter((one) => one.endsWith(".tmp"))).toEqual([]);
});
