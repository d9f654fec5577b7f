/** The subpaths of the package: what loads what, their types, and that their examples run. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { rolldown } from "rolldown";
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

  test("qm-deploy/pure judges, renders and explains in a realm that has what every browser and worker has, and no more", async () => {
    const bundle = await rolldown({ input: join(DIST, "pure.js"), platform: "browser", logLevel: "silent" });
    const { output } = await bundle.generate({ format: "iife", name: "pure" });
    await bundle.close();
    const realm = createContext({ TextEncoder, URL, config: readFileSync(join(ROOT, "qm.config.jsonc"), "utf8") });
    expect(runInContext("typeof process + typeof require + typeof Buffer", realm)).toBe("undefinedundefinedundefined");
    runInContext(output[0].code, realm);
    const run = (code: string): unknown => JSON.parse(String(runInContext(`JSON.stringify(${code})`, realm)));
    expect(run("pure.checkText(config).diagnostics.map(({ rule }) => rule)")).toContain("sandbox/core-image");
    expect(run("pure.renderText(config).artifacts.map(({ name }) => name)")).toContain("compose.yaml");
    expect(run('pure.explainText(config, "core.SANDBOX_BACKEND").subjects[0].value')).toBe("boxd");
    expect(run("pure.secretsOfText(config).secrets.map(({ name }) => name)")).toContain("BOXD_API_KEY");
    expect(run('pure.fixText(config.replace(\'"backend"\', \'"app": "x", "backend"\'), "safe").applied')).toHaveLength(
      1,
    );
  });

  test("their types are enough for a strict consumer", () => {
    const use = `
      import { BoxdProvider, EnvClient, type ContainerProvider } from "qm-deploy/openenv";
      import { checkText, explainText, renderText, secretsOfText, type TextOptions } from "qm-deploy/pure";
      import { MachineDriver, type BoxdClient } from "qm-deploy/boxd";
      import { createBoxdSandbox, type BoxdSandbox } from "qm-deploy/qm-sandbox";
      declare const client: BoxdClient;
      const driver: MachineDriver = new MachineDriver({ client });
      const provider: ContainerProvider = new BoxdProvider({ public: true, client });
      const episode: Promise<EnvClient> = EnvClient.fromProvider(provider, { image: "x" });
      const sandbox: BoxdSandbox = createBoxdSandbox({ scopeDir: () => "", list: async () => [] }, { client });
      // @ts-expect-error O01: without \`public: true\` it does not even compile
      new BoxdProvider({ client });
      const options: TextOptions = { env: null, files: { "sandbox/x": null }, release: "0.1.12" };
      const rules: string[] = checkText("{}", { ...options, strict: true }).diagnostics.map(({ rule }) => rule);
      const names: string[] = renderText("{}", options).artifacts.map(({ name }) => name);
      const [subject] = explainText("{}", "boxd").subjects;
      const titles: string[] = subject?.kind === "rule" ? [subject.title, subject.why] : [];
      const required: boolean = secretsOfText("{}").secrets.some((secret) => secret.required);
      // @ts-expect-error a text is needed
      checkText();
      void rules, names, titles, required;
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
  ])(`the example for %s runs without an account${needs}`, (name, last) => {
    const { stdout, stderr, status } = spawnSync("npm", ["run", "--silent", `example:${name}`], {
      cwd: ROOT,
      env: plainEnv(),
      encoding: "utf8",
    });
    expect([stderr, status]).toEqual(["", 0]);
    expect(stdout).toContain(last);
  });
});
