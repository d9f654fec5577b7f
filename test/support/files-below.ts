import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The regular files below a directory by path, as text; null for what is none. `linked`: something below is a link. */
export function filesBelow(directory: string): { readonly files: { [path: string]: string | null }; linked: boolean } {
  const files: { [path: string]: string | null } = {};
  let linked = false;
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const stats = lstatSync(join(directory, name));
    linked ||= stats.isSymbolicLink();
    if (!stats.isFile()) continue;
    const bytes = readFileSync(join(directory, name));
    files[name.replaceAll("\\", "/")] = isUtf8(bytes) ? bytes.toString("utf8") : null;
  }
  return { files, linked };
}
