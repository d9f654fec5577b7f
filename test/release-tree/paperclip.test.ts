import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pluginManifestV1Schema } from "@paperclipai/shared";
import { ensureBuilt } from "../../scripts/build.mjs";
import { makeTree } from "../../scripts/release-tree/paperclip.mjs";
import { SDK_PACKAGE, SDK_RANGE } from "../../src/boxd/driver/index.ts";
import { WorkerProcess } from "../boxd/paperclip/worker-process.ts";
import { processesSupported, TEST_KEY } from "../support/boxd-fake/index.ts";
import { makeStandIn, type StandIn } from "../support/boxd-sdk-stand-in/stand-in.ts";
import { tempDirectory } from "../workspace/temp.ts";

await ensureBuilt();

async function tree(): Promise<string> {
  const folder = tempDirectory({});
  await makeTree(folder);
  return folder;
}

/** Path, mode and content of every file. */
function filesOf(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();
  const described = (path: string) =>
    `${statSync(join(folder, path)).mode.toString(8)} ${readFileSync(join(folder, path), "latin1")}`;
  return new Map(paths.map((path) => [path, described(path)]));
}

describe("the package for Paperclip hosts", () => {
  test("is the same twice, byte for byte", async () => {
    expect(filesOf(await tree())).toEqual(filesOf(await tree()));
  });

  test("brings the SDK, unlike the gate's package", async () => {
    const manifest = JSON.parse(readFileSync(join(await tree(), "package.json"), "utf8")) as object;
    expect(manifest).toMatchObject({ dependencies: { [SDK_PACKAGE]: SDK_RANGE } });
    expect(Object.keys(manifest)).not.toContain("peerDependencies");
  });

  test("passes publint without a remark", async () => {
    expect((await publint({ pkgDir: await tree(), strict: true })).messages).toEqual([]);
  });
});

describe.skipIf(!processesSupported)(
  `its tarball, installed${processesSupported ? "" : " (skipped: the fake's machines need /proc)"}`,
  () => {
    let standIn: StandIn;
    let cwd: string;
    let folder: string;
    beforeAll(async () => {
      standIn = await makeStandIn();
      cwd = mkdtempSync(join(tmpdir(), "paperclip-package-"));
      await makeTree(join(cwd, "tree"));
      const packed = spawnSync("npm", ["pack", "--json", "./tree"], { cwd, encoding: "utf8" });
      const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
      spawnSync("tar", ["xzf", filename], { cwd });
      folder = join(cwd, "package");
      standIn.installInto(folder);
    });
    afterAll(() => {
      standIn.dispose();
      rmSync(cwd, { recursive: true, force: true });
    });

    test("holds the two files that a host loads, and what says whose they are", () => {
      expect([...filesOf(folder).keys()].filter((path) => !path.startsWith("node_modules"))).toEqual([
        "LICENSE",
        "README.md",
        "dist/THIRD_PARTY_LICENSES",
        "dist/paperclip/manifest.js",
        "dist/paperclip/worker.js",
        "package.json",
      ]);
    });

    test("is a package as hosts look for one: manifest by package.json, worker by the manifest", async () => {
      const { paperclipPlugin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        paperclipPlugin: { manifest: string };
      };
      const loaded = (await import(pathToFileURL(join(folder, paperclipPlugin.manifest)).href)) as { default: unknown };
      const manifest = pluginManifestV1Schema.parse(loaded.default);
      const { worker, supportedMethods } = await WorkerProcess.startFile(
        join(folder, manifest.entrypoints.worker),
        standIn.env(),
      );
      await using _ = worker;
      expect(supportedMethods).toContain("environmentAcquireLease");
      const config = { apiKey: TEST_KEY, org: "acme", timeoutMs: 60_000 };
      const params = { driverKey: "boxd", companyId: "c", environmentId: "e", config };
      expect(await worker.call("environmentProbe", params)).toMatchObject({
        ok: true,
        summary: expect.stringContaining(`${SDK_PACKAGE} 0.2.20`) as string,
      });
    });
  },
);
