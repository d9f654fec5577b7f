import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { ensureBuilt } from "../../scripts/build.mjs";
import { BIN, plainEnv, ROOT } from "../cli/built.ts";
import { soundConfig } from "../cli/deployments.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { eagerFiles } from "./graph.ts";

await ensureBuilt({ types: true });
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** A directory in which the package is installed, as a link. */
function consumer(files: { readonly [path: string]: string }): string {
  const cwd = tempDirectory({ "package.json": '{ "type": "module" }', "node_modules/x/y": "", ...files });
  symlinkSync(ROOT, join(cwd, "node_modules", "qm-deploy"));
  return cwd;
}

function run(program: string, args: readonly string[], cwd: string) {
  return spawnSync(program, args, { cwd, env: plainEnv(), encoding: "utf8" });
}

describe("the package", () => {
  test("needs nothing at run time but its optional peer", () => {
    expect(manifest.dependencies ?? {}).toEqual({});
    expect(Object.keys(manifest.peerDependencies)).toEqual(["@boxd-sh/sdk"]);
    expect(manifest.peerDependenciesMeta["@boxd-sh/sdk"]).toEqual({ optional: true });
  });

  test("pins every development dependency exactly, and its lock file names no registry", () => {
    for (const [name, version] of Object.entries(manifest.devDependencies))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8");
    expect(lock).not.toContain('"resolved"');
    expect(JSON.parse(lock).packages[""]).toMatchObject({
      bin: manifest.bin,
      devDependencies: manifest.devDependencies,
      peerDependencies: manifest.peerDependencies,
    });
  });

  test("holds what was built and nothing of the sources, the tests or a deployment", () => {
    const { stdout, status } = run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], ROOT);
    expect(status).toBe(0);
    const paths: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        "package.json",
        "dist/bin/qm-deploy.cjs",
        "dist/cli/main.cjs",
        "dist/index.js",
        "dist/types/index.d.ts",
        "schema/qm.config.schema.json",
      ]),
    );
    expect(
      paths.filter(
        (path) => !/^(?:dist|schema|docs|examples)\/|\.md$|^(?:package\.json|LICENSE|THIRD_PARTY_LICENSES)$/.test(path),
      ),
    ).toEqual([]);
    for (const page of paths.filter((path) => path.endsWith(".md"))) {
      for (const [, link = ""] of readFileSync(join(ROOT, page), "utf8").matchAll(/\]\((?!\w+:)([^)#\s]+)[^)]*\)/g)) {
        const target = posix.join(posix.dirname(page), link).replace(/\/$/, "");
        const isThere = paths.some((path) => path === target || path.startsWith(`${target}/`));
        expect(isThere, `${page} leads to ${link}`).toBe(true);
      }
    }
    expect(paths.filter((path) => /\.map$|\.sources$|\.env$|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  });

  test("every export leads to a file", () => {
    const targets = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : Object.values(entry as object),
    );
    expect(targets.length).toBeGreaterThan(4);
    for (const target of targets) expect(() => readFileSync(join(ROOT, target)), target).not.toThrow();
  });

  test("the program is executable and starts by itself", () => {
    expect(readFileSync(BIN, "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
    const { stdout, status } = run(BIN, ["--version"], ROOT);
    expect([stdout, status]).toEqual([`${manifest.version}\n`, 0]);
  });

  test("as a tarball passes publint and attw, and its program runs from there", () => {
    const cwd = tempDirectory({ "d/qm.config.jsonc": soundConfig() });
    expect(run("npm", ["pack", "--ignore-scripts", "--pack-destination", cwd], ROOT).status).toBe(0);
    const tarball = `${manifest.name}-${manifest.version}.tgz`;
    const publint = run(join(ROOT, "node_modules/.bin/publint"), ["--strict", tarball], cwd);
    expect(publint.status, publint.stdout + publint.stderr).toBe(0);
    const attw = run(
      join(ROOT, "node_modules/.bin/attw"),
      [tarball, "--profile", "esm-only", "--exclude-entrypoints", "schema"],
      cwd,
    );
    expect(attw.status, attw.stdout + attw.stderr).toBe(0);
    expect(run("tar", ["xzf", tarball], cwd).status).toBe(0);
    const { stdout, status } = run(process.execPath, ["package/dist/bin/qm-deploy.cjs", "check", "d"], cwd);
    expect(stdout).toMatch(/^passed {2}d\/qm\.config\.jsonc/m);
    expect(status).toBe(0);
  });
});

describe("the library", () => {
  test("judges a deployment from disk, and one from text", () => {
    const script = `
      import { loadDeployment, checkDeployment, secretsCatalogue } from "qm-deploy";
      import { loadConfig, resolveDeployment, runRules } from "qm-deploy/pure";
      const { deployment } = loadDeployment("d");
      const file = { file: "x", text: "{}" };
      const inputs = { config: file, directory: null, envFile: null, packageFiles: [], sandboxTree: [], pluginsTree: [], skillsPaths: [], flags: { release: null, target: null } };
      console.log(JSON.stringify({
        ok: checkDeployment(deployment).ok,
        secrets: secretsCatalogue(deployment).map(({ name }) => name),
        missing: loadDeployment("none").problem.rule,
        found: runRules(resolveDeployment(inputs, loadConfig(file))).length,
      }));`;
    const cwd = consumer({ "use.js": script, "d/qm.config.jsonc": soundConfig() });
    const { stdout, stderr } = run(process.execPath, ["use.js"], cwd);
    expect(stderr).toBe("");
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ ok: true, missing: "input/missing" });
    expect(result.secrets).toContain("BOXD_API_KEY");
    expect(result.found).toBeGreaterThan(0);
  });

  test("its pure part loads no module of Node", () => {
    for (const file of eagerFiles("pure.js")) {
      const text = readFileSync(join(ROOT, "dist", file), "utf8");
      // In an ES module only these load one; a command that we print may well hold a `require`.
      const named = builtinModules.filter((name) =>
        new RegExp(`(?:from|import)\\s*["'\`](?:node:)?${name.replace("/", "\\/")}["'\`]`).test(text),
      );
      expect(named, file).toEqual([]);
    }
  });

  test("its types are enough for a strict consumer", () => {
    const use = `
      import { type DeploymentView, checkDeployment, loadDeployment, secretsCatalogue } from "qm-deploy";
      import { runRules, loadConfig } from "qm-deploy/pure";
      const loaded = loadDeployment(".");
      if (loaded.deployment !== undefined) {
        const view: DeploymentView = checkDeployment(loaded.deployment, { strict: true });
        const ok: boolean = view.ok;
        const names: string[] = secretsCatalogue(loaded.deployment).map(({ name }) => name);
        for (const { rule, range } of runRules(loaded.deployment)) rule.startsWith(String(range?.start.line));
        void ok, names;
      } else loaded.problem.message.toUpperCase();
      // @ts-expect-error the text of a file is needed
      loadConfig({ file: "x" });
    `;
    const tsconfig = {
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        module: "NodeNext",
        target: "ES2023",
        lib: ["ES2023"],
        types: [],
        noEmit: true,
        skipLibCheck: false,
      },
      files: ["use.ts"],
    };
    const cwd = consumer({ "use.ts": use, "tsconfig.json": JSON.stringify(tsconfig) });
    const { stdout, status } = run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."], cwd);
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });
});
