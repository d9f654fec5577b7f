import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { headingNames } from "./headings.ts";

const ROOT = join(import.meta.dirname, "../..");

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g;
/** A file as comments name it, with the heading of a page. A name with `<…>` in it stands for many files. */
const FILE = /(?<![\w.@/<>-])(?:[\w.@-]+\/)*[\w.@-]+\.(?:md|ts|mjs)(?:#[\w-]+)?(?![\w/<>-])/g;
/** Files of a deployment, which comments speak of as well. */
const OF_A_DEPLOYMENT = /^(?:sandbox|plugins|rendered|qm)\/|^(?:AGENTS|SKILL|bring-up|deployment)\.md$/;

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts"))
    .sort();
}

const SOURCES = filesBelow("src");
const NAMES = new Set(SOURCES.map((path) => basename(path)));

/** What a comment cites that this repository does not have. */
function missing(text: string): string[] {
  const cited = [...text.matchAll(COMMENT)].flatMap(([comment]) => [...comment.matchAll(FILE)].map(([file]) => file));
  return cited.filter((citation) => {
    const [file = "", heading] = citation.split("#");
    if (OF_A_DEPLOYMENT.test(file)) return false;
    if (file.endsWith(".ts") && !file.includes("/")) return !NAMES.has(file);
    if (!existsSync(join(ROOT, file))) return true;
    return heading !== undefined && !headingNames(readFileSync(join(ROOT, file), "utf8")).includes(heading);
  });
}

describe("comments in src/", () => {
  test("cite only what a reader has", () => {
    const wrong = SOURCES.flatMap((path) =>
      missing(readFileSync(join(ROOT, path), "utf8")).map((citation) => `${path}: ${citation}`),
    );
    expect(wrong).toEqual([]);
  });

  test("a citation of nothing is seen in every form", () => {
    const text = [
      "/** As facts/qm-contract.md §2 has it, and docs/contract/qm-config.md#no-such-heading. */",
      "const a = 1; // see design.md",
      " * `src/gone/file.ts`, `gone.ts`",
      "/* docs/contract/qm-config.md#fields, sandbox/skills/x/SKILL.md, templates/fly/<release>/x.md */",
    ].join("\n");
    expect(missing(`${text}\n/** also src/gone/file.ts and gone.ts */`)).toEqual([
      "facts/qm-contract.md",
      "docs/contract/qm-config.md#no-such-heading",
      "design.md",
      "src/gone/file.ts",
      "gone.ts",
    ]);
  });
});

describe("docs/contract/", () => {
  const pages = readdirSync(join(ROOT, "docs/contract")).sort();

  test("has a page for each thing that the code rests on, and its list names them all", () => {
    const list = readFileSync(join(ROOT, "docs/contract/README.md"), "utf8");
    for (const page of pages.filter((name) => name !== "README.md")) expect(list).toContain(`[${page}](${page})`);
    expect(pages).toEqual(
      expect.arrayContaining(["boxd.md", "env-files.md", "openenv.md", "paperclip.md", "qm-boot.md", "qm-config.md"]),
    );
  });
});
