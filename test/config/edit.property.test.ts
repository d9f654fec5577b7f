import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyChanges, type EditResult } from "../../src/config/edit.ts";
import { inOneOrder } from "../../src/config/edit/independence.ts";
import { equalValues, expectedValue } from "../../src/config/edit/json-value.ts";
import { parseDocument } from "../../src/config/parse.ts";
import type { ConfigPath } from "../../src/base/config-path.ts";
import type { JsonValue } from "../../src/base/json.ts";
import type { ValueChange } from "../../src/diagnostics/diagnostic.ts";
import { layouts, renderCommented, trees } from "./commented-documents.ts";
import { runs } from "../support/runs.ts";

const scalars: fc.Arbitrary<JsonValue> = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const values: fc.Arbitrary<JsonValue> = fc.oneof(
  scalars,
  fc.dictionary(fc.constantFrom("p", "q", "r s"), scalars),
  fc.array(scalars, { maxLength: 3 }),
);

function valueOf(text: string): JsonValue {
  return parseDocument({ file: "f", text }).value([]) as JsonValue;
}

function pathsOf(value: JsonValue, path: ConfigPath = []): ConfigPath[] {
  if (value === null || typeof value !== "object") return [path];
  const children = Array.isArray(value) ? value.map((item, at) => [at, item] as const) : Object.entries(value);
  return [path, ...children.flatMap(([step, child]) => pathsOf(child as JsonValue, [...path, step]))];
}

/** A change that fits the value, chosen by numbers. */
function pick(value: JsonValue, seed: { kind: number; at: number; value: JsonValue; key: string }): ValueChange | null {
  const paths = pathsOf(value).slice(1);
  const path = paths[seed.at % Math.max(paths.length, 1)];
  if (path === undefined || seed.kind === 0) {
    const objects = pathsOf(value).filter((candidate) => isContainer(at(value, candidate)));
    const parent = objects[seed.at % objects.length] as ConfigPath;
    const holder = at(value, parent);
    return { kind: "set", path: [...parent, Array.isArray(holder) ? holder.length : seed.key], value: seed.value };
  }
  if (seed.kind === 1) return { kind: "set", path, value: seed.value };
  if (seed.kind === 2 || typeof path.at(-1) === "number") return { kind: "remove", path };
  return { kind: "rename", path, key: seed.key };
}

function at(value: JsonValue, path: ConfigPath): JsonValue {
  return path.reduce<JsonValue>(
    (node, step) => (node as { [key: string | number]: JsonValue })[step] as JsonValue,
    value,
  );
}

function isContainer(value: JsonValue): boolean {
  return value !== null && typeof value === "object";
}

const seeds = fc.record({
  kind: fc.nat(3),
  at: fc.nat(1000),
  value: values,
  key: fc.constantFrom("new", "n w", "x-y", "k1", "ünï"),
});

