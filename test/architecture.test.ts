import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

/** The way of a deployment through the house, as far as the only reader and writer of files. */
const DEPLOY_SIDE = [
  "base",
  "diagnostics",
  "config",
  "envfile",
  "catalog",
  "deployment",
  "rules",
  "render",
  "views",
  "workspace",
];

/** Which folders of src/ a folder may import from, itself aside (CONTRIBUTING.md, the house). */
const ARROWS: { readonly [folder: string]: readonly string[] } = {
  base: [],
  diagnostics: ["base"],
  config: ["base", "diagnostics"],
  envfile: ["base", "diagnostics"],
  catalog: ["base", "diagnostics", "config"],
  deployment: ["base", "diagnostics", "config", "envfile", "catalog"],
  rules: ["base", "diagnostics", "config", "envfile", "catalog", "deployment"],
  render: ["base", "diagnostics", "config", "envfile", "catalog", "deployment", "rules"],
  views: ["base", "diagnostics", "config", "envfile", "catalog", "deployment", "rules", "render"],
  workspace: ["base", "diagnostics", "config", "envfile", "catalog", "deployment", "rules", "render", "views"],
  scaffold: DEPLOY_SIDE,
  publish: DEPLOY_SIDE,
  live: DEPLOY_SIDE,
  lsp: DEPLOY_SIDE,
  doctor: [...DEPLOY_SIDE, "boxd/driver"],
  references: DEPLOY_SIDE,
  action: [...DEPLOY_SIDE, "cli"],
  "boxd/driver": ["base"],
  "boxd/qm-sandbox": ["base", "boxd/driver"],
  "boxd/paperclip": ["base", "boxd/driver"],
  "boxd/openenv": ["base", "boxd/driver"],
};

/** Folders that are entered by their index.ts alone, from the folders that are named: the adapters stand on the driver's surface. */
const ENTERED_BY_INDEX: { readonly [folder: string]: readonly string[] } = {
  "boxd/driver": ["boxd/qm-sandbox", "boxd/paperclip", "boxd/openenv"],
};

/** The folder of src/ that a path is in; the wing of boxd has one for the driver and one for each adapter. */
function roomOf(path: string): string {
  return /^boxd\/[^/]+(?=\/)|^[^/]+(?=\/)/.exec(path)?.[0] ?? "";
}

/** Everything; the entries of the package and the command line are the top of the house. */
const FREE = new Set(["cli", "bin", ""]);

/** Folders that run in a browser: no Node, no clock, no environment, no network. */
const PURE = ["base", "diagnostics", "config", "envfile", "catalog", "deployment", "rules", "render", "views"];

