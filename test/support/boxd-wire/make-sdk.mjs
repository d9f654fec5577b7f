// `node make-sdk.mjs <folder>` makes the folder a package that stands for `@boxd-sh/sdk` and speaks the wire (sdk/index.ts). Put it at
// node_modules/@boxd-sh/sdk of whatever is to use it; the plane's address goes in as `baseURL`, or in BOXD_BASE_URL.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "rolldown";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node make-sdk.mjs <folder>");
const dir = resolve(folder);
mkdirSync(dir, { recursive: true });
await build({
  input: join(import.meta.dirname, "sdk/index.ts"),
  platform: "node",
  logLevel: "warn",
  output: { file: join(dir, "index.mjs"), format: "esm", codeSplitting: false },
});
const manifest = {
  name: "@boxd-sh/sdk",
  version: "0.2.20",
  private: true,
  type: "module",
  exports: { ".": "./index.mjs", "./package.json": "./package.json" },
};
writeFileSync(join(dir, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
