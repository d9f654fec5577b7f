// Bundles and runs main.ts, for plain Node cannot read TypeScript.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";

const dir = mkdtempSync(join(tmpdir(), "boxd-wire-"));
process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
const file = join(dir, "plane.mjs");
await build({
  input: join(import.meta.dirname, "main.ts"),
  platform: "node",
  logLevel: "warn",
  output: { file, format: "esm", codeSplitting: false },
});
await import(pathToFileURL(file).href);