const IMPURE =
  /\b(?:process\.|globalThis\.process|Date\.now\(|new Date\(\)|performance\.|Math\.random\(|fetch\(|setTimeout\(|setInterval\(|crypto\.|Buffer\b|__dirname|import\.meta|require\()/;

interface Source {
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  /** Without comments and the text of strings, for looking for names. */
  readonly code: string;
  readonly imports: readonly string[];
}

function withoutText(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[(=,:[!&|?{};]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/g,
    (match) => (match.startsWith("/") ? " " : '""'),
  );
}

function importsOf(text: string): string[] {
  const found = text.matchAll(
    /^\s*(?:import|(?:import|export)\b[^;"'()]*?\bfrom)\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm,
  );
  return [...found].map((match) => (match[1] ?? match[2]) as string);
}

const SOURCES: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .sort()
  .map((name) => {
    const path = name.replaceAll("\\", "/");
    const text = readFileSync(join(SRC, name), "utf8");
    return { path, folder: roomOf(path), text, code: withoutText(text), imports: importsOf(text) };
  });

function folderOf(source: Source, specifier: string): string | null {
  if (!specifier.startsWith(".")) return null;
  const target = relative(SRC, join(SRC, dirname(source.path), specifier)).replaceAll("\\", "/");
  if (target.startsWith("..")) return null;
  return roomOf(target);
}

/** What breaks an arrow, as `file -> specifier`. */
function brokenArrows(sources: readonly Source[]): string[] {
  return sources
    .filter(({ folder }) => !FREE.has(folder))
    .flatMap((source) =>
      source.imports
        .filter((specifier) => {
          const target = folderOf(source, specifier);
          if (target === null || target === source.folder) return false;
          const file = relative(SRC, join(SRC, dirname(source.path), specifier)).replaceAll("\\", "/");
          const passesIndex = (ENTERED_BY_INDEX[target] ?? []).includes(source.folder) && file !== `${target}/index.ts`;
          return !(ARROWS[source.folder] ?? []).includes(target) || passesIndex;
        })
        .map((specifier) => `${source.path} -> ${specifier}`),
    );
}

/** Circles of files that import each other, in any form, types included: each as `a.ts -> b.ts -> a.ts`. */
function circles(sources: readonly Source[]): string[] {
  const importsOfFile = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter((name) => name.startsWith(".")).map((name) => join(dirname(path), name).replaceAll("\\", "/")),
    ]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(" -> "));
    if (way.includes(path) || done.has(path)) return;
    for (const next of importsOfFile.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return found;
}

function impurities(sources: readonly Source[]): string[] {
  return sources
    .filter(({ folder }) => PURE.includes(folder))
    .flatMap((source) => [
      ...source.imports
        .filter((specifier) => specifier.startsWith("node:"))
        .map((specifier) => `${source.path} -> ${specifier}`),
      ...(IMPURE.exec(source.code) === null ? [] : [`${source.path}: ${IMPURE.exec(source.code)?.[0]}`]),
    ]);
}

/** Begins a function: a declaration, a constant that is made of one, a method. */
const FUNCTION =
  /^(\s*)(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+) = .*(?:=>|\() ?\(?.*\{$|(?:readonly |static |override |async |get |set )*[*#]?(?!if\b|for\b|while\b|switch\b|catch\b|with\b|return\b)(\w+)\(.*\)(?:: .*)? \{$)/;

/** Functions longer than `limit` lines: each ends where a brace closes at its own depth. */
function longFunctions({ path, code }: Source, limit: number): string[] {
  const lines = code.split("\n");
  const found: string[] = [];
  for (const [at, line] of lines.entries()) {
    const match = FUNCTION.exec(line);
    const name = match?.slice(2).find((each) => each !== undefined);
    if (match === null || name === undefined) continue;
    const end = lines.findIndex((other, index) => index > at && other.startsWith(`${match[1]}}`));
    if (end - at + 1 > limit) found.push(`${path}: ${name} has ${end - at + 1} lines`);
  }
  return found;
}

function source(path: string, text: string): Source {
  return { path, folder: roomOf(path), text, code: withoutText(text), imports: importsOf(text) };
}

describe("import arrows", () => {
  test("every folder of src/ has its place in the design", () => {
    const folders = new Set(SOURCES.map(({ folder }) => folder));
    expect([...folders].filter((folder) => !FREE.has(folder) && !Object.hasOwn(ARROWS, folder))).toEqual([]);
    expect(folders.size).toBeGreaterThan(8);
  });

  test("no file imports from a folder above its own", () => {
    expect(brokenArrows(SOURCES)).toEqual([]);
  });

  test("the check sees a broken arrow in each form of import", () => {
    const texts = [
      'import { a } from "../rules/x.ts";',
      'import type { A } from "../rules/x.ts";',
      'export * from "../rules/x.ts";',
      'const x = await import("../rules/x.ts");',
      'import {\n  a,\n} from "../rules/x.ts";',
    ];
    for (const text of texts) expect(brokenArrows([source("config/x.ts", text)])).toHaveLength(1);
  });
});

describe("the wing of boxd", () => {
  test("an adapter imports the driver's index, and neither the driver's files nor another adapter", () => {
    const adapter = (specifier: string): string[] =>
      brokenArrows([source("boxd/openenv/x.ts", `import { a } from "${specifier}";`)]);
    expect(adapter("../driver/index.ts")).toEqual([]);
    expect(adapter("../driver/exec.ts")).toHaveLength(1);
    expect(adapter("../paperclip/config.ts")).toHaveLength(1);
    expect(adapter("../../config/read.ts")).toHaveLength(1);
  });
});

describe("circles", () => {
  test("no two files import each other, directly or around others", () => {
    expect(circles(SOURCES)).toEqual([]);
  });

  test("the check sees a circle of types, of loading on use, and of more than two files", () => {
    const a = source("rules/a.ts", 'import type { B } from "./b.ts";');
    const b = source("rules/b.ts", 'const a = await import("./a.ts");');
    expect(circles([a, b])).toEqual(["rules/a.ts -> rules/b.ts -> rules/a.ts"]);
    const long = source("rules/b.ts", 'export { c } from "../views/c.ts";');
    expect(circles([a, long, source("views/c.ts", 'import { a } from "../rules/a.ts";')])).toHaveLength(1);
    expect(circles([a, source("rules/b.ts", "")])).toEqual([]);
  });
});

describe("purity", () => {
  test("nothing up to render and views touches Node, the clock, the environment or the network", () => {
    expect(impurities(SOURCES)).toEqual([]);
  });

  test("the check sees an impurity, and not the mention of one", () => {
    expect(
      impurities([source("config/x.ts", 'import "node:fs";'), source("rules/x.ts", "const now = Date.now();")]),
    ).toHaveLength(2);
    expect(impurities([source("config/x.ts", '// process.env\nconst a = "process.env", b = /process\\./;')])).toEqual(
      [],
    );
  });
});

describe("habits", () => {
  test("no file is longer than 300 lines, and half of them not longer than 100", () => {
    const lengths = SOURCES.filter(({ path }) => !path.endsWith(".generated.ts")).map(
      ({ path, text }) => [path, text.split("\n").length - 1] as const,
    );
    expect(lengths.filter(([, length]) => length > 300)).toEqual([]);
    const sorted = lengths.map(([, length]) => length).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(100);
  });

  test("no function is longer than 60 lines", () => {
    expect(SOURCES.flatMap((one) => longFunctions(one, 60))).toEqual([]);
    const forms = [
      "function long() {",
      "export async function long(a: string): Promise<void> {",
      "export const long = memoizeByText(64, (text): boolean => {",
      "  check(deployment, report) {",
      "  static async long(a: A, b = f()): Promise<{ c: D }> {",
      "  *long(): Iterable<A> {",
      "  get long() {",
      "  #long(a: A): B {",
    ];
    for (const form of forms) {
      const indent = /^ */.exec(form)?.[0] ?? "";
      expect(
        longFunctions(source("config/x.ts", `${form}\n${`${indent}  x();\n`.repeat(60)}${indent}}\n`), 60),
        form,
      ).toHaveLength(1);
    }
    expect(longFunctions(source("config/x.ts", `  if (a) {\n${"    x();\n".repeat(60)}  }\n`), 60)).toEqual([]);
  });

  test("zod is imported in the form that does not bundle its locales, and only from zod/mini", () => {
    const wrong = SOURCES.filter(({ text }) =>
      /from "zod(?:\/v4)?"|import (?:type )?(?:z|\{ z \}) from "zod/.test(text),
    ).map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  test("order never depends on the locale, and jsonc-parser's own values are never used", () => {
    const wrong = SOURCES.filter(({ code }) => /\.localeCompare\(|toLocale(?:Lower|Upper)Case\(|Intl\./.test(code)).map(
      ({ path }) => path,
    );
    expect(wrong).toEqual([]);
    const values = SOURCES.filter(
      ({ text, code }) => /from "jsonc-parser"/.test(text) && /\b(?:parse|getNodeValue|modify)\(/.test(code),
    ).map(({ path }) => path);
    expect(values).toEqual([]);
  });

  test("nothing prints but through the streams of a command, which take no string", () => {
    const printers = SOURCES.filter(({ code }) =>
      /\bprocess(?:\.std(?:out|err)\b|\[name\])|\bconsole\.\w+\(/.test(code),
    ).map(({ path }) => path);
    // The other wing guards its own stdout. The file that Node starts has nothing to say but its version and that Node is too old.
    expect(printers.filter((path) => !path.startsWith("boxd/"))).toEqual([
      "bin/qm-deploy.ts",
      "cli/process-streams.ts",
    ]);
    expect(readFileSync(join(SRC, "cli/process-io.ts"), "utf8")).toContain("write(text: Shown)");
  });

  test("files are written in one place, and read in few", () => {
    const writers = SOURCES.filter(({ code }) =>
      /\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|renameSync|createWriteStream|copyFile(?:Sync)?)\(/.test(code),
    ).map(({ path }) => path);
    expect(writers.filter((path) => !/^workspace\/|^boxd\//.test(path))).toEqual([]);
  });

  test("the boxd SDK is only ever loaded when a client is built", () => {
    const wrong = SOURCES.filter(({ text }) => /^\s*(?:import|export)\b[^(;]*from "@boxd-sh\//m.test(text)).map(
      ({ path }) => path,
    );
    expect(wrong).toEqual([]);
  });
});
