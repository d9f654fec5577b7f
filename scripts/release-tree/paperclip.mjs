import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../sources.mjs";
import { put } from "./put.mjs";

/** What a Paperclip host loads, where the manifest and package.json say, and the licences of what is bundled in it. */
const BUILT = ["dist/paperclip/manifest.js", "dist/paperclip/worker.js", "dist/THIRD_PARTY_LICENSES"];

/**
 * Makes the package for Paperclip hosts in a folder, from what was built. A host installs a package with what it depends on and never its
 * optional peers, so here the SDK is a dependency.
 */
export async function makeTree(folder) {
  const { version, license, engines, paperclipPlugin, peerDependencies } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  const manifest = {
    name: "qm-deploy-paperclip",
    version,
    description: "Paperclip sandbox provider: runs agents on boxd machines",
    keywords: ["paperclip", "paperclip-plugin", "boxd", "sandbox"],
    license,
    type: "module",
    engines,
    exports: { ".": `./${BUILT[0]}`, "./package.json": "./package.json" },
    paperclipPlugin,
    files: ["dist"],
    dependencies: peerDependencies,
  };
  put(folder, "package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  for (const path of [...BUILT, "LICENSE"]) {
    // The maps stay behind.
    const text = readFileSync(join(ROOT, path), "utf8").replace(/^\/\/# sourceMappingURL=.*\n?/m, "");
    put(folder, path, text);
  }
  put(folder, "README.md", readFileSync(join(ROOT, "docs", "paperclip.md")));
}
