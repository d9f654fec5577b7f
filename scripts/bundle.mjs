import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";
import { ENTRIES } from "./entries.mjs";
import { thirdPartyLicences } from "./licences.mjs";
import { DIST, ROOT } from "./sources.mjs";

/** What is never bundled: Node itself, and the optional peer. */
const EXTERNAL = [/^node:/, /^@boxd-sh\//];

/** Commander starts subcommands that are programs of their own, which we have none of; loading the module for it costs milliseconds. */
function isUnusedByCommander(id, importer) {
  return id === "node:child_process" && /[\\/]commander[\\/]/.test(importer ?? "");
}

const WITHOUT_CHILD_PROCESS = {
  name: "commander-without-child-process",
  resolveId(source, importer) {
    return isUnusedByCommander(source, importer) ? "\0no-child-process" : null;
  },
  load(id) {
    return id === "\0no-child-process" ? "module.exports = {};" : null;
  },
};

/**
 * Chunks of the command line, so that a command opens few files: what every command needs, and what every look at a
 * deployment needs besides. A chunk holds all that its files import, dynamic imports aside.
 */
const CLI_CHUNKS = [
  ["base", ["src/cli/process.ts"]],
  ["deployment", ["src/cli/commands/check/check.ts", "src/diagnostics/reporters/pretty.ts"]],
];

/** Names the chunk of a module; null leaves it to the bundler. */
function cliChunks() {
  const chunkOf = new Map();
  return (moduleId, graph) => {
    if (chunkOf.size === 0) {
      for (const [name, sources] of CLI_CHUNKS) {
        const pending = sources.map((source) => join(ROOT, source));
        for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
          if (chunkOf.has(id)) continue;
          chunkOf.set(id, name);
          pending.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
        }
      }
    }
    return chunkOf.get(moduleId) ?? null;
  };
}

const FORMATS = {
  bin: { format: "cjs", extension: "cjs", codeSplitting: false },
  cli: { format: "cjs", extension: "cjs" },
  library: { format: "esm", extension: "js" },
  single: { format: "esm", extension: "js", codeSplitting: false },
};

/** Bundles entries that share chunks; resolves to the ids of the modules that are in them. */
async function bundleGroup(group, entries, out) {
  const { format, extension, codeSplitting } = FORMATS[group];
  const external = [...EXTERNAL, ...entries.flatMap((entry) => entry.external ?? [])];
  const made = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries.map(({ name, source }) => [name, join(ROOT, source)])),
    platform: "node",
    external: (id, importer) =>
      !isUnusedByCommander(id, importer) &&
      external.some((known) => (typeof known === "string" ? known === id : known.test(id))),
    // jsonc-parser's "main" is UMD, which requires its parts dynamically.
    // yaml's build for Node asks for modules of Node, which the pure part must run without.
    resolve: {
      mainFields: ["module", "main"],
      alias: { yaml: join(ROOT, "node_modules", "yaml", "browser", "index.js") },
    },
    plugins: [WITHOUT_CHILD_PROCESS],
    logLevel: "warn",
    checks: { ineffectiveDynamicImport: false },
  });
  try {
    const { output } = await made.write({
      dir: out,
      format,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `${group === "cli" ? "cli/" : ""}chunks/[name]-[hash].${extension}`,
      sourcemap: true,
      // Where the file will be once the directory has its place.
      sourcemapPathTransform: (source, map) =>
        relative(join(DIST, relative(out, dirname(map))), join(dirname(map), source)).replaceAll("\\", "/"),
      minify: true,
      ...(codeSplitting === false ? { codeSplitting } : {}),
      ...(group === "cli" ? { codeSplitting: { groups: [{ name: cliChunks(), debugName: "cli" }] } } : {}),
    });
    return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  } finally {
    await made.close();
  }
}

/**
 * Makes files what the chunk loader takes without touching them again: the function that a CommonJS module is, in ASCII.
 * It reads one byte per character, which V8 keeps in half the memory; escapes mean the same everywhere.
 */
function prepareForLoader(directory) {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (statSync(path).isDirectory()) prepareForLoader(path);
    else if (name.endsWith(".cjs")) {
      const ascii = readFileSync(path, "utf8").replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
      writeFileSync(path, `(function(exports,require,module,__filename){${ascii}\n})`);
    }
  }
}

/** Bundles every entry into a directory, and the licences of what others wrote of it. */
export async function bundleAll(out) {
  const modules = [];
  for (const group of ["cli", "library"]) {
    const entries = ENTRIES.filter((entry) => entry.group === group);
    if (entries.length > 0) modules.push(...(await bundleGroup(group, entries, out)));
  }
  for (const entry of ENTRIES.filter(({ group }) => group === "bin" || group === "single"))
    modules.push(...(await bundleGroup(entry.group, [entry], out)));
  prepareForLoader(join(out, "cli"));
  writeFileSync(join(out, "THIRD_PARTY_LICENSES"), thirdPartyLicences(modules));
}
