import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { BIN, plainEnv, runCli } from "./built.ts";
import { fleet } from "./fleet.ts";

const NODE_24 = process.env["QM_DEPLOY_NODE_24"] ?? "";

test.skipIf(!existsSync(NODE_24))("Node 24 says what this Node says (where QM_DEPLOY_NODE_24 names one)", () => {
  const cwd = fleet();
  const argv = ["check", "--format", "json"];
  const options = { cwd, env: plainEnv(), encoding: "utf8", maxBuffer: 1 << 28 } as const;
  const other = spawnSync(NODE_24, [BIN, ...argv], options);
  expect([other.stderr, other.stdout === runCli(argv, { cwd }).stdout]).toEqual(["", true]);
});
