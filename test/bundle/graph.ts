import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "../cli/built.ts";

export const DIST = join(ROOT, "dist");

/** Files of dist/ that a file loads without being asked to: what it requires or imports statically. */
function staticDependencies(text: string): string[] {
  // rolldown writes a dynamic import of a CommonJS chunk as `Promise.resolve().then(…require(…)…)`.
  const eager = text.replace(/Promise\.resolve\(\)\.then\((?:[^()]|\([^()]*\))*\)/g, "");
  const found = [
    ...eager.matchAll(
      /\brequire\(\s*["'`](\.{1,2}\/[^"'`]+)["'`]\s*\)|\b(?:import|export)\b[^"'`;()]*?(?:\bfrom)?\s*["'`](\.{1,2}\/[^"'`]+)["'`]/g,
    ),
  ];
  return found.map((match) => (match[1] ?? match[2]) as string);
}

/** Files of dist/ that are loaded together with `entry`, itself first. */
export function eagerFiles(entry: string): string[] {
  const seen = new Set<string>();
  const pending = [entry];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(DIST, file), "utf8");
    for (const id of staticDependencies(text)) pending.push(relative(DIST, join(DIST, dirname(file), id)));
  }
  return [...seen];
}

/** The source modules in files of dist/, by their source maps: `src/cli/main.ts`, `node_modules/commander/lib/command.js`. */
export function modulesIn(files: readonly string[]): string[] {
  const modules = new Set<string>();
  for (const file of files) {
    // The bundler's own few lines come from no module.
    if (!existsSync(join(DIST, `${file}.map`))) continue;
    const map = JSON.parse(readFileSync(join(DIST, `${file}.map`), "utf8")) as { sources: string[] };
    for (const source of map.sources)
      modules.add(relative(ROOT, join(DIST, dirname(file), source)).replaceAll("\\", "/"));
  }
  return [...modules].sort();
}

/** Bytes that Node reads and compiles for these files. */
export function bytesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(join(DIST, file)).length, 0);
}
