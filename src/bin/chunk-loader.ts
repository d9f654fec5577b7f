import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { constants, Script } from "node:vm";

/** Loads the files of the command line. */
export interface ChunkLoader {
  /** The exports of a file, by its path below the package's dist/. */
  load(file: string): unknown;
  /** The compiled files, by path below dist/; the build makes the code cache from them. */
  readonly scripts: ReadonlyMap<string, Script>;
}

type ChunkBody = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  __filename: string,
) => void;

/** Where the code cache of a file is: bytecode of one version of V8 fits no other. */
export function cachePath(root: string, file: string): string {
  return join(root, "cache", `${process.versions.v8}-${process.arch}`, `${file}.bin`);
}

/** Bytes at the end of a cache file: the checksum of the source and of all before it. */
const SEAL_BYTES = 4;

function checksum(source: Buffer, cache: Buffer): number {
  // Not imported: what only prints the version must not load it.
  const { crc32 } = process.getBuiltinModule("node:zlib");
  return crc32(cache, crc32(source));
}

/** What a cache file holds: V8's bytecode of a source, bound to it. */
export function sealCache(source: Buffer, cache: Buffer): Buffer {
  const seal = Buffer.alloc(SEAL_BYTES);
  seal.writeUInt32LE(checksum(source, cache));
  return Buffer.concat([cache, seal]);
}

/**
 * The bytecode of a source; undefined where there is none, or where a bit of either is not as the build left it: V8 looks at its
 * version, its flags and the length of the source, and takes the rest on trust, so that damaged bytecode would end the process.
 */
function readCache(path: string, source: Buffer): Buffer | undefined {
  try {
    const file = readFileSync(path);
    const cache = file.subarray(0, -SEAL_BYTES);
    return file.readUInt32LE(cache.length) === checksum(source, cache) ? cache : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Node says once that the default loader in scripts is experimental. That is ours to know, not an operator's: if it ever
 * changes, the tests of the built program fail. Every other warning is passed on.
 */
function keepOwnWarningQuiet(): void {
  const emit = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    if (!String(args[0]).includes("USE_MAIN_CONTEXT_DEFAULT_LOADER")) emit(...args);
  };
}

/**
 * Loads files of this package below `root`. The build has wrapped each into a function, as `require` would. Each comes
 * with V8's code cache from the build, where that is there and V8 takes it: compiling is most of what a short command
 * does. A cache is only read from the package itself, which whoever could change it could change as well. One that does not
 * belong to the file as it is, bit by bit, is left alone; V8 refuses one of another version or other flags.
 *
 * A stack shows files below `shownRoot`. V8 keeps these names in a cache, so that the build gives none of its own.
 */
export function chunkLoader(root: string, shownRoot: string = root): ChunkLoader {
  keepOwnWarningQuiet();
  const modules = new Map<string, { exports: object }>();
  const scripts = new Map<string, Script>();
  const load = (file: string): unknown => {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const path = join(root, file);
    const source = readFileSync(path);
    const cachedData = readCache(cachePath(root, file), source);
    const script = new Script(source.toString("latin1"), {
      filename: join(shownRoot, file),
      ...(cachedData === undefined ? {} : { cachedData }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(file, script);
    const require = (id: string) => (id.startsWith(".") ? load(join(dirname(file), id)) : process.getBuiltinModule(id));
    (script.runInThisContext() as ChunkBody)(module.exports, require, module, path);
    return module.exports;
  };
  return { load, scripts };
}
