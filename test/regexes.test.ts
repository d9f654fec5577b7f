import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck";
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { runs } from "./support/runs.ts";

const SRC = join(import.meta.dirname, "..", "src");

const OWN_TEXT = "who writes the text is who waits for it: an argument, or a Dockerfile of the person who builds";

/** Literals that could be slow on a hostile text, with the reason why they never see one. Each must still be in src/. */
const BOUNDED: { readonly [literal: string]: string } = {
  "/^-+|-+$/g": OWN_TEXT,
  "/-+$/": "after slice(0, 30)",
  "/\\d+$/": "a word of a name, cut at 200 characters",
  "/\\/+$/": OWN_TEXT,
  "/\\r+$/": OWN_TEXT,
  "/(?:\\bqm-[a-z0-9-]{1,31}-[0-9a-f]{12}|\\bQM_OWNER_[0-9A-F]{16})(?![0-9A-Za-z])/g":
    "looks at most 50 characters ahead from any place",
  '/"(?:[^"\\\\]|\\\\.)*"|(\\/\\/[^\\r\\n]*|\\/\\*[^]*?\\*\\/)|(,)(?=(?:\\s|\\/\\/[^\\r\\n]*|\\/\\*[^]*?\\*\\/)*[}\\]])/g':
    "only for JSONC without a syntax error, where every comment is closed, and read up to the first comment",
};

/** Every regex literal below src/, with the files that hold it. */
function literals(): Map<string, { source: string; flags: string; files: Set<string> }> {
  const found = new Map<string, { source: string; flags: string; files: Set<string> }>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))) {
    JSON.stringify(parseAst(readFileSync(join(SRC, file), "utf8"), { lang: "ts" }), (_, node: unknown) => {
      const regex = (node as { regex?: { pattern: string; flags: string } } | null)?.regex;
      if (regex !== undefined) {
        const literal = `/${regex.pattern}/${regex.flags}`;
        const known = found.get(literal) ?? { source: regex.pattern, flags: regex.flags, files: new Set() };
        found.set(literal, { ...known, files: known.files.add(file) });
        return null;
      }
      return typeof node === "bigint" ? null : node;
    });
  }
  return found;
}

test("no regex that reads the text of others takes more than linear time", () => {
  const all = literals();
  expect(all.size).toBeGreaterThan(100);
  const slow = [...all].flatMap(([literal, { source, flags, files }]) => {
    if (Object.hasOwn(BOUNDED, literal)) return [];
    // One that is not judged in time is no finding: how long that takes depends on the machine.
    const verdict = checkSync(source, flags, { timeout: runs(60, 2_000) });
    return verdict.status === "vulnerable"
      ? [`${[...files].join(", ")}: ${literal}: ${verdict.complexity.summary}, ${verdict.attack.pattern}`]
      : [];
  });
  expect(slow).toEqual([]);
  expect(Object.keys(BOUNDED).filter((literal) => !all.has(literal))).toEqual([]);
}, 300_000);
