import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { parse as parseDotenv } from "dotenv";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type DialectName, isEnvName, writeEnv } from "../../src/envfile/index.ts";
import { type Program, readBack } from "../../src/envfile/write/programs.ts";
import { portableQuoting } from "../../src/envfile/write/quoting.ts";
import { DIALECTS } from "../../src/envfile/write/write.ts";
import type { Reader } from "../../src/envfile/readers/reader.ts";
import { READERS, readWith } from "./readers/index.ts";
import { envNames, envValues } from "./arbitrary-texts.ts";
import { carried } from "./carried.ts";
import { WRITE_CASES } from "./write-cases.ts";
import { runs } from "../support/runs.ts";

const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];
const PROGRAMS: readonly Program[] = ["qm-deploy", "qm", "compose", "docker", "node", "dotenv", "fly"];

const directory = mkdtempSync(join(tmpdir(), "envfile-write-"));
afterAll(() => rmSync(directory, { recursive: true }));

const pairs = fc.uniqueArray(fc.record({ name: envNames, value: envValues }), {
  selector: (pair) => pair.name,
  maxLength: 10,
});

describe("what a writer writes is what its readers read", () => {
  test.each(DIALECT_NAMES)("%s, by our ports", (dialect) => {
    fc.assert(
      fc.property(pairs, (all) => {
        const { text, values } = carried(dialect, all);
        const readers = dialect === "shell" ? (["shell"] as const) : DIALECTS[dialect];
        for (const read of readers.flatMap((reader) => [...READERS[reader]]))
          expect(read(text)).toEqual({ ok: true, values });
      }),
      { numRuns: runs(50, 500) },
    );
  });

  test("dotenv, by node and the dotenv package", () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const { text, values } = carried(
          "dotenv",
          all.filter(({ name }) => name !== "__proto__"),
        );
        expect({ ...parseEnv(text) }).toEqual(Object.fromEntries(values));
        expect(parseDotenv(text)).toEqual(Object.fromEntries(values));
      }),
      { numRuns: runs(50, 500) },
    );
  });

  test("shell, by bash", () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const { text, values } = carried("shell", all);
        const path = join(directory, "x.sh");
        writeFileSync(path, text);
        const { stdout } = spawnSync("bash", ["--norc", "-c", '. "$0" || exit 1; /usr/bin/env -0', path], {
          env: {},
          encoding: "utf8",
        });
        const read = new Map(
          stdout.split("\0").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
        );
        for (const [name, value] of values) expect(read.get(name), name).toBe(value);
      }),
      { numRuns: runs(15, 180) },
    );
  });
});

test.each(WRITE_CASES)("$dialect: $value", ({ dialect, value, line, refused }) => {
  const written = writeEnv(dialect, [{ name: "K", value }]);
  if (line !== undefined) expect(written).toEqual({ ok: true, text: `${line}\n` });
  else
    expect(written.ok || written.refusals).toMatchObject([
      { name: "K", reader: refused?.[0], character: refused?.[1] },
    ]);
});

test("a portable value is read alike by all the programs asked, or refused", () => {
  fc.assert(
    fc.property(envNames, envValues, fc.subarray([...PROGRAMS], { minLength: 1 }), (name, value, programs) => {
      const quoting = portableQuoting(name, value, programs);
      if (!quoting.ok) {
        expect(quoting.refusal.name).toBe(name);
        return;
      }
      const values = new Map([
        [name, value],
        ["Z_", "1"],
      ]);
      for (const read of programs.flatMap((program): readonly Reader[] => READERS[program]))
        expect(read(`${name}=${quoting.written}\nZ_=1\n`)).toEqual({ ok: true, values });
    }),
    { numRuns: runs(100, 1_000) },
  );
});

