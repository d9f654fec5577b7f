import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRule } from "../../src/rules/registry.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A row of the boot table: its number, and what stands in its last column. */
const ROWS = [
  ...readFileSync(join(ROOT, "docs/contract/qm-boot.md"), "utf8").matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm),
].map(([, row, by]) => ({ row: Number(row), by: by as string }));

/** The rows that cases and tests name. */
function named(): ReadonlySet<number> {
  const files = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" });
  const found = new Set<number>();
  for (const file of files.filter((name) => /(?:\.ts|expected\.json)$/.test(name))) {
    const text = readFileSync(join(ROOT, "test", file), "utf8");
    for (const [, inTitle, inData] of text.matchAll(/boot rows? ((?:\d+, )*\d+)|boot"?: \[([\d, ]+)\]/g))
      for (const row of (inTitle ?? inData ?? "").split(",")) found.add(Number(row));
  }
  return found;
}

test("the boot table is numbered from 1 without a gap", () => {
  expect(ROWS.map(({ row }) => row)).toEqual(Array.from({ length: 96 }, (_, at) => at + 1));
});

test("each row of the boot table is named by a case or test, but for those that no file tells", () => {
  const seen = named();
  expect(ROWS.filter(({ row, by }) => by !== "nobody" && !seen.has(row)).map(({ row }) => row)).toEqual([]);
  expect([...seen].filter((row) => !ROWS.some((known) => known.row === row))).toEqual([]);
});

test("what reports a row of the boot table is a rule", () => {
  const unknown = ROWS.filter(({ by }) => by !== "nobody").flatMap(({ row, by }) =>
    by
      .split(", ")
      .filter((id) => findRule(id.replaceAll("`", "")) === undefined)
      .map((id) => `${row}: ${id}`),
  );
  expect(unknown).toEqual([]);
});
