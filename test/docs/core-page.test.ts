import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { processesSupported, TEST_KEY } from "../support/boxd-fake/index.ts";
import { makeStandIn, type StandIn } from "../support/boxd-sdk-stand-in/stand-in.ts";
import { plainEnv, ROOT, runCli } from "../cli/built.ts";
import { tempDirectory } from "../workspace/temp.ts";

const PAGE = readFileSync(join(ROOT, "docs/core.md"), "utf8");
const SAMPLES = [...PAGE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

/** What core has at hand where it makes its backends. */
const WIRING = `
import { buildBoxd, canStage } from "./build.mjs";
const wiring = {
  workspace: { scopeDir: (scope) => "/nowhere/" + scope, list: async () => [] },
  env: process.env,
  blobTransfer: {},
  deploymentLayer: { advertisedTools: ["jq  JSON"], credentialPaths: [{ path: ".config/acme", kind: "directory" }] },
  config: { signingSecret: "s".repeat(32), apiBaseUrl: "https://core.example" },
  sandboxOnError: (trouble) => console.error(trouble),
};
const sandbox = buildBoxd(wiring);
console.log(canStage(sandbox), canStage(buildBoxd({ ...wiring, config: {} })));
`;

describe.skipIf(!processesSupported)(
  `docs/core.md${processesSupported ? "" : " (skipped: the fake's machines need /proc)"}`,
  () => {
    let standIn: StandIn;
    beforeAll(async () => void (standIn = await makeStandIn()));
    afterAll(() => standIn.dispose());

    function run(files: Readonly<Record<string, string>>) {
      const cwd = tempDirectory();
      mkdirSync(join(cwd, "node_modules"));
      symlinkSync(ROOT, join(cwd, "node_modules", "qm-deploy"));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
      const env = { ...plainEnv(), ...standIn.env(), BOXD_API_KEY: TEST_KEY };
      return spawnSync(process.execPath, [...standIn.nodeArgs, "--", "main.mjs"], { cwd, env, encoding: "utf8" });
    }

    test("has three samples, which the tests here run", () => expect(SAMPLES).toHaveLength(3));

    test("its settings are read as it says", () => {
      const { stdout, stderr, status } = run({ "main.mjs": SAMPLES[0] as string });
      expect([status, stderr, stdout]).toEqual([0, "", "acme 2\n"]);
    });

    test("a backend that is made as it says works as it says, and leaves nothing", () => {
      const [, build = "", use = ""] = SAMPLES;
      const { stdout, stderr, status } = run({ "build.mjs": build, "main.mjs": WIRING + use });
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toBe(
        "true false\n0 hello from /home/boxd/workspace\nkept\n\n{ machine: 'running', guestResponsive: true }\n",
      );
      expect(standIn.report()).toMatchObject({ survivors: [], violations: [], clients: { opened: 1, closed: 1 } });
    });
  },
);

test("the commands of docs/boxd.md are commands, with these options", () => {
  const lines = [...readFileSync(join(ROOT, "docs/boxd.md"), "utf8").matchAll(/^ {4}qm-deploy (.+)$/gm)];
  expect(lines.length).toBeGreaterThan(5);
  for (const [, line = ""] of lines) {
    const { status, stderr } = runCli([...line.split(" "), "--help"]);
    expect([status, stderr], line).toEqual([0, ""]);
    const [name, sub] = line.split(" ");
    const command = COMMANDS.find((one) => one.name === name);
    const all = [...(command?.options ?? []), ...(command?.commands?.find((one) => one.name === sub)?.options ?? [])];
    for (const [, option = ""] of line.matchAll(/ --([a-z-]+)/g))
      expect(
        all.map((one) => one.name),
        line,
      ).toContain(option);
  }
});