describe("what is known of one value agrees with the program's whole grammar", () => {
  /** One of each quote below, so that a value which is not closed on its lines runs on. */
  const around = (written: string): string => `B=1\nK=${written}\n# '\n# "\n# \`\nZ=2\n`;
  const expected = (value: string): Map<string, string> =>
    new Map([
      ["B", "1"],
      ["K", value],
      ["Z", "2"],
    ]);

  /** What is said of a value is true; where nothing is said the program may still read it. */
  function holds(program: Program, written: string): boolean {
    const value = readBack(program, "K", written);
    if (value === null) return false;
    for (const read of READERS[program])
      expect(read(around(written)), JSON.stringify(written)).toEqual({ ok: true, values: expected(value) });
    return true;
  }

  const units = ["a", "n", "'", '"', "`", "\\", "$", "#", " ", "\t", "\n", "\r", "=", "\u2028", "\u00a0"];
  const short = units.flatMap((first) => units.map((second) => first + second));
  const quotes = ["", "'", '"', "`", '"""'];

  test.each(["docker", "node", "dotenv", "fly"] as const)("%s, for every short value in every quote", (program) => {
    const known = ["", ...units, ...short].flatMap((value) =>
      quotes.filter((quote) => holds(program, quote + value + quote)),
    );
    expect(known.length).toBeGreaterThan(200);
  });

  test.each(["docker", "node", "dotenv", "fly"] as const)("%s, for any value", (program) => {
    const values = fc.oneof(
      envValues,
      fc.array(fc.constantFrom(...units, '"""', "\r\n"), { maxLength: 12 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(fc.constantFrom(...quotes), values, (quote, value) => void holds(program, quote + value + quote)),
      { numRuns: runs(300, 3_000) },
    );
  });

  test.each(["docker", "fly"] as const)("%s gives up on lines of 64 KiB", (program) => {
    const value = "x".repeat(65_533);
    expect(readBack(program, "K", value)).toBe(value);
    expect(readBack(program, "K", `${value}x`)).toBeNull();
    expect(readBack(program, "KK", value)).toBeNull();
    expect(readBack(program, "K", "é".repeat(32_766))).not.toBeNull();
    expect(readBack(program, "K", "é".repeat(32_767))).toBeNull();
  });
});

test("plain values are written raw for every set of programs, which all read them back", () => {
  fc.assert(
    fc.property(envNames, fc.stringMatching(/^[A-Za-z0-9_./:@%+,=-]{0,30}$/), (name, value) => {
      expect(portableQuoting(name, value, PROGRAMS)).toEqual({ ok: true, written: value });
      for (const program of PROGRAMS)
        expect(readWith(program, `${name}=${value}\n`)).toEqual({ ok: true, values: new Map([[name, value]]) });
    }),
    { numRuns: runs(100, 1_000) },
  );
});

test("odd names are refused by every dialect, none is written changed", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...DIALECT_NAMES),
      fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "A-B", "A B", "1A", "A.b", "A=", "é")),
      (dialect, name) => {
        fc.pre(!isEnvName(name));
        expect(writeEnv(dialect, [{ name, value: "x" }])).toMatchObject({ ok: false, refusals: [{ name }] });
      },
    ),
  );
});

test("all refusals of a file are told, and a refusal never shows the value", () => {
  const secret = "hunter2-canary";
  const entries = ["\0", "\ud800", "'\"`$\n\r"].map((tail, index) => ({ name: `K${index}`, value: secret + tail }));
  for (const dialect of DIALECT_NAMES) {
    const written = writeEnv(dialect, [...entries, { name: "OK", value: "1" }, { name: "OK", value: "2" }]);
    expect(!written.ok && written.refusals.map(({ name }) => name)).toEqual(expect.arrayContaining(["K0", "K1", "OK"]));
    expect(JSON.stringify(written)).not.toContain("hunter2");
  }
});

test("a header is comment lines, and a file is as long as its entries", () => {
  expect(writeEnv("docker", [{ name: "A", value: "1" }], { header: "one\r\ntwo\n\nA=2" })).toEqual({
    ok: true,
    text: "# one\n# two\n#\n# A=2\nA=1\n",
  });
  expect(writeEnv("docker", [])).toEqual({ ok: true, text: "" });
});
