import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { parse as parseDotenv } from "dotenv";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  DIALECT_NAMES,
  isEnvName,
  portableQuoting,
  READER_NAMES,
  readAs,
  readEnvFile,
  writeEnv,
} from "../../src/envfile/index.ts";
import { DIALECTS } from "../../src/envfile/write/dialect.ts";
import { envNames, envValues } from "./arbitrary-texts.ts";
import { carried } from "./carried.ts";
import { WRITE_CASES } from "./write-cases.ts";

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
        for (const reader of DIALECTS[dialect].readers) expect(readAs(reader, text)).toEqual({ ok: true, values });
      }),
      { numRuns: 500 },
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
      { numRuns: 500 },
    );
  });

  test("qm, by qm", async () => {
    const util = new URL("../../node_modules/@yc-software/qm/dist/src/util.js", import.meta.url);
    const peer = (await import(pathToFileURL(util.pathname).href)) as {
      readEnvFile: (path: string) => Map<string, string>;
    };
    const path = join(directory, "qm.env");
    fc.assert(
      fc.property(pairs, (all) => {
        const { text, values } = carried("qm", all);
        writeFileSync(path, text);
        expect(peer.readEnvFile(path)).toEqual(values);
      }),
      { numRuns: 300 },
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
      { numRuns: 60 },
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

test("a portable value is read alike by all the readers asked, or refused", () => {
  fc.assert(
    fc.property(envNames, envValues, fc.subarray([...READER_NAMES], { minLength: 1 }), (name, value, readers) => {
      const form = portableQuoting(name, value, readers);
      if (form.ok)
        for (const reader of readers)
          expect(readAs(reader, `${name}=${form.form}\nZ_=1\n`)).toEqual({
            ok: true,
            values: new Map([
              [name, value],
              ["Z_", "1"],
            ]),
          });
      else expect(form.refusal.name).toBe(name);
    }),
    { numRuns: 1000 },
  );
});

test("plain values are written raw for every set of readers, which all read them back", () => {
  fc.assert(
    fc.property(envNames, fc.stringMatching(/^[A-Za-z0-9_./:@%+,=-]{0,30}$/), (name, value) => {
      const readers = READER_NAMES.filter((reader) => reader !== "shell");
      expect(portableQuoting(name, value, readers)).toEqual({ ok: true, form: value });
      for (const reader of readers)
        expect(readAs(reader, `${name}=${value}\n`)).toEqual({ ok: true, values: new Map([[name, value]]) });
    }),
    { numRuns: 1000 },
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

test("readers of other dialects can be asked for too", () => {
  const value = "a b#c";
  expect(writeEnv("dotenv", [{ name: "A", value }], { portable: ["compose", "shell"] })).toEqual({
    ok: true,
    text: `A='${value}'\n`,
  });
  expect(writeEnv("dotenv", [{ name: "A", value }], { portable: ["docker"] })).toMatchObject({
    ok: false,
    refusals: [{ name: "A", reader: null, character: "#" }],
  });
  expect(readEnvFile(`A='${value}'`).values.get("A")).toBe(value);
});
