import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../cli/built.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { SERVED, TAG } from "./served.ts";
import { run, TOOLCHAINS } from "./toolchains.ts";

/** What a project says so that npm 12 takes from git what it names itself. */
const OPT_IN = "allow-git=root\n";

/** A project with an example in `d`. */
function project(npmrc = OPT_IN): string {
  const cwd = tempDirectory({ "package.json": '{ "name": "p", "private": true }', ".npmrc": npmrc });
  cpSync(join(ROOT, "examples/docker-boxd"), join(cwd, "d"), { recursive: true });
  return cwd;
}

const PASSED = expect.stringMatching(/passed .*d\/qm\.config\.jsonc/);

describe.each(TOOLCHAINS)("$name", ({ isThere, env: make }) => {
  test.skipIf(!isThere)("installs the tag into a project, and its command runs", () => {
    const [env, cwd] = [make(), project()];
    const installed = run("npm", ["install", "--save-dev", `git+file://${SERVED}#${TAG}`], cwd, env);
    expect(installed.status, installed.text).toBe(0);
    expect(installed.text, "nothing is asked or warned of").not.toMatch(/warn|script/i);
    const bin = join(cwd, "node_modules/.bin/qm-deploy");
    expect(run(bin, ["check", "d"], cwd, env)).toMatchObject({ status: 0, text: PASSED });
    // A lock file that was committed, on another machine.
    const again = run("npm", ["ci"], cwd, env);
    expect(again.status, again.text).toBe(0);
    expect(run(bin, ["--version"], cwd, env).stdout).toBe("0.1.0\n");
  });

  test.skipIf(!isThere)("installs the tag for a user", () => {
    const [env, cwd, prefix] = [make(), project(), tempDirectory()];
    const args = ["install", "--global", "--prefix", prefix, "--allow-git=all", `git+file://${SERVED}#${TAG}`];
    const installed = run("npm", args, cwd, env);
    expect(installed.status, installed.text).toBe(0);
    expect(run(join(prefix, "bin/qm-deploy"), ["check", "d"], cwd, env)).toMatchObject({ status: 0, text: PASSED });
  });

  test.skipIf(!isThere)("runs the tag without installing it", () => {
    const [env, cwd] = [make(), project()];
    const args = ["--yes", "--allow-git=all", `git+file://${SERVED}#${TAG}`, "check", "d"];
    expect(run("npx", args, cwd, env)).toMatchObject({ status: 0, text: PASSED });
  });

  test.skipIf(!isThere)("installs what npm packs of the tree", () => {
    const [env, cwd] = [make(), project("")];
    const packed = run("npm", ["pack", "--silent", SERVED], cwd, env);
    expect([packed.status, packed.stdout], packed.text).toEqual([0, "qm-deploy-0.1.0.tgz\n"]);
    const installed = run("npm", ["install", "./qm-deploy-0.1.0.tgz"], cwd, env);
    expect(installed.status, installed.text).toBe(0);
    const bin = join(cwd, "node_modules/.bin/qm-deploy");
    expect(run(bin, ["check", "d"], cwd, env)).toMatchObject({ status: 0, text: PASSED });
    addFiles(cwd, {
      "use.mjs": 'import { loadDeployment } from "qm-deploy";\nconsole.log(loadDeployment("d").deployment.target);\n',
    });
    expect(run("node", ["use.mjs"], cwd, env)).toMatchObject({ status: 0, stdout: "docker\n" });
  });
});

test.skipIf(TOOLCHAINS[1]?.isThere !== true)(
  "npm 12 takes nothing from git unless the project says so, as README tells",
  () => {
    const [env, cwd] = [(TOOLCHAINS[1] as (typeof TOOLCHAINS)[number]).env(), project("")];
    const refused = run("npm", ["install", `git+file://${SERVED}#${TAG}`], cwd, env);
    expect(refused.status).not.toBe(0);
    expect(refused.text).toContain("EALLOWGIT");
  },
);
