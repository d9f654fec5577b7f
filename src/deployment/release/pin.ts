import { type JsonValue, ownField, parseJson } from "../../base/json.ts";
import { parseDocument } from "../../config/parse.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import type { PackageFile } from "../inputs.ts";

/** The package that a deployment pins. */
export const QM_PACKAGE = "@yc-software/qm";

/** The pin of qm in one package.json. `specifier` is as written and may hold credentials (a git URL): never print it. */
export type Pin =
  | { readonly kind: "none" }
  | { readonly kind: "unreadable-file" }
  | { readonly kind: "pin"; readonly specifier: string | null; readonly range: () => SourceRange };

/** Where a pin counts, the first one first. */
export const PIN_SECTIONS = ["dependencies", "devDependencies"] as const;

/** Reads the pin of qm from a package.json: `dependencies`, then `devDependencies`. */
export function readPin(file: PackageFile): Pin {
  const manifest = readPackageJson(file.text);
  if (manifest === undefined) return { kind: "unreadable-file" };
  for (const section of PIN_SECTIONS) {
    const pins = ownField(manifest, section);
    const specifier = ownField(pins, QM_PACKAGE);
    if (specifier === undefined) continue;
    return {
      kind: "pin",
      specifier: typeof specifier === "string" ? specifier : null,
      range: () => parseDocument(file).valueRange([section, QM_PACKAGE]),
    };
  }
  return { kind: "none" };
}

/** True when the file is the package.json of this very toolkit, whose pin of qm is for its own tests. */
export function isToolkit(file: PackageFile): boolean {
  return ownField(readPackageJson(file.text), "name") === "qm-deploy";
}

/** npm reads package.json as strict JSON after an optional byte order mark; undefined where it is none. */
export function readPackageJson(text: string): JsonValue | undefined {
  return parseJson(text.replace(/^\uFEFF/, ""));
}
