import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readActionInputs } from "../../src/action/inputs.ts";
import { actionErrors } from "../support/github-parser.ts";

const TREE = join(import.meta.dirname, "../../scripts/release-tree/gate");
const TEXT = readFileSync(join(TREE, "action.yml"), "utf8");
const ACTION = parse(TEXT);

describe("action.yml", () => {
  test("is what GitHub's own parser takes", () => {
    expect(actionErrors(TEXT)).toEqual([]);
    expect(actionErrors(TEXT.replace("node24", "node42")), "the parser sees a fault").not.toEqual([]);
    expect(actionErrors(TEXT.replace("  using:", "  usin:"))).not.toEqual([]);
  });

  test("names the inputs that are read, each with its default", () => {
    const asked = new Set<string>();
    const env = new Proxy<{ [name: string]: string | undefined }>(
      {},
      {
        get(_, name) {
          asked.add(String(name));
          return undefined;
        },
      },
    );
    const unset = readActionInputs(env);
    const names = Object.keys(ACTION.inputs);
    expect([...asked].sort()).toEqual(names.map((name) => `INPUT_${name.toUpperCase()}`).sort());
    const defaults = Object.entries(ACTION.inputs as { [name: string]: { default: string } });
    const set = Object.fromEntries(defaults.map(([name, input]) => [`INPUT_${name.toUpperCase()}`, input.default]));
    expect(readActionInputs(set)).toEqual(unset);
    for (const [name, { default: value }] of defaults) expect(typeof value, name).toBe("string");
  });
});

const CASES: readonly (readonly [title: string, env: { readonly [name: string]: string }, expected: object])[] = [
  ["blanks around a value", { INPUT_RELEASE: "  0.1.6\n" }, { release: "0.1.6" }],
  ["a hyphen in a name", { "INPUT_ENV-FILE": "ci.env" }, { envFile: "ci.env" }],
  ["several paths", { INPUT_PATH: "a\r\n\n  b/c  \n" }, { paths: ["a", "b/c"] }],
  ...["true", "True", "TRUE"].map((word) => [word, { INPUT_STRICT: word }, { strict: true }] as const),
  ...["false", "False", "FALSE", ""].map((word) => [`"${word}"`, { INPUT_STRICT: word }, { strict: false }] as const),
];

describe("inputs", () => {
  test.each(CASES)("%s", (_, env, expected) => {
    expect(readActionInputs(env)).toMatchObject(expected);
  });

  test.each([
    ["no switch", { INPUT_STRICT: "yes" }, "the input `strict` is neither true nor false"],
    ["no switch either", { "INPUT_RENDER-CHECK": "tRUE" }, "the input `render-check` is neither true nor false"],
    ["no target", { INPUT_TARGET: "dokcer" }, "(did you mean docker?)"],
    ["stdin, which a step has not", { INPUT_PATH: "-" }, "the input `path` names no path"],
  ])("that are wrong are refused: %s", (_, env, says) => {
    expect(() => readActionInputs(env)).toThrow(says);
  });
});
