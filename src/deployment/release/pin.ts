import { parseDocument } from "../../config/parse.ts";
import type { ConfigPath } from "../../diagnostics/diagnostic.ts";
import type { SourceRange } from "../../diagnostics/range.ts";
import type { PackageFile } from "../inputs.ts";

/** The package that a deployment pins. */
export const QM_PACKAGE = "@yc-software/qm";

/** The pin of qm in one package.json. `specifier` is as written and may hold credentials (a git URL): never print it. */
export type Pin =
  | { readonly kind: "none" }
  | { readonly kind: "unreadable-file" }
  | { readonly kind: "pin"; readonly specifier: string | null; readonly range: SourceRange };

const SECTIONS = ["dependencies", "devDependencies"] as const;

/** Reads the pin of qm from a package.json: `dependencies`, then `devDependencies`. */
export function readPin(file: PackageFile): Pin {
  if (!isJson(file.text)) return { kind: "unreadable-file" };
  const document = parseDocument(file);
  for (const section of SECTIONS) {
    const path: ConfigPath = [section, QM_PACKAGE];
    const node = document.node(path);
    if (node !== undefined) return { kind: "pin", specifier: node.kind === "string" ? node.value : null, range: document.valueRange(path) };
  }
  return { kind: "none" };
}

/** True when the file is the package.json of this very toolkit, whose pin of qm is for its own tests. */
export function isToolkit(file: PackageFile): boolean {
  return isJson(file.text) && parseDocument(file).value(["name"]) === "qm-deploy";
}

/** npm reads package.json as strict JSON after an optional byte order mark. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return false;
  }
}