describe("edits of documents in every layout", () => {
  test("the value read back is the value set, after any sequence of edits", () => {
    let made = 0;
    fc.assert(
      fc.property(trees, layouts, fc.array(seeds, { minLength: 1, maxLength: 6 }), (tree, layout, steps) => {
        let text = renderCommented(tree, layout).text;
        for (const seed of steps) {
          const before = valueOf(text);
          const change = pick(before, seed);
          if (change === null) continue;
          const expected = expectedValue(before, [change]);
          const result = applyChanges(text, [change]);
          if (expected === undefined) {
            expect(result.ok).toBe(false);
            continue;
          }
          expect(result, `${JSON.stringify(change)}\n${text}`).toMatchObject({ ok: true });
          if (!result.ok) return;
          expect(equalValues(valueOf(result.text), expected)).toBe(true);
          expect(parseDocument({ file: "f", text: result.text }).diagnostics).toEqual([]);
          text = result.text;
          made++;
        }
      }),
      { numRuns: runs(150, 1_500) },
    );
    // Most random edits must really be made, else the property says nothing.
    expect(made).toBeGreaterThan(runs(200, 2_000));
  });

  test("changes made together leave what they leave one after another", () => {
    let made = 0;
    fc.assert(
      fc.property(trees, layouts, fc.array(seeds, { minLength: 2, maxLength: 8 }), (tree, layout, steps) => {
        const { text } = renderCommented(tree, layout);
        const picked = steps.flatMap((seed) => pick(valueOf(text), seed) ?? []);
        const removals = picked.filter(({ kind }) => kind === "remove");
        const others = picked.filter(({ kind }) => kind !== "remove");
        for (const changes of [picked, others, inOneOrder(removals.map((change) => [change]))]) {
          const result = applyChanges(text, changes);
          const single = changes.reduce<EditResult>(
            (before, change) => (before.ok ? applyChanges(before.text, [change]) : before),
            { ok: true, text },
          );
          expect(result.ok ? result.text : null, `${JSON.stringify(changes)}\n${text}`).toBe(
            single.ok ? single.text : null,
          );
          if (result.ok && changes.length > 1) made++;
        }
      }),
      { numRuns: runs(150, 1_500) },
    );
    expect(made).toBeGreaterThan(runs(100, 1_000));
  });

  test("a byte order mark, line ends and indentation stay what they were", () => {
    fc.assert(
      fc.property(trees, layouts, seeds, (tree, layout, seed) => {
        const { text } = renderCommented(tree, layout);
        const change = pick(valueOf(text), seed);
        if (change === null) return;
        const result = applyChanges(text, [change]);
        if (!result.ok) return;
        expect(result.text.startsWith("\ufeff")).toBe(layout.bom);
        const breaks = new Set(result.text.match(/\r\n|\r|\n/g) ?? []);
        expect([...breaks].filter((found) => found !== layout.eol)).toEqual([]);
        if (layout.kind === "pretty" && layout.unit === "\t") expect(result.text).not.toMatch(/^ +"/m);
        if (layout.kind !== "pretty")
          expect(result.text.match(/\r\n|\r|\n/g) ?? []).toEqual(text.match(/\r\n|\r|\n/g) ?? []);
      }),
      { numRuns: runs(100, 1_000) },
    );
  });

  test("every line that holds nothing of the changed member is there as it was, in order", () => {
    fc.assert(
      fc.property(trees, layouts, seeds, (tree, layout, seed) => {
        if (layout.kind !== "pretty") return;
        const { text } = renderCommented(tree, layout);
        const document = parseDocument({ file: "f", text });
        const change = pick(valueOf(text), seed);
        if (change === null) return;
        const result = applyChanges(text, [change]);
        if (!result.ok) return;
        const touched = touchedLines(text, document, change);
        const kept = text.split(layout.eol).filter((_, line) => !touched.has(line));
        expect(
          isSubsequence(kept, result.text.split(layout.eol)),
          `${JSON.stringify(change)}\n${text}\n---\n${result.text}`,
        ).toBe(true);
      }),
      { numRuns: runs(150, 1_500) },
    );
  });

  test("every comment that names a member stays beside it, and only a removed member takes its own along", () => {
    fc.assert(
      fc.property(trees, layouts, seeds, (tree, layout, seed) => {
        const { text, comments } = renderCommented(tree, layout);
        const before = valueOf(text);
        const change = pick(before, seed);
        if (change === null) return;
        const result = applyChanges(text, [change]);
        if (!result.ok) return;
        for (const comment of comments) {
          const owner = comment.owner;
          const isGone =
            isBelow(owner, change.path) &&
            (change.kind === "remove" || (change.kind === "set" && owner.length > change.path.length));
          if (change.kind === "remove" && isGone)
            expect(result.text, `${comment.text} ${JSON.stringify(change)}\n${text}`).not.toContain(comment.text);
          const isItem = change.kind === "remove" && typeof change.path.at(-1) === "number";
          if (isGone || (isItem && isBelow(owner, change.path.slice(0, -1)))) continue;
          const where = besideOf(result.text, comment.text);
          const now =
            change.kind === "rename" && isBelow(owner, change.path)
              ? [...change.path.slice(0, -1), change.key, ...owner.slice(change.path.length)]
              : owner;
          expect(where, `${comment.text} ${JSON.stringify(change)}\n${text}\n---\n${result.text}`).toContain(
            JSON.stringify(now),
          );
        }
      }),
      { numRuns: runs(150, 1_500) },
    );
  });
});

function isBelow(path: ConfigPath, above: ConfigPath): boolean {
  return above.every((step, index) => path[index] === step);
}

/** Paths of the members that a comment stands right above or on whose last line it ends. */
function besideOf(text: string, comment: string): string[] {
  const document = parseDocument({ file: "f", text });
  const at = text.indexOf(comment);
  expect(at, `lost: ${comment}\n${text}`).toBeGreaterThanOrEqual(0);
  const lineOf = (offset: number): number => text.slice(0, offset).split(/\r\n|\r|\n/).length;
  const line = lineOf(at);
  const end = at + comment.length;
  return pathsOf(document.value([]) as JsonValue)
    .slice(1)
    .filter((path) => {
      const key = document.keyRange(path);
      const value = document.valueRange(path);
      const above =
        key.start.offset > end &&
        /^[\s]*$/.test(text.slice(end, key.start.offset)) &&
        key.start.line <= lineOf(end) + 1;
      return (
        above ||
        (value.end.line === line &&
          value.end.offset <= at &&
          /^[\s,]*$/.test(text.slice(value.end.offset, at).replace(/\/\*.*?\*\//g, "")))
      );
    })
    .map((path) => JSON.stringify(path));
}

/** Line numbers from 0 that an edit may touch: those of the member with its comments, and the one that may get or lose a comma. */
function touchedLines(text: string, document: ReturnType<typeof parseDocument>, change: ValueChange): Set<number> {
  const lines = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let line = from; line <= to; line++) lines.add(line - 1);
  };
  if (document.node(change.path) !== undefined) {
    const key = document.keyRange(change.path);
    const value = document.valueRange(change.path);
    add(key.start.line, value.end.line);
    if (change.kind === "remove") {
      const all = text.split(/\r\n|\r|\n/);
      for (let line = key.start.line - 1; line >= 1 && /^\s*(\/\/|\/\*)/.test(all[line - 1] as string); line--)
        lines.add(line - 1);
    }
  }
  const parent = document.node(deepestExisting(document, change.path));
  if (parent?.kind === "object" || parent?.kind === "array") {
    const ends =
      parent.kind === "object"
        ? parent.members.map(({ keySpan, value }) => value?.end ?? keySpan.end)
        : parent.items.map(({ end }) => end);
    for (const offset of [...ends.slice(-2), parent.start]) add(lineAt(text, offset), lineAt(text, offset));
  }
  return lines;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}

function deepestExisting(document: ReturnType<typeof parseDocument>, path: ConfigPath): ConfigPath {
  for (let length = path.length - 1; length > 0; length--)
    if (document.node(path.slice(0, length)) !== undefined) return path.slice(0, length);
  return [];
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (at < part.length && line === part[at]) at++;
  return at === part.length;
}
