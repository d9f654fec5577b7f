import fc from "fast-check";
import { expect, test } from "vitest";
import { type EnvProblemKind, readEnvFile } from "../../src/envfile/index.ts";
import { LineIndex } from "../../src/diagnostics/source.ts";
import { READ_CASES } from "./read-cases.ts";
import { envTexts } from "./arbitrary-texts.ts";
import { runs } from "../support/runs.ts";

test.each(READ_CASES)("$id", ({ text, entries, problems = [] }) => {
  const document = readEnvFile(text);
  expect(document.entries.map((entry) => [entry.key, entry.value])).toEqual(entries);
  const found = document.problems.map((problem) => [
    problem.kind,
    text.slice(problem.range.start.offset, problem.range.end.offset),
    problem.name,
  ]);
  expect(found).toEqual(problems);
  expect([...document.values]).toEqual([...new Map(entries)]);
});

test("every kind of problem has a case", () => {
  const kinds: Record<EnvProblemKind, true> = {
    "blank-hides-value": true,
    "control-character": true,
    "duplicate-name": true,
    "inline-comment": true,
    "invalid-name": true,
    "invisible-character": true,
    "no-equals": true,
    "text-after-quote": true,
    "unterminated-quote": true,
  };
  const covered = new Set(READ_CASES.flatMap((one) => (one.problems ?? []).map(([kind]) => kind)));
  expect([...covered].sort()).toEqual(Object.keys(kinds));
});

test("ranges slice to their tokens and stand in order, for any text", () => {
  fc.assert(
    fc.property(envTexts, (text) => {
      const document = readEnvFile(text);
      const lines = new LineIndex(text);
      let last = 0;
      for (const entry of document.entries) {
        const slice = ({ start, end }: typeof entry.range): string => text.slice(start.offset, end.offset);
        expect(slice(entry.keyRange)).toBe(entry.key);
        const written = slice(entry.valueRange);
        if (entry.quote === "none") expect(written).toBe(entry.value);
        else expect(written).toMatch({ single: /^'[^']*'$/, double: /^"[^]*"$/, backtick: /^`[^`]*`$/ }[entry.quote]);
        if (entry.commentRange !== null) expect(slice(entry.commentRange)).toMatch(/^#[^\r\n]*$/);
        expect(slice(entry.range)).toContain(`${entry.key}`);
        expect(entry.range.start.offset).toBeGreaterThanOrEqual(last);
        last = entry.range.end.offset;
        for (const range of [entry.keyRange, entry.valueRange, entry.range])
          expect(lines.range(range.start.offset, range.end.offset)).toEqual(range);
      }
      for (const { range } of document.problems) expect(range.end.offset).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: runs(300, 3_000) },
  );
});

test("no line is dropped: each one is blank, a comment, part of an entry, or has a problem", () => {
  fc.assert(
    fc.property(envTexts, (text) => {
      const { entries, problems } = readEnvFile(text);
      const spoken = new Set<number>();
      for (const { range } of [...entries, ...problems])
        for (let line = range.start.line; line <= range.end.line; line++) spoken.add(line);
      // A statement with a problem may have more lines than its problem: cut the text there and look again.
      const lines = text.split(/\r\n|\r|\n/);
      const isSilent = lines.findIndex((line, index) => !spoken.has(index + 1) && !/^\uFEFF?[ \t]*(#|$)/.test(line));
      if (isSilent !== -1)
        expect(
          problems.some((problem) => problem.kind === "invalid-name" && problem.range.start.line <= isSilent),
        ).toBe(true);
    }),
    { numRuns: runs(300, 3_000) },
  );
});

test("messages quote no value", () => {
  const secret = "s3cr3t-canary";
  const text = `A='${secret}\nB=${secret} # ${secret}\n${secret}\nC-D=${secret}\n${secret}Xq9=1\nE="x" ${secret}\nB=${secret}\0\nB=\n`;
  const { problems } = readEnvFile(text);
  expect(problems.length).toBeGreaterThan(6);
  for (const problem of problems) expect(JSON.stringify(problem)).not.toContain(secret);
});
