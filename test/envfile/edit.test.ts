import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ReaderName, readAs, readEnvFile, setEnvValue, unsetEnvValue } from "../../src/envfile/index.ts";
import { EDIT_CASES, UNSET_CASES } from "./edit-cases.ts";
import { envNames, envTexts, envValues } from "./arbitrary-texts.ts";

test.each(EDIT_CASES)("$id", ({ text, value, readers = ["qm"], result, refused }) => {
  const edited = setEnvValue(text, "K", value, { readers });
  if (result !== undefined) expect(edited).toEqual({ ok: true, text: result });
  else expect(edited.ok || edited.refusal).toMatchObject({ name: "K", reader: refused?.[0], character: refused?.[1] });
});

test.each(UNSET_CASES)("unset: $id", ({ text, result, removed }) => {
  expect(unsetEnvValue(text, "K")).toEqual({ ok: true, text: result, removed });
});

const READER_SETS: readonly (readonly ReaderName[])[] = [
  [],
  ["qm"],
  ["node", "dotenv"],
  ["compose"],
  ["docker"],
  ["fly"],
  ["qm", "compose", "node", "dotenv"],
  ["shell"],
];
const ENTRY = fc
  .tuple(
    fc.constantFrom("", "export ", "  "),
    fc.constantFrom("K", "A", "B"),
    fc.constantFrom("=", " = "),
    fc.constantFrom("1", "", "'a b'", '"x\ny"', "`q`", "a#b", '"\\"j\\""'),
    fc.constantFrom("", " # note", "  # it's"),
  )
  .map((parts) => parts.join(""));
const FILE = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.array(fc.oneof(ENTRY, fc.constantFrom("", "# K=old", '# it\'s "fine"', "junk", "A-B=1")), { maxLength: 8 }),
    fc.constantFrom("\n", "\r\n", "\r"),
    fc.boolean(),
  )
  .map(
    ([bom, lines, eol, last]) =>
      bom + lines.map((line) => line.replaceAll("\n", eol)).join(eol) + (last && lines.length > 0 ? eol : ""),
  );

/** All comments of a text, whole-line and behind values, sorted. */
function comments(text: string): string[] {
  const { entries } = readEnvFile(text);
  const behind = entries.flatMap(({ commentRange: range }) =>
    range === null ? [] : [text.slice(range.start.offset, range.end.offset)],
  );
  const isInside = (line: number): boolean =>
    entries.some(({ range }) => range.start.line <= line && line <= range.end.line);
  const lines = text.replace("\uFEFF", "").split(/\r\n|\r|\n/);
  const whole = lines
    .filter((line, index) => line.trim().startsWith("#") && !isInside(index + 1))
    .map((line) => line.trim());
  return [...behind, ...whole].sort();
}

test("a value that was set is read back by every reader, and nothing else has changed", () => {
  let accepted = 0;
  fc.assert(
    fc.property(FILE, envValues, fc.constantFrom(...READER_SETS), (text, value, readers) => {
      const edited = setEnvValue(text, "K", value, { readers });
      if (!edited.ok) return;
      accepted++;
      const before = readEnvFile(text);
      const after = readEnvFile(edited.text);
      expect(after.entries.filter(({ key }) => key === "K").map((entry) => entry.value)).toEqual([value]);
      for (const reader of readers) {
        const read = readAs(reader, edited.text);
        expect(read.ok && read.values.get("K")).toBe(value);
      }
      const others = ({ entries }: typeof before): string[][] =>
        entries.filter(({ key }) => key !== "K").map(({ key, value: kept }) => [key, kept]);
      expect(others(after)).toEqual(others(before));
      expect(comments(edited.text)).toEqual(comments(text));
      expect(edited.text.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
      if (/\r\n/.test(text) && !value.includes("\r")) expect(edited.text).not.toMatch(/(?<!\r)\n|\r(?!\n)/);
      expect(setEnvValue(edited.text, "K", value, { readers })).toEqual(edited);
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(1000);
});

test("bytes outside the lines of the name stay, for any text", () => {
  fc.assert(
    fc.property(envTexts, envNames, fc.stringMatching(/^[a-z ]{0,8}$/), (text, name, value) => {
      const { entries } = readEnvFile(text);
      const first = entries.find(({ key }) => key === name);
      const last = entries.findLast(({ key }) => key === name);
      const edited = setEnvValue(text, name, value, { readers: [] });
      if (!edited.ok) return;
      expect(edited.text.startsWith(text.slice(0, first?.range.start.offset ?? text.length))).toBe(true);
      if (last !== undefined) expect(edited.text.endsWith(text.slice(last.range.end.offset))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("unset leaves no entry, keeps every other and all comments, and can be repeated", () => {
  fc.assert(
    fc.property(FILE, (text) => {
      const unset = unsetEnvValue(text, "K");
      if (!unset.ok) throw new Error(unset.refusal.reason);
      const { text: rest, removed } = unset;
      const before = readEnvFile(text).entries;
      expect(removed).toBe(before.filter(({ key }) => key === "K").length);
      expect(readEnvFile(rest).entries.map(({ key, value }) => [key, value])).toEqual(
        before.filter(({ key }) => key !== "K").map(({ key, value }) => [key, value]),
      );
      expect(comments(rest)).toEqual(comments(text));
      expect(unsetEnvValue(rest, "K")).toEqual({ ok: true, text: rest, removed: 0 });
    }),
    { numRuns: 1000 },
  );
});

test("unset is refused where an unclosed quote would swallow other lines", () => {
  const text = "A='x\nK='y'\nB=z'\n";
  expect(readEnvFile(text).values.get("B")).toBe("z'");
  const reason = "`K` cannot be removed from this file: it would read other entries differently";
  expect(unsetEnvValue(text, "K")).toEqual({
    ok: false,
    refusal: { name: "K", reader: "qm-deploy", character: null, reason },
  });
});

test("a line set for a shell is read back by bash", () => {
  const directory = mkdtempSync(join(tmpdir(), "envfile-edit-"));
  const path = join(directory, ".env");
  fc.assert(
    fc.property(envValues, (value) => {
      const edited = setEnvValue("# c\nexport A='1'\nK=\"old\nvalue\" # why\nB=2", "K", value, { readers: ["shell"] });
      if (!edited.ok) return;
      writeFileSync(path, edited.text);
      const { stdout } = spawnSync("bash", ["--norc", "-c", 'set -a; . "$0"; /usr/bin/env -0', path], {
        env: {},
        encoding: "utf8",
      });
      const values = stdout.split("\0");
      for (const pair of ["A=1", `K=${value}`, "B=2"]) expect(values).toContain(pair);
    }),
    { numRuns: 60 },
  );
  rmSync(directory, { recursive: true });
});

test("refusals name the name, never a value of the file or the new one", () => {
  const edited = setEnvValue("A='canary-1\nexport B=canary-2\n", "K", "canary-3\0", { readers: ["docker"] });
  expect(edited.ok).toBe(false);
  expect(JSON.stringify(edited)).not.toContain("canary");
  const broken = setEnvValue("export B=canary-2\n", "K", "canary3", { readers: ["docker"] });
  expect(broken).toEqual({
    ok: false,
    refusal: {
      name: "K",
      reader: "docker",
      character: null,
      reason: "`K` cannot be set in this file for docker: it gives up at line 1: the name holds a space or tab",
    },
  });
});
