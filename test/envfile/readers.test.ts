import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { parse as parseDotenv } from "dotenv";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { READER_NAMES, type ReaderName, readWith } from "./readers/index.ts";
import { readAsNode20, readAsNode24 } from "./readers/node.ts";
import { READER_CASES } from "./reader-cases.ts";
import { envTexts, shellTexts } from "./arbitrary-texts.ts";
import { runs } from "../support/runs.ts";

const directory = mkdtempSync(join(tmpdir(), "envfile-readers-"));
afterAll(() => rmSync(directory, { recursive: true }));

function valuesOf(reader: ReaderName, text: string): Record<string, string> | string {
  const result = readWith(reader, text);
  return result.ok ? Object.fromEntries(result.values) : result.reason;
}

describe("ports agree with the programs they stand for", () => {
  const port = { 20: readAsNode20, 24: readAsNode24 }[Number.parseInt(process.versions.node, 10)];
  test.skipIf(port === undefined)("util.parseEnv (needs Node 20 or 24, whose grammars they are)", () => {
    fc.assert(
      fc.property(envTexts, (text) => {
        fc.pre(!text.includes("__proto__"));
        const read = port?.(text);
        expect(read?.ok && Object.fromEntries(read.values)).toEqual({ ...parseEnv(text) });
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  test("dotenv", () => {
    fc.assert(
      fc.property(envTexts, (text) => {
        // dotenv assigns to a plain object, where `__proto__` is no key.
        fc.pre(!text.includes("__proto__"));
        expect(valuesOf("dotenv", text)).toEqual(parseDotenv(text));
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  test("qm's own reader", async () => {
    const util = new URL("../../node_modules/@yc-software/qm/dist/src/util.js", import.meta.url);
    const { readEnvFile } = (await import(pathToFileURL(util.pathname).href)) as {
      readEnvFile: (path: string) => Map<string, string>;
    };
    const path = join(directory, "qm.env");
    fc.assert(
      fc.property(envTexts, (text) => {
        writeFileSync(path, text);
        const read = readWith("qm", text.toWellFormed());
        expect(read.ok && [...read.values]).toEqual([...readEnvFile(path)]);
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  test("bash, wherever the shell reader does not give up", () => {
    const accepted = fc.sample(shellTexts, { numRuns: 5_000, seed: 20 }).filter((text) => {
      const result = readWith("shell", text);
      return result.ok && result.values.size > 0 && text.isWellFormed() && !text.includes("\0");
    });
    expect(accepted.length).toBeGreaterThan(200);
    const texts = accepted.slice(0, 400);
    texts.forEach((text, index) => writeFileSync(join(directory, `${index}.sh`), text));
    const script = `for i in $(seq 0 ${texts.length - 1}); do env -i bash --norc -c 'set -a; . "$0"; env -0' "$1/$i.sh" || printf 'status %s' $?; printf '\\0\\0'; done`;
    const { stdout } = spawnSync("bash", ["-c", script, "bash", directory], { encoding: "utf8", maxBuffer: 1e8 });
    const blocks = stdout.split("\0\0\0");
    texts.forEach((text, index) => {
      const all = new Map(
        (blocks[index] as string)
          .split("\0")
          .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
      );
      for (const own of ["PWD", "SHLVL", "_", "OLDPWD"]) all.delete(own);
      expect(Object.fromEntries(all), JSON.stringify(text)).toEqual(valuesOf("shell", text));
    });
  });
});

test.each(READER_CASES)("$reader reads $text", ({ reader, text, values }) => {
  expect(valuesOf(reader, text)).toEqual(values);
});

test.each(READER_NAMES)("%s never throws and quotes no value", (reader) => {
  fc.assert(
    fc.property(envTexts, (text) => {
      const result = readWith(reader, text);
      if (!result.ok) {
        expect(result.line).toBeGreaterThan(0);
        expect(result.line).toBeLessThanOrEqual(text.split("\n").length);
        expect(result.reason).not.toContain("value value");
      }
    }),
  );
});

test("compose's defaults within defaults end before the stack does", () => {
  const nested = (depth: number): string => `A=${"${X:-".repeat(depth)}y${"}".repeat(depth)}\n`;
  expect(valuesOf("compose", nested(50))).toEqual({ A: "y" });
  expect(valuesOf("compose", nested(100_000))).toBe("a `$` starts no reference that compose understands");
});

// A quadratic reader needs far longer here and runs into the limit of the test; a linear one milliseconds.
test.each(READER_NAMES)("%s reads two hundred kilobytes of anything", (reader) => {
  for (const piece of [
    "A='\n",
    'A="\\"\n',
    "A=`x\n",
    "A=\"x\nB='y\n",
    " ",
    "\n",
    "\r",
    "#",
    "#\n",
    "export ",
    "A=1 #",
    "A\n",
    "A=\n",
    "A=${\n",
    "A=$${",
    "A='\\'",
    "A = \n",
  ]) {
    readWith(reader, piece.repeat(200_000 / piece.length));
  }
});
