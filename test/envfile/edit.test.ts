import fc from "fast-check";
import { expect, test } from "vitest";
import { type FileReader, readAs, readEnvFile, setEnvValue } from "../../src/envfile/index.ts";
import { EDIT_CASES } from "./edit-cases.ts";
import { envNames, envTexts, envValues } from "./arbitrary-texts.ts";
import { runs } from "../support/runs.ts";

test.each(EDIT_CASES)("$id", ({ text, value, readers = ["qm"], result, refused }) => {
  const edited = setEnvValue(text, "K", value, readers);
  if (result !== undefined) expect(edited).toEqual({ ok: true, text: result });
  else expect(edited.ok || edited.refusal).toMatchObject({ name: "K", reader: refused?.[0], character: refused?.[1] });
});

const READER_SETS: readonly (readonly FileReader[])[] = [[], ["qm"], ["compose"], ["qm", "compose"]];
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
      const edited = setEnvValue(text, "K", value, readers);
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
      expect(setEnvValue(edited.text, "K", value, readers)).toEqual(edited);
    }),
    { numRuns: runs(300, 3_000) },
  );
  expect(accepted).toBeGreaterThan(runs(80, 800));
});

test("bytes outside the lines of the name stay, for any text", () => {
  fc.assert(
    fc.property(envTexts, envNames, fc.stringMatching(/^[a-z ]{0,8}$/), (text, name, value) => {
      const { entries } = readEnvFile(text);
      const first = entries.find(({ key }) => key === name);
      const last = entries.findLast(({ key }) => key === name);
      const edited = setEnvValue(text, name, value, []);
      if (!edited.ok) return;
      expect(edited.text.startsWith(text.slice(0, first?.range.start.offset ?? text.length))).toBe(true);
      if (last !== undefined) expect(edited.text.endsWith(text.slice(last.range.end.offset))).toBe(true);
    }),
    { numRuns: runs(200, 2_000) },
  );
});

test("refusals name the name, never a value of the file or the new one", () => {
  const edited = setEnvValue("A='canary-1\nexport B=canary-2\n", "K", "canary-3\0", ["qm"]);
  expect(edited.ok).toBe(false);
  expect(JSON.stringify(edited)).not.toContain("canary");
  const broken = setEnvValue("A%=canary-2\n", "K", "canary3", ["compose"]);
  const reason =
    "`K` cannot be set in this file for compose: it gives up at line 1: the name holds a character that compose refuses";
  expect(broken).toEqual({ ok: false, refusal: { name: "K", reader: "compose", character: null, reason } });
});
