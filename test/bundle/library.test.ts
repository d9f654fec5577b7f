/** The subpaths of the package: what loads what, their types, and that their examples run. */
import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { plainEnv, ROOT } from "../cli/built.ts";
import { cannotRun, needs } from "../boxd/openenv/rig.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { DIST, eagerFiles, modulesIn } from "./graph.ts";

await ensureBuilt({ types: true });

/** Source modules that an entry loads. An entry that only re-exports a chunk has no source map, and no module of its own. */
function modulesOf(entry: string): string[] {
  return modulesIn(eagerFiles(entry).filter((file) => existsSync(join(DIST, `${file}.map`))));
}

describe("subpaths of the library", () => {
  test.each(["index.js", "pure.js", "cli/main.cjs"])("%s loads nothing of the boxd side", (entry) => {
    const foreign = modulesOf(entry).filter((path) =>
      /^src\/(?:boxd|qm-sandbox|openenv|paperclip)\/|^node_modules\/(?:ws|tar-stream|@balena)\//.test(path),
    );
    expect(modulesOf(entry).length, "the check sees modules").toBeGreaterThan(5);
    expect(foreign).toEqual([]);
  });

  test("boxd and qm-sandbox load nothing of OpenEnv", () => {
    for (const entry of ["boxd.js", "qm-sandbox.js"])
      expect(modulesOf(entry).filter((path) => /openenv|node_modules\/ws\//.test(path))).toEqual([]);
    expect(modulesOf("openenv.js"), "the check can fail").toContain("src/boxd/openenv/boxd-provider.ts");
  });

  test("their types are enough for a strict consumer", () => {
    const use = `
      import { BoxdProvider, EnvClient, type ContainerProvider } from "qm-deploy/openenv";
      import { MachineDriver, type BoxdClient } from "qm-deploy/boxd";
      import { createBoxdSandbox, type BoxdSandbox } from "qm-deploy/qm-sandbox";
      declare const client: BoxdClient;
      const driver: MachineDriver = new MachineDriver({ client });
      const provider: ContainerProvider = new BoxdProvider({ public: true, client });
      const episode: Promise<EnvClient> = EnvClient.fromProvider(provider, { image: "x" });
      const sandbox: BoxdSandbox = createBoxdSandbox({ scopeDir: () => "", list: async () => [] }, { client });
      // @ts-expect-error O01: without \`public: true\` it does not even compile
      new BoxdProvider({ client });
      void driver, episode, sandbox;
    `;
    const tsconfig = {
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        module: "NodeNext",
        target: "ES2023",
        lib: ["ES2023", "ESNext.Disposable"],
        types: ["node"],
        typeRoots: [join(ROOT, "node_modules/@types")],
        noEmit: true,
        skipLibCheck: true,
      },
      files: ["use.ts"],
    };
    const cwd = tempDirectory({
      "package.json": '{ "type": "module" }',
      "node_modules/x/y": "",
      "use.ts": use,
      "tsconfig.json": JSON.stringify(tsconfig),
    });
    symlinkSync(ROOT, join(cwd, "node_modules", "qm-deploy"));
    const { stdout, status } = spawnSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."], {
      cwd,
      env: plainEnv(),
      encoding: "utf8",
    });
    expect([stdout, status]).toEqual(["", 0]);
  });

  test.skipIf(cannotRun).each([
    ["boxd", "destroyed"],
    ["qm-sandbox", "destroyed"],
    ["openenv", "the machine is gone"],
  ])(
    `the example for %s runs without an account${needs}`,
    (name, last) => {
      const { stdout, stderr, status } = spawnSync("npm", ["run", "--silent", `example:${name}`], {
        cwd: ROOT,
        env: plainEnv(),
        encoding: "utf8",
      });
      expect([stderr, status]).toEqual(["", 0]);
      expect(stdout).toContain(last);
    },
    60_000,
  );
});
