import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plainEnv } from "../cli/built.ts";
import { soundConfig } from "../cli/deployments.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { bytesOf, DIST, eagerFiles, modulesIn } from "./graph.ts";

interface Loaded {
  readonly status: number;
  readonly files: string[];
  readonly builtins: string[];
  readonly rejected: string[];
}

/** What a command line really loads. */
function loadedBy(argv: readonly string[], cwd: string): Loaded {
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "loaded.cjs"), DIST, ...argv], {
    cwd,
    env: plainEnv(),
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const HEAVY = /^node_modules\/(?:zod|jsonc-parser|yaml|smol-toml|semver|@clack|@noble|ajv|diff|tar-stream)\//;
const DEPLOYMENT = /^src\/(?:config|catalog|deployment|rules|envfile|render|views|workspace)\//;
/** Modules of Node itself that cost milliseconds and that a look at a deployment does not need. */
const SLOW_BUILTINS = /^(?:crypto|child_process|http|https|tls|worker_threads|readline|os|timers\/promises|inspector)$/;

describe("the file that Node starts", () => {
  test("is small and alone", () => {
    const files = eagerFiles("bin/qm-deploy.cjs");
    expect(files).toEqual(["bin/qm-deploy.cjs"]);
    expect(bytesOf(files)).toBeLessThan(3_000);
    expect(modulesIn(files)).toEqual([
      "package.json",
      "src/bin/chunk-loader.ts",
      "src/bin/qm-deploy.ts",
      "src/cli/version.ts",
    ]);
  });
});

describe("help and parsing", () => {
  test("load the command definitions and commander, no deployment and no heavy library", () => {
    const { files, builtins } = loadedBy(["--help"], DIST);
    const modules = modulesIn(files);
    expect(modules).toEqual(
      expect.arrayContaining([
        "src/cli/main.ts",
        "src/cli/commands/check/check.command.ts",
        "node_modules/commander/lib/command.js",
      ]),
    );
    expect(modules.filter((module) => HEAVY.test(module) || DEPLOYMENT.test(module))).toEqual([]);
    expect(modules.filter((module) => /^src\/cli\/commands\/(?!index\.ts).*(?<!\.command)\.ts$/.test(module))).toEqual(
      [],
    );
    expect(bytesOf(files)).toBeLessThan(80_000);
    expect(builtins.filter((name) => SLOW_BUILTINS.test(name))).toEqual([]);
  });

  test("what is loaded statically is what was really loaded", () => {
    expect(eagerFiles("cli/main.cjs").sort()).toEqual(loadedBy(["--help"], DIST).files.sort());
  });
});

describe("check", () => {
  const cwd = () => tempDirectory({ "qm.config.jsonc": soundConfig() });

  test("loads what judges and the one reporter that it prints with", () => {
    const { files, status, builtins } = loadedBy(["check"], cwd());
    expect(status).toBe(0);
    const modules = modulesIn(files);
    // The positive control: a test that sees nothing would see these neither.
    expect(modules).toEqual(
      expect.arrayContaining([
        "src/config/load.ts",
        "src/deployment/resolve.ts",
        "src/rules/run-rules.ts",
        "src/diagnostics/reporters/pretty.ts",
      ]),
    );
    expect(modules.some((module) => module.startsWith("node_modules/zod/"))).toBe(true);
    expect(modules.filter((module) => /^src\/(?:render|scaffold|publish|boxd)\//.test(module))).toEqual([]);
    expect(
      modules.filter((module) =>
        /\/reporters\/(?:json|github|sarif|junit)\.ts$|\/check\/(?:watch|fix-config)\.ts$|^src\/config\/edit/.test(
          module,
        ),
      ),
    ).toEqual([]);
    // Of @noble only SHA-256, which the name of a bucket rests on.
    expect(
      modules.filter((module) =>
        /^node_modules\/(?:yaml|smol-toml|@clack|@noble\/curves|ajv|diff|tar-stream)\//.test(module),
      ),
    ).toEqual([]);
    expect(modules.filter((module) => /^node_modules\/zod\/v4\/(?:classic|locales)\//.test(module))).toEqual([]);
    expect(bytesOf(files)).toBeLessThan(634_000);
    expect(builtins.filter((name) => SLOW_BUILTINS.test(name))).toEqual([]);
  });

  test("--fix adds the editor, another format its reporter", () => {
    const fixing = modulesIn(loadedBy(["check", "--fix"], cwd()).files);
    expect(fixing).toEqual(
      expect.arrayContaining([
        "src/cli/commands/check/fix-config.ts",
        "src/config/edit.ts",
        "src/workspace/write-file.ts",
      ]),
    );
    expect(modulesIn(loadedBy(["check", "--format", "sarif"], cwd()).files)).toContain(
      "src/diagnostics/reporters/sarif.ts",
    );
  });
});

describe("the code cache", () => {
  test("is there for every file that check and help load, and V8 takes it", () => {
    const directory = tempDirectory({ "qm.config.jsonc": soundConfig() });
    for (const argv of [["--help"], ["check"], ["check", "--format", "json"], ["secrets"]]) {
      const { files, rejected } = loadedBy(argv, directory);
      expect(rejected).toEqual([]);
      const cached = (file: string) =>
        existsSync(join(DIST, "cache", `${process.versions.v8}-${process.arch}`, `${file}.bin`));
      expect(files.filter((file) => !cached(file))).toEqual([]);
    }
  });
});
