import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readNamedFile } from "../../src/workspace/read-pipe.ts";

/** For a pipe that nobody writes into. */
const WAITS = { writerMs: 200, silentMs: 5_000 };
/** For one that has a writer, however slow the machine is. */
const PATIENT = { writerMs: 120_000, silentMs: 120_000 };

describe.skipIf(process.platform === "win32")("an env file from a pipe", () => {
  let directory: string;
  let pipe: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "qm-pipe-"));
    pipe = join(directory, "pipe");
    execFileSync("mkfifo", [pipe]);
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const write = (script: string): void => void spawn("sh", ["-c", script, "sh", pipe], { stdio: "ignore" });

  test("is read to its end, once for all who ask, also while its writer takes its time", () => {
    write('{ printf A=1; sleep 0.3; printf "\\nB=2\\n"; } > "$1"');
    const cache = new Map();
    const read = readNamedFile(pipe, "pipe", cache, PATIENT);
    expect(read.file).toEqual({ file: "pipe", text: "A=1\nB=2\n", mode: null });
    expect(readNamedFile(pipe, "pipe", cache, WAITS)).toBe(read);
  });

  test("has the limit of every file", () => {
    write('yes | head -c 3000000 > "$1"');
    const read = readNamedFile(pipe, "pipe", new Map(), PATIENT);
    expect(read.problem?.rule).toBe("input/too-large");
  });

  test("is given up where nobody writes into it", () => {
    expect(readNamedFile(pipe, "pipe", new Map(), WAITS).problem?.rule).toBe("input/unreadable");
  });

  test("is refused where its text cannot be kept, and the help says what takes it", () => {
    const read = readNamedFile(pipe, "pipe", null);
    expect(read.problem).toMatchObject({ rule: "input/not-a-file", help: expect.stringContaining("-e <(") });
  });

  test("a file is read as any other, each time anew", () => {
    const file = join(directory, "file");
    const cache = new Map();
    for (const text of ["A=1\n", "A=2\n"]) {
      writeFileSync(file, text);
      expect(readNamedFile(file, "file", cache).file?.text).toBe(text);
    }
  });
});
