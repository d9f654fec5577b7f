import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withLock } from "../../src/workspace/lock.ts";
import { tempDirectory } from "./temp.ts";

test("edits at the same time lose nothing", async () => {
  const file = join(tempDirectory({ count: "0" }), "count");
  const increment = () =>
    withLock(file, async () => {
      const before = Number(readFileSync(file, "utf8"));
      await new Promise((resolve) => setImmediate(resolve));
      writeFileSync(file, String(before + 1));
    });
  await Promise.all(Array.from({ length: 20 }, increment));
  expect(readFileSync(file, "utf8")).toBe("20");
});

test("the lock is gone afterwards, also after a failure, and the result comes back", async () => {
  const root = tempDirectory();
  expect(await withLock(join(root, "x"), () => 7)).toBe(7);
  await expect(withLock(join(root, "x"), () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(readdirSync(root)).toEqual([]);
});

test("the lock of a process that is gone is broken", async () => {
  // No process has the highest id that Linux allows plus one.
  const root = tempDirectory({ ".x.lock": `${hostname()} 4194305 abc` });
  expect(await withLock(join(root, "x"), () => "done")).toBe("done");
  expect(readdirSync(root)).toEqual([]);
});

test.each(["", "half of a ho", "\0\0\0"])("an old lock that names nobody (%j) is broken", async (text) => {
  const root = tempDirectory({ ".x.lock": text });
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(join(root, ".x.lock"), longAgo, longAgo);
  expect(await withLock(join(root, "x"), () => "done")).toBe("done");
  expect(readdirSync(root)).toEqual([]);
});

test("an old lock of a process that runs, here or elsewhere, is kept", async () => {
  for (const holder of [`${hostname()} ${process.pid} abc`, `not-${hostname()} 4194305 abc`]) {
    const root = tempDirectory({ ".x.lock": holder });
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(join(root, ".x.lock"), longAgo, longAgo);
    const waiting = withLock(join(root, "x"), () => "done");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(readFileSync(join(root, ".x.lock"), "utf8")).toBe(holder);
    rmSync(join(root, ".x.lock"));
    expect(await waiting).toBe("done");
  }
});

test("what killed waiters left is taken away once it is old, and nothing else", async () => {
  const root = tempDirectory({
    ".x.lock.0123456789ab": "killed",
    ".x.lock.cdef01234567": "waiting",
    ".x.lock.notes": "mine",
  });
  const longAgo = new Date(Date.now() - 60_000);
  for (const name of [".x.lock.0123456789ab", ".x.lock.notes"]) utimesSync(join(root, name), longAgo, longAgo);
  await withLock(join(root, "x"), () =>
    expect(readFileSync(join(root, ".x.lock"), "utf8")).toMatch(`${hostname()} ${process.pid} `),
  );
  expect(readdirSync(root).sort()).toEqual([".x.lock.cdef01234567", ".x.lock.notes"]);
});

test.each(["fifo", "device", "dangling", "huge", "directory"])(
  "a %s in the place of a lock is named at once",
  async (kind) => {
    const root = tempDirectory();
    const lock = join(root, ".x.lock");
    if (kind === "fifo") spawnSync("mkfifo", [lock]);
    else if (kind === "huge") writeFileSync(lock, Buffer.alloc(2 ** 21));
    else if (kind === "directory") mkdirSync(lock);
    else symlinkSync(kind === "device" ? "/dev/zero" : "nowhere", lock);
    await expect(withLock(join(root, "x"), () => "done")).rejects.toThrow(/`.*\.x\.lock` is no lock \(/);
    expect(readdirSync(root)).toEqual([".x.lock"]);
  },
);

test("half-written files of runs that were killed are taken away, and those that somebody writes are not", async () => {
  const gone = `${hostname()} 4194305 abc`;
  const root = tempDirectory({
    ".x.0123456789abcdef.tmp": "half",
    "..env.0123456789abcdef.tmp/.gitignore": "*",
    "..env.0123456789abcdef.tmp/new": "KEY=1",
    "..env.lock": gone,
    ".free.0123456789abcdef.tmp": "half",
    ".busy.0123456789abcdef.tmp": "half",
    ".busy.lock": `${hostname()} ${process.pid} abc`,
    ".x.tmp": "mine",
    "x.0123456789abcdef.tmp": "mine",
  });
  await withLock(join(root, "x"), () => "done");
  expect(readdirSync(root).sort()).toEqual(
    ["..env.lock", ".busy.0123456789abcdef.tmp", ".busy.lock", ".x.tmp", "x.0123456789abcdef.tmp"].sort(),
  );
});
