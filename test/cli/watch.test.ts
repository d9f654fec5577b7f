import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { watchPaths } from "../../src/cli/commands/check/watch.ts";
import type { EndingSignal } from "../../src/cli/process-io.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { soundConfig } from "./deployments.ts";
import { fakeIo } from "./fake-io.ts";

const NAME = "qm.config.jsonc";

/** Watches and, in each run, makes the next change; resolves to the number of runs once none is left and a moment went by without another. */
async function runsAfter(
  cwd: string,
  changes: readonly (() => void)[],
  { envFile, quiet = 0 }: { envFile?: string; quiet?: number } = {},
): Promise<number> {
  let runs = 0;
  let end: (signal: EndingSignal) => void = () => undefined;
  const ended = new Promise<EndingSignal>((resolve) => (end = resolve));
  const io = { ...fakeIo([], { cwd }), interrupted: () => ended };
  await watchPaths(io, [], envFile, async () => {
    const change = changes[runs++];
    change?.();
    if (runs >= changes.length + 1) end("SIGINT");
    else if (quiet > 0 && runs === changes.length) setTimeout(() => end("SIGINT"), quiet);
  });
  return runs;
}

const touch = (path: string) => (): void => writeFileSync(path, `${soundConfig()}// ${Math.random()}\n`);

test("an edit that arrives while a run goes on is judged again", async () => {
  const cwd = tempDirectory({ [NAME]: soundConfig() });
  expect(await runsAfter(cwd, [touch(join(cwd, NAME)), touch(join(cwd, NAME))])).toBe(3);
});

test("what a link leads to is watched, in place, by rename, and where the link or one behind it is turned", async () => {
  const root = tempDirectory({ "a/x": "", "far/..1/c.jsonc": soundConfig(), "far/..2/c.jsonc": soundConfig() });
  symlinkSync("..1", join(root, "far", "..data"));
  symlinkSync("..data/c.jsonc", join(root, "far", "c.jsonc"));
  symlinkSync("../far/c.jsonc", join(root, "a", NAME));
  const turn = (name: string, target: string): void => {
    symlinkSync(target, join(root, `${name}.new`));
    renameSync(join(root, `${name}.new`), join(root, name));
  };
  const changes = [
    touch(join(root, "far", "..1", "c.jsonc")),
    () => {
      touch(join(root, "far", "..1", "new"))();
      renameSync(join(root, "far", "..1", "new"), join(root, "far", "..1", "c.jsonc"));
    },
    () => turn("far/..data", "..2"),
    touch(join(root, "far", "..2", "c.jsonc")),
    () => turn(`a/${NAME}`, "../other.jsonc"),
    touch(join(root, "other.jsonc")),
  ];
  expect(await runsAfter(join(root, "a"), changes)).toBe(7);
});

test("so is all else that a verdict rests on", async () => {
  const root = tempDirectory({
    ".git/HEAD": "",
    [`a/${NAME}`]: soundConfig({ skills: ["skills"] }),
    "a/skills/x/SKILL.md": "",
    "a/sandbox/tools/t/tool.json": "{}",
    "elsewhere/.env": "",
  });
  const write = (path: string) => () => addFiles(root, { [path]: "{}" });
  const changes = [
    write("package.json"),
    write("a/package.json"),
    write("a/skills/x/SKILL.md"),
    write("a/sandbox/tools/t/tool.json"),
    write("elsewhere/.env"),
    write("a/.env"),
  ];
  expect(await runsAfter(join(root, "a"), changes, { envFile: "../elsewhere/.env" })).toBe(7);
});

test("a directory that comes only later is seen", async () => {
  const cwd = tempDirectory({ [NAME]: soundConfig() });
  const changes = [() => mkdirSync(join(cwd, "sandbox")), () => addFiles(cwd, { "sandbox/tools/t/tool.json": "{}" })];
  expect(await runsAfter(cwd, changes)).toBe(3);
});

test("what this toolkit puts there for a moment is no change", async () => {
  const root = tempDirectory({ [`a/${NAME}`]: soundConfig(), ".git/HEAD": "" });
  const change = (): void => {
    for (const name of [`.${NAME}.lock`, `.${NAME}.lock.0123456789ab`, `.${NAME}.0123456789abcdef.tmp`]) {
      addFiles(root, { [`a/${name}`]: "" });
      rmSync(join(root, "a", name));
    }
    addFiles(root, { "other.txt": "" });
  };
  expect(await runsAfter(join(root, "a"), [change], { quiet: 500 })).toBe(1);
});
