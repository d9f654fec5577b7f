import fs, {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeFileAtomically, WriteRefused } from "../../src/workspace/write-file.ts";
import { makeReadOnly, PERMISSIONS_COUNT, tempDirectory } from "./temp.ts";

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function withUmask(umask: number): void {
  const before = process.umask(umask);
  onTestFinished(() => void process.umask(before));
}

describe("content and mode", () => {
  test.each([0o000, 0o022, 0o077])("a new file has 0666 less the umask %o, a secret one 0600", (umask) => {
    const root = tempDirectory();
    withUmask(umask);
    writeFileAtomically("plain", "text", { root });
    writeFileAtomically("secret", "text", { root, secret: true });
    writeFileAtomically("script", "text", { root, mode: 0o755 });
    expect(["plain", "secret", "script"].map((name) => modeOf(join(root, name)))).toEqual([
      0o666 & ~umask,
      0o600,
      0o755 & ~umask,
    ]);
  });

  test.each([0o000, 0o022, 0o077])("an existing file keeps its mode under umask %o, unless it is secret", (umask) => {
    const root = tempDirectory({ a: "old", b: "old" });
    for (const name of ["a", "b"]) chmodSync(join(root, name), 0o644);
    withUmask(umask);
    writeFileAtomically("a", "new", { root });
    writeFileAtomically("b", "new", { root, secret: true });
    expect([modeOf(join(root, "a")), modeOf(join(root, "b"))]).toEqual([0o644, 0o600]);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("new");
  });

  test("missing directories are made, bytes are kept, nothing is left over", () => {
    const root = tempDirectory();
    const bytes = Buffer.from([0, 255, 10]);
    writeFileAtomically("a/b/c", bytes, { root });
    expect(readFileSync(join(root, "a/b/c"))).toEqual(bytes);
    expect(readdirSync(join(root, "a/b"))).toEqual(["c"]);
  });

  test("another name of the old file keeps the old content", () => {
    const root = tempDirectory({ a: "old" });
    linkSync(join(root, "a"), join(root, "b"));
    writeFileAtomically("a", "new", { root });
    expect(readFileSync(join(root, "b"), "utf8")).toBe("old");
  });
});

describe("refusals leave everything as it was", () => {
  test("a link, also a dangling one, is neither followed nor replaced", () => {
    const root = tempDirectory({ target: "old" });
    symlinkSync("target", join(root, "link"));
    symlinkSync("nowhere", join(root, "dangling"));
    for (const name of ["link", "dangling"])
      expect(() => writeFileAtomically(name, "new", { root })).toThrow(WriteRefused);
    expect(readFileSync(join(root, "target"), "utf8")).toBe("old");
    expect(readlinkSync(join(root, "link"))).toBe("target");
    expect(readdirSync(root).sort()).toEqual(["dangling", "link", "target"]);
  });

  test("a linked directory on the way", () => {
    const root = tempDirectory({ "inside/x": "" });
    const elsewhere = tempDirectory();
    symlinkSync(elsewhere, join(root, "out"));
    expect(() => writeFileAtomically("out/file", "new", { root })).toThrow(/symbolic link/);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test.each(["../x", "/etc/x", "a/../../x", "."])("a path outside, or the root itself: %s", (path) => {
    const root = join(tempDirectory(), "root");
    mkdirSync(root);
    expect(() => writeFileAtomically(path, "new", { root })).toThrow(WriteRefused);
  });

  test("a root that is reached through a link is fine", () => {
    const root = tempDirectory({ "real/x": "" });
    symlinkSync("real", join(root, "alias"));
    writeFileAtomically("file", "new", { root: join(root, "alias") });
    writeFileAtomically(join(root, "alias", "other"), "new", { root: join(root, "alias") });
    expect(readdirSync(join(root, "real")).sort()).toEqual(["file", "other", "x"]);
  });

  test("a directory, and a file where a directory should be", () => {
    const root = tempDirectory({ "directory/x": "", file: "" });
    expect(() => writeFileAtomically("directory", "new", { root })).toThrow(/no regular file/);
    expect(() => writeFileAtomically("file/x", "new", { root })).toThrow(/no directory/);
  });

  test("a file that is not what was expected", () => {
    const root = tempDirectory({ a: "theirs" });
    expect(() => writeFileAtomically("a", "ours", { root, expected: "before" })).toThrow(/changed meanwhile/);
    expect(() => writeFileAtomically("a", "ours", { root, expected: null })).toThrow(/changed meanwhile/);
    writeFileAtomically("a", "ours", { root, expected: "theirs" });
    writeFileAtomically("b", "ours", { root, expected: null });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("ours");
  });

  test("a file that somebody saves while the new content is written", () => {
    const root = tempDirectory({ a: "before", c: "" });
    const whileSyncing = (change: () => void): void => {
      const { fsyncSync } = fs;
      fs.fsyncSync = (descriptor) => {
        change();
        fsyncSync(descriptor);
      };
      syncBuiltinESMExports();
      onTestFinished(() => {
        fs.fsyncSync = fsyncSync;
        syncBuiltinESMExports();
      });
    };
    whileSyncing(() => {
      for (const name of ["a", "b"]) writeFileSync(join(root, name), "theirs");
    });
    expect(() => writeFileAtomically("a", "ours", { root, expected: "before" })).toThrow(/changed meanwhile/);
    rmSync(join(root, "b"));
    expect(() => writeFileAtomically("b", "ours", { root, expected: null, secret: true })).toThrow(/changed meanwhile/);
    expect(["a", "b"].map((name) => readFileSync(join(root, name), "utf8"))).toEqual(["theirs", "theirs"]);
    expect(readdirSync(root)).toEqual(["a", "b", "c"]);
  });

  test.skipIf(!PERMISSIONS_COUNT)("a read-only directory (skipped as root, whom no permission stops)", () => {
    const root = tempDirectory({ a: "old" });
    makeReadOnly(root);
    expect(() => writeFileAtomically("a", "new", { root })).toThrow(/EACCES/);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("old");
  });
});
