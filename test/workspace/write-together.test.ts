import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WriteRefused } from "../../src/workspace/write-file.ts";
import { type FileEdit, PartlyWritten, writeTogether } from "../../src/workspace/write-together.ts";
import { tempDirectory } from "./temp.ts";

function rig(): {
  directory: string;
  edits: { path: string; before: string | null; after: string }[];
  read: (name: string) => string;
} {
  const directory = tempDirectory({ a: "1\n", b: "1\n" });
  const edits = [
    { path: join(directory, "a"), before: "1\n", after: "2\n" },
    { path: join(directory, "b"), before: "1\n", after: "2\n" },
    { path: join(directory, "c"), before: null, after: "2\n" },
  ];
  return { directory, edits, read: (name) => readFileSync(join(directory, name), "utf8") };
}

test("all files are written before what rests on them", async () => {
  const { directory, edits, read } = rig();
  chmodSync(join(directory, "a"), 0o640);
  const seen = await writeTogether(edits, async () => ["a", "b", "c"].map(read));
  expect(seen).toEqual(["2\n", "2\n", "2\n"]);
  expect(readdirSync(directory).sort()).toEqual(["a", "b", "c"]);
});

test("the lock that a killed run left beside a file that it had written goes; one that somebody holds stays", async () => {
  const { directory, edits, read } = rig();
  const written = { path: join(directory, "b"), before: "2\n", after: "2\n" };
  writeFileSync(written.path, "2\n");
  const lock = join(directory, ".b.lock");
  for (const [pid, left] of [
    ["4194305", []],
    [`${process.pid}`, [".b.lock"]],
  ] as const) {
    writeFileSync(lock, `${hostname()} ${pid} abc`);
    writeFileSync(join(directory, "a"), "1\n");
    await writeTogether([edits[0] as FileEdit, written], async () => undefined);
    expect(readdirSync(directory).sort()).toEqual([...left, "a", "b"]);
    expect(read("a")).toBe("2\n");
  }
});

test("what fails last takes all of it back", async () => {
  const { directory, edits, read } = rig();
  const fault = new Error("no");
  await expect(writeTogether(edits, () => Promise.reject(fault))).rejects.toBe(fault);
  expect([read("a"), read("b"), existsSync(join(directory, "c"))]).toEqual(["1\n", "1\n", false]);
  expect(readdirSync(directory).sort()).toEqual(["a", "b"]);
});

test("a file that somebody changed meanwhile stops it, and what was written before is taken back", async () => {
  const { edits, read, directory } = rig();
  writeFileSync(join(directory, "b"), "theirs\n");
  await expect(writeTogether(edits, async () => undefined)).rejects.toThrow(WriteRefused);
  expect([read("a"), read("b")]).toEqual(["1\n", "theirs\n"]);
});

test("what cannot be taken back is named", async () => {
  const { edits, read, directory } = rig();
  const work = writeTogether(edits, async () => {
    writeFileSync(join(directory, "a"), "theirs\n");
    throw new Error("no");
  });
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PartlyWritten);
  expect((error as PartlyWritten).written).toEqual([join(directory, "a")]);
  expect([read("a"), read("b"), existsSync(join(directory, "c"))]).toEqual(["theirs\n", "1\n", false]);
});

test("a file that stays as it is, is not touched", async () => {
  const { directory } = rig();
  const path = join(directory, "a");
  rmSync(path);
  mkdirSync(path);
  const same = { path, before: "x", after: "x" };
  expect(await writeTogether([same], async () => 7)).toBe(7);
  renameSync(path, join(directory, "d"));
});
