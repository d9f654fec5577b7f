import { readdirSync, readFileSync, writeFileSync } from "node:fs";
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
