import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { thirdPartyLicences } from "../licences.mjs";
import { ROOT } from "../sources.mjs";
import { playgroundExamples } from "./examples.mjs";

const SOURCE = join(ROOT, "playground");

/** Where the page is built into. */
export const PLAYGROUND_DIST = join(SOURCE, "dist");

const EXAMPLES = {
  name: "playground-examples",
  resolveId: (source) => (source === "playground:examples" ? "\0playground:examples" : null),
  load: (id) =>
    id === "\0playground:examples" ? `export const EXAMPLES = ${JSON.stringify(playgroundExamples())};` : null,
};

/** Bundles one entry for browsers; resolves to the ids of the modules that are in it. */
async function bundle(name, out) {
  const made = await rolldown({
    cwd: ROOT,
    input: { [name]: join(SOURCE, "src", `${name}.ts`) },
    platform: "browser",
    resolve: {
      mainFields: ["module", "main"],
      alias: {
        "qm-deploy/pure": join(ROOT, "src", "pure.ts"),
        yaml: join(ROOT, "node_modules", "yaml", "browser", "index.js"),
      },
    },
    plugins: [EXAMPLES],
    logLevel: "warn",
    checks: { ineffectiveDynamicImport: false },
  });
  try {
    const { output } = await made.write({
      dir: out,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      minify: true,
    });
    return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  } finally {
    await made.close();
  }
}

/** The style sheets of the page as one, in the order of their names. */
function styles() {
  const folder = join(SOURCE, "styles");
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

/** Builds the page into a folder: static files, which any server can hand out. */
export async function buildPlayground(out = PLAYGROUND_DIST) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const modules = [...(await bundle("main", out)), ...(await bundle("worker", out))];
  for (const name of ["index.html", "icon.svg"]) cpSync(join(SOURCE, name), join(out, name));
  writeFileSync(join(out, "style.css"), styles());
  writeFileSync(join(out, "THIRD_PARTY_LICENSES"), thirdPartyLicences(modules));
}

/** Bytes of the built files, gzipped: those that the page loads at once, and those that it loads when they are asked for. */
export function playgroundSizes(out = PLAYGROUND_DIST) {
  const size = (name) => gzipSync(readFileSync(join(out, name)), { level: 9 }).length;
  const initial = initialFiles(out);
  const later = readdirSync(join(out, "chunks"))
    .map((name) => `chunks/${name}`)
    .filter((name) => !initial.includes(name));
  const sizes = (names) => Object.fromEntries(names.map((name) => [name, size(name)]));
  return { initial: sizes(initial), later: sizes(later) };
}

/** The page's own files and what they import, dynamic imports aside. */
function initialFiles(out) {
  const found = ["index.html", "icon.svg", "style.css", "main.js", "worker.js"];
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    const text = readFileSync(join(out, name), "utf8");
    for (const [, from] of text.matchAll(/(?:^|[;\n])(?:import|export)\b[^;()"']*["']\.{1,2}\/([^"']+)["']/g)) {
      const path = from.startsWith("chunks/") || !name.startsWith("chunks/") ? from : `chunks/${from}`;
      if (!found.includes(path)) found.push(path);
    }
  }
  return found;
}
