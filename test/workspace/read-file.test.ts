import { execFileSync } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_TEXT_BYTES } from "../../src/diagnostics/input-problem.ts";
import { readTextFile } from "../../src/workspace/read-file.ts";
import { PERMISSIONS_COUNT, tempDirectory } from "./temp.ts";

function utf16(text: string, bigEndian: boolean): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
}

function read(content: string | Buffer) {
  return readTextFile(join(tempDirectory({ file: content }), "file"), "shown");
}

describe("text", () => {
  test.each([
    ["empty", ""],
    ["plain", "a\r\nb"],
    ["with a byte order mark, which stays", "\ufeff{}"],
    ["beyond the first plane", "漢🙂"],
    ["of the largest size", "x".repeat(MAX_TEXT_BYTES)],
  ])("%s", (_name, text) => {
    expect(read(text).file?.text).toBe(text);
  });
});

describe("what is no UTF-8 text names the encoding where it can", () => {
  test.each([
    ["UTF-16LE with mark", utf16("\ufeff{}", false), "UTF-16LE"],
    ["UTF-16BE with mark", utf16("\ufeff{}", true), "UTF-16BE"],
    ["UTF-16LE without mark", utf16("{}", false), "UTF-16LE"],
    ["UTF-16BE without mark", utf16("{}", true), "UTF-16BE"],
    ["UTF-32LE", Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), "UTF-32LE"],
    ["UTF-32BE", Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b]), "UTF-32BE"],
    ["Latin-1", Buffer.from([0x22, 0xe9, 0x22]), "not valid UTF-8"],
    ["an overlong form", Buffer.from([0xc0, 0xaf]), "not valid UTF-8"],
    ["an encoded surrogate", Buffer.from([0xed, 0xa0, 0x80]), "not valid UTF-8"],
  ])("%s", (_name, bytes, says) => {
    const { problem } = read(bytes);
    expect(problem).toMatchObject({ rule: "input/not-text", file: "shown", range: null });
    expect(problem?.message).toContain(says);
  });
});

test("one byte over the limit is too large", () => {
  expect(read("x".repeat(MAX_TEXT_BYTES + 1)).problem?.rule).toBe("input/too-large");
});

test("what is not there is missing, also below a file", () => {
  const root = tempDirectory({ file: "" });
  expect(readTextFile(join(root, "none"), "none").problem?.rule).toBe("input/missing");
  expect(readTextFile(join(root, "file", "none"), "none").problem?.rule).toBe("input/missing");
  expect(readTextFile(join(root, "qm.config.jsonc"), "a/qm.config.jsonc").problem).toMatchObject({
    rule: "input/missing",
    command: "qm-deploy init",
  });
});

test("a directory, a pipe and a device are refused without blocking", () => {
  const root = tempDirectory();
  execFileSync("mkfifo", [join(root, "pipe")]);
  for (const path of [root, join(root, "pipe"), "/dev/zero"])
    expect(readTextFile(path, "x").problem?.rule).toBe("input/not-a-file");
});

test("links are followed, also to a file elsewhere", () => {
  const root = tempDirectory({ "real/file": "text" });
  symlinkSync("real/file", join(root, "link"));
  expect(readTextFile(join(root, "link"), "link").file?.text).toBe("text");
});

test("the mode is that of the file", () => {
  const root = tempDirectory({ file: "" });
  chmodSync(join(root, "file"), 0o640);
  expect(readTextFile(join(root, "file"), "file").file?.mode).toBe(0o640);
});

test.skipIf(!PERMISSIONS_COUNT)(
  "a file without permission is unreadable (skipped as root, whom no permission stops)",
  () => {
    const root = tempDirectory({ file: "" });
    chmodSync(join(root, "file"), 0);
    expect(readTextFile(join(root, "file"), "file").problem?.rule).toBe("input/unreadable");
  },
);
