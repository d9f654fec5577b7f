/**
 * What the package is built from: one row per file that something outside loads. `name` is the path below dist/.
 * `single`: one file without shared chunks, for hosts that load a file and not a package.
 *
 * @type {readonly { readonly name: string, readonly source: string, readonly single?: boolean, readonly external?: readonly string[] }[]}
 */
export const ENTRIES = [
  { name: "bin/qm-deploy", source: "src/bin/qm-deploy.ts" },
  { name: "index", source: "src/index.ts" },
  { name: "pure", source: "src/pure.ts" },
];
