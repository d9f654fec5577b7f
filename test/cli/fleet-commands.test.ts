import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDirectory } from "../workspace/temp.ts";
import { runInProcess } from "./in-process.ts";
import { soundConfig } from "./deployments.ts";

const CORE = `ghcr.io/acme/core@sha256:${"a".repeat(64)}`;

function config(org: string, more: object = {}): string {
  const env = { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: org } };
  return soundConfig({ orgId: org, imageOverrides: { core: CORE }, env, ...more });
}

/** Three deployments in a directory, rendered. */
async function fleet(): Promise<string> {
  const orgs = ["one", "two", "six"];
  const cwd = tempDirectory(Object.fromEntries(orgs.map((org) => [`${org}/qm.config.jsonc`, config(org)])));
  const { status, stdout, stderr } = await runInProcess(["render", "."], { cwd });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("passed  3 deployments: 3 written");
  return cwd;
}

const PATHS: readonly (readonly string[])[] = [["."], ["one", "two", "six"], [], ["two/qm.config.jsonc", "."]];

describe("where there is no deployment", () => {
  test.each([["check"], ["render", "--check"]])(
    "%s %s fails, but for who says that there may be none",
    async (...argv) => {
      const empty = tempDirectory({ "package.json": "{}" });
      const { status, stderr } = await runInProcess([...argv, "--if-present"], { cwd: empty });
      expect([status, stderr]).toEqual([0, "info: there is no deployment here\n"]);
      expect((await runInProcess(argv, { cwd: empty })).status).toBe(2);
      expect((await runInProcess([...argv, "--if-present", "nowhere"], { cwd: empty })).status).toBe(2);
    },
  );

  test("what is there is judged all the same", async () => {
    const cwd = tempDirectory({ "d/qm.config.jsonc": soundConfig() });
    const { status, stdout } = await runInProcess(["render", "--check", "--if-present"], { cwd });
    expect([status, stdout]).toEqual([1, expect.stringContaining("compose.yaml")]);
  });
});

describe("render over several deployments", () => {
  test("finds them as check does", async () => {
    const cwd = await fleet();
    for (const paths of PATHS) {
      const { stdout, stderr, status } = await runInProcess(["render", "--check", ...paths], { cwd });
      expect([status, stdout, stderr]).toEqual([0, "passed  3 deployments: 3 as they were\n", ""]);
      const configs = async (argv: readonly string[]): Promise<unknown> =>
        JSON.parse((await runInProcess([...argv, "--format", "json", ...paths], { cwd })).stdout).deployments.map(
          (one: { config: string }) => one.config,
        );
      expect(await configs(["render", "--check"])).toEqual(await configs(["check"]));
      expect(await configs(["secrets", "check"])).toEqual(await configs(["check"]));
    }
  });

  test("--check shows the first that differs, names each, and says last how many came to what", async () => {
    const cwd = await fleet();
    for (const org of ["one", "six"])
      writeFileSync(join(cwd, org, "qm.config.jsonc"), config(org, { botName: "Robin" }));
    writeFileSync(join(cwd, "two", "qm.config.jsonc"), config("two", { nonsense: 1 }));
    const { status, stdout, stderr } = await runInProcess(["render", "--check", "."], { cwd });
    expect(status).toBe(1);
    expect(stdout.match(/^--- .*compose.yaml/gm)).toEqual(["--- one/rendered/docker/compose.yaml"]);
    expect(stdout.split("\n").slice(-4)).toEqual([
      "differs  one/rendered/docker: compose.yaml, core.env, qm/qm.config.jsonc, slack-app-manifest.yml",
      "differs  six/rendered/docker: compose.yaml, core.env, qm/qm.config.jsonc, slack-app-manifest.yml",
      "failed  3 of 3 deployments: 1 not rendered, 2 not what the config says (`qm-deploy render` writes them)",
      "",
    ]);
    expect(stderr).toContain("unknown field `nonsense`");
    // One summary: here are the places, and how many failed stands at the end of stdout.
    expect(stderr.match(/^failed .*/gm)).toEqual([
      "failed  two/qm.config.jsonc: 1 error, first at two/qm.config.jsonc:23:3",
    ]);
    expect(stderr.match(/nothing was rendered/g)).toHaveLength(1);
  });

  test("what cannot be read costs nothing of the others, and the highest status wins", async () => {
    const cwd = await fleet();
    writeFileSync(join(cwd, "two", "qm.config.jsonc"), Buffer.from([0xff, 0xfe, 0x00]));
    writeFileSync(join(cwd, "six", "qm.config.jsonc"), config("six", { botName: "Robin" }));
    const { status, stdout, stderr } = await runInProcess(["render", ".", "elsewhere"], { cwd });
    expect(status).toBe(2);
    expect(stdout).toMatch(/4 deployments: 2 cannot be read or written, 1 written, 1 as they were\n$/);
    expect(stderr).toContain("input/not-text");
    expect(stderr).toContain("input/missing");
    expect(readFileSync(join(cwd, "six/rendered/docker/core.env"), "utf8")).toContain("ORG_BRAND_SELF_LABEL=Robin");
    const ran = JSON.parse((await runInProcess(["render", "--check", "--format", "json", "."], { cwd })).stdout);
    expect(ran).toMatchObject({
      version: 2,
      ok: false,
      summary: { deployments: 3, unreadable: 1, same: 2, differs: 0 },
    });
    const directories = ran.deployments.map(({ directory }: { directory: string | null }) => directory);
    expect(directories).toEqual(["one/rendered/docker", "six/rendered/docker", null]);
  });

  test("one directory for several is refused before anything is written", async () => {
    const cwd = await fleet();
    const { status, stderr } = await runInProcess(["render", "--out", "there", "."], { cwd });
    expect([status, stderr]).toEqual([2, "error: --out is the directory of one deployment: name one\n"]);
  });
});

test("secrets check judges several at once, with one summary and one status", async () => {
  const cwd = await fleet();
  const { status, stdout } = await runInProcess(["secrets", "check", "."], { cwd });
  expect(status).toBe(1);
  expect(stdout.trimEnd().split("\n").slice(-4)).toEqual([
    "failed  one/qm.config.jsonc: 1 error",
    "failed  six/qm.config.jsonc: 1 error",
    "failed  two/qm.config.jsonc: 1 error",
    "failed  3 of 3 deployments: 3 errors",
  ]);
  expect((await runInProcess(["secrets", "check", "one", "nowhere"], { cwd })).status).toBe(2);
});
