import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../cli/built.ts";

/** Where the tests of a kind of id are, unless a row names another folder. */
const AREA: { readonly [kind: string]: string } = {
  P: "boxd/paperclip/",
  Q: "boxd/qm-sandbox/",
  O: "boxd/openenv/",
  E: "",
};
const COUNT = { P: 37, Q: 25, O: 24 };
const FOLDERS = ["boxd", "rules"];

const ID = "(?:[PQO]\\d\\d|E-\\d\\d)";
/** The ids that a title begins with: `"Q09 Q10 a machine …"`, `"E-04 (#4802): a command …"`. */
const TITLE = new RegExp(`["'\`](${ID}(?: ${ID})*)[ :]`, "g");
const ROW = new RegExp(`^\\| (${ID}) \\|[^|]+\\| ([^|]+) \\| [^|]+ \\|$`, "gm");

/** Per id the test files, below test/ and without extension, in which a title begins with it. */
function titles(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(ROOT, "test", folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (!name.endsWith(".test.ts")) continue;
      const file = `${folder}/${name.slice(0, -".test.ts".length)}`;
      const text = readFileSync(join(ROOT, "test", folder, name), "utf8");
      const ids = new Set([...text.matchAll(TITLE)].flatMap((match) => (match[1] as string).split(" ")));
      for (const id of ids) found.set(id, [...(found.get(id) ?? []), file]);
    }
  }
  return found;
}

/** Per id the test files that its row in docs/contract/boxd-behaviours.md names. */
function rows(): Map<string, string[]> {
  const page = readFileSync(join(ROOT, "docs", "contract", "boxd-behaviours.md"), "utf8");
  const found = new Map<string, string[]>();
  for (const [, id = "", tests = ""] of page.matchAll(ROW)) {
    expect(found.has(id), `${id} twice`).toBe(false);
    found.set(
      id,
      [...tests.matchAll(/`([^`]+)`/g)]
        .map(([, name = ""]) => (name.includes("/") ? name : `${AREA[id[0] as string]}${name}`))
        .sort(),
    );
  }
  return found;
}

/** Who holds the invariants, in the order of their tables; the first names its tests in full. */
const HOLDERS = ["driver", "qm-sandbox", "paperclip", "openenv"];
const INVARIANTS = ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8"];
const HELD = /^\| \| (?:the driver )?held against \|/;
const INVARIANT_ROW = /^\| (I[1-8](?:, I[1-8])*) \| [^|]+ \| ([^|]+) \|/;

/** Per holder, each invariant with the test files that its rows name, below test/. */
function held(): Map<string, string>[] {
  const tables: Map<string, string>[] = [];
  for (const line of readFileSync(join(ROOT, "docs", "contract", "boxd-behaviours.md"), "utf8").split("\n")) {
    if (HELD.test(line)) tables.push(new Map());
    const [, ids = "", tests = ""] = INVARIANT_ROW.exec(line) ?? [];
    const folder = `boxd/${HOLDERS[tables.length - 1]}/`;
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => (name.includes("/") ? name : folder + name));
    for (const id of ids === "" ? [] : ids.split(", "))
      tables.at(-1)?.set(id, [tables.at(-1)?.get(id) ?? "", ...files].join(" ").trim());
  }
  return tables;
}

describe("docs/contract/boxd-behaviours.md", () => {
  const named = rows();

  test("names for every behaviour and report the files with its tests, and no other", () => {
    const sorted = (map: Map<string, string[]>) => new Map([...map].map(([id, files]) => [id, files.toSorted()]));
    expect(sorted(named)).toEqual(sorted(titles()));
    for (const file of [...named.values()].flat())
      expect(existsSync(join(ROOT, "test", `${file}.test.ts`)), file).toBe(true);
  });

  test.each(Object.entries(COUNT))("has every behaviour of %s: %i", (kind, count) => {
    const expected = Array.from({ length: count }, (_, at) => `${kind}${String(at + 1).padStart(2, "0")}`);
    expect([...named.keys()].filter((id) => id.startsWith(kind))).toEqual(expected);
  });

  test("has at least 20 of the public reports", () => {
    expect([...named.keys()].filter((id) => id.startsWith("E-")).length).toBeGreaterThanOrEqual(20);
  });

  test.each(HOLDERS)("names for each invariant the tests that hold %s to it", (holder) => {
    const table = held()[HOLDERS.indexOf(holder)] as Map<string, string>;
    expect([...table.keys()].sort()).toEqual(INVARIANTS);
    for (const [id, files] of table) {
      for (const file of new Set(files.split(" "))) {
        const text = readFileSync(join(ROOT, "test", `${file}.test.ts`), "utf8");
        expect(new RegExp(`["'\`](?:I[1-8] )*${id}[ "'\`]`).test(text), `a test of ${file} begins with ${id}`).toBe(
          true,
        );
      }
    }
  });
});
