import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { constants, Script } from "node:vm";

/** Loads the files of the command line. */
export interface ChunkLoader {
  /** The exports of a file, by its path below the package's dist/. */
  load(file: string): unknown;
  /** The compiled files, by path below dist/; the build makes the code cache from them. */
  readonly scripts: ReadonlyMap<string, Script>;
}

type ChunkBody = (exports: object, require: (id: string) => unknown, module: { exports: object }) => void;

/** Where the code cache of a file is: bytecode of one version of V8 fits no other. */
export function cachePath(root: string, file: string): string {
  return join(root, "cache", `${process.versions.v8}-${process.arch}`, `${file}.bin`);
}

function readOrNothing(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
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
 * does. A cache is only read from the package itself, which whoever could change it could change as well; V8 refuses one
 * of another version, other flags or another source.
 */
export function chunkLoader(root: string): ChunkLoader {
  keepOwnWarningQuiet();
  const modules = new Map<string, { exports: object }>();
  const scripts = new Map<string, Script>();
  const load = (file: string): unknown => {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const filename = join(root, file);
    const cachedData = readOrNothing(cachePath(root, file));
    const script = new Script(readFileSync(filename, "latin1"), {
      filename,
      ...(cachedData === undefined ? {} : { cachedData }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    scripts.set(file, script);
    const directory = dirname(filename);
    const require = (id: string) =>
      id.startsWith(".") ? load(relative(root, join(directory, id))) : process.getBuiltinModule(id);
    (script.runInThisContext() as ChunkBody)(module.exports, require, module);
    return module.exports;
  };
  return { load, scripts };
}
