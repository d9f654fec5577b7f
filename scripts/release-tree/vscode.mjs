import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { thirdPartyLicences } from "../licences.mjs";
import { ROOT } from "../sources.mjs";
import { put } from "./put.mjs";

const EXTENSION = join(ROOT, "editors", "vscode");

/** Makes what `vsce` packs: the extension for VS Code with its client in one file. */
export async function makeTree(folder) {
  const { output } = await build({
    cwd: ROOT,
    input: join(EXTENSION, "src", "extension.ts"),
    platform: "node",
    external: ["vscode"],
    logLevel: "warn",
    write: false,
    output: { format: "cjs", minify: true, codeSplitting: false },
  });
  const [bundle] = output;
  put(folder, "dist/extension.cjs", bundle.code);
  put(folder, "dist/THIRD_PARTY_LICENSES", thirdPartyLicences(bundle.moduleIds));
  for (const name of ["package.json", "README.md"]) put(folder, name, readFileSync(join(EXTENSION, name)));
  for (const name of ["LICENSE", "schema/qm.config.schema.json"]) put(folder, name, readFileSync(join(ROOT, name)));
}
