import { describe, expect, test } from "vitest";
import { exactly, foreign, joined, judged, lines, ours, plainText, shown, shownJson } from "../../src/base/shown.ts";

const SECRET = "zq739c8e221f862bdb8";
const KEY = `ghp_${"aB3dE6gH9j".repeat(4)}`;

describe("text that may leave the program", () => {
  test("keeps our own words, and masks and escapes what is put between them", () => {
    expect(shown`a ${"b\n::error::c"}\n${SECRET} is ${4}\n`.text).toBe("a b\\n::error::c\n[hidden] is 4\n");
    expect(shown`${shown`kept: ${SECRET}`} and ${ours("\u001b[1mbold\u001b[0m")}`.text).toBe(
      "kept: [hidden] and \u001b[1mbold\u001b[0m",
    );
  });

  test("a file's name is shown, unless it is a key", () => {
    expect(plainText(`previews/pr-1-${SECRET}/x`).text).toBe(`previews/pr-1-${SECRET}/x`);
    expect(plainText(`a/${KEY}/b\u001b`).text).toBe("a/[hidden]/b\\x1b");
  });

  test("what was judged is not masked again", () => {
    expect(judged(`${SECRET}\u001b`).text).toBe(`${SECRET}\\x1b`);
    expect(foreign(judged(SECRET)).text).toBe(SECRET);
  });

  test("a line end between lines is ours alone", () => {
    expect(lines(["a\nb", ours("c")]).text).toBe("a\\nb\nc\n");
    expect(joined(["a", "b"], ours("\n")).text).toBe("a\nb");
    expect(joined(["a", "b"], "\n").text).toBe("a\\nb");
  });
});

test("JSON is masked in its values and keys, but for files, what was judged and what is wanted exactly", () => {
  const object = {
    file: `d/${SECRET}`,
    [SECRET]: { list: [SECRET, 1, null, true] },
    judged: judged(`${SECRET}\u001b`),
    exact: exactly({ [SECRET]: "\u001b" }),
    none: undefined,
  };
  const { text } = shownJson(object);
  expect(text).not.toContain("\u001b");
  expect(JSON.parse(text)).toEqual({
    file: `d/${SECRET}`,
    "[hidden]": { list: ["[hidden]", 1, null, true] },
    judged: `${SECRET}\u001b`,
    exact: { [SECRET]: "\u001b" },
  });
});
