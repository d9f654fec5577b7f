/** The extension for VS Code as vsce packs it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTree } from "../../scripts/release-tree/vscode.mjs";
import { plainEnv, ROOT } from "../cli/built.ts";
import { answers, DEBIAN_PYTHON } from "../support/programs.ts";
import { tempDirectory } from "../workspace/temp.ts";

/** The script of @vscode/vsce; `.ci/run` says where it is. */
const VSCE = process.env["QM_DEPLOY_VSCE"] ?? "";
/** Prints the texts of a zip file by path. */
const UNZIP = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps({name: z.read(name).decode() for name in z.namelist()}))`;

test.skipIf(VSCE === "" || !answers(DEBIAN_PYTHON, ["--version"]))(
  "vsce packs a client, a schema and nothing else (skipped without QM_DEPLOY_VSCE)",
  async () => {
    const cwd = tempDirectory();
    const tree = join(cwd, "tree");
    await makeTree(tree);
    const vsix = join(cwd, "qm-deploy.vsix");
    const args = [VSCE, "package", "--no-dependencies", "--allow-missing-repository", "--out", vsix];
    const packed = spawnSync(process.execPath, args, { cwd: tree, env: plainEnv(), encoding: "utf8", input: "" });
    expect(packed.status, packed.stdout + packed.stderr).toBe(0);
    expect(packed.stdout + packed.stderr).not.toMatch(/warning/i);

    const { stdout } = spawnSync(DEBIAN_PYTHON, ["-c", UNZIP, vsix], { encoding: "utf8", maxBuffer: 1e7 });
    const files = JSON.parse(stdout) as { readonly [path: string]: string };
    expect(Object.keys(files).sort()).toEqual([
      "[Content_Types].xml",
      "extension.vsixmanifest",
      "extension/LICENSE.txt",
      "extension/dist/THIRD_PARTY_LICENSES",
      "extension/dist/extension.cjs",
      "extension/package.json",
      "extension/readme.md",
      "extension/schema/qm.config.schema.json",
    ]);
    expect(files["extension/package.json"]).toBe(readFileSync(join(ROOT, "editors/vscode/package.json"), "utf8"));
    expect(files["extension/schema/qm.config.schema.json"]).toBe(
      readFileSync(join(ROOT, "schema/qm.config.schema.json"), "utf8"),
    );
    expect(files["extension/LICENSE.txt"]).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
    expect(files["extension.vsixmanifest"]).toContain(`Id="qm-deploy" Version="${version}"`);
  },
);
