/**
 * What the package is built from: one row per file that something outside loads. `name` is the path below dist/,
 * without extension. Rows of one `group` share chunks.
 *
 * - `cli`: CommonJS, loaded by the chunk loader of src/bin with a code cache.
 * - `bin`: CommonJS, a file that Node starts; one file.
 * - `library`: ES modules that others import.
 * - `single`: an ES module in one file, for hosts that load a file and not a package.
 *
 * @type {readonly { readonly name: string, readonly source: string, readonly group: "cli" | "bin" | "library" | "single", readonly external?: readonly (string | RegExp)[] }[]}
 */
export const ENTRIES = [
  { name: "bin/qm-deploy", source: "src/bin/qm-deploy.ts", group: "bin" },
  { name: "bin/chunk-loader", source: "src/bin/chunk-loader.ts", group: "bin" },
  { name: "action/main", source: "src/action/main.ts", group: "bin" },
  { name: "cli/main", source: "src/cli/process.ts", group: "cli" },
  { name: "index", source: "src/index.ts", group: "library" },
  { name: "pure", source: "src/pure.ts", group: "library" },
  { name: "boxd", source: "src/boxd/driver/index.ts", group: "library" },
  { name: "qm-sandbox", source: "src/boxd/qm-sandbox/index.ts", group: "library" },
  { name: "openenv", source: "src/boxd/openenv/index.ts", group: "library" },
  { name: "paperclip/manifest", source: "src/boxd/paperclip/manifest.ts", group: "single" },
  { name: "paperclip/worker", source: "src/boxd/paperclip/worker.ts", group: "single" },
];
