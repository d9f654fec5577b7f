import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ours } from "../../src/base/shown.ts";
import { directOutput } from "../../src/cli/direct-output.ts";
import { BIN, plainEnv, ROOT, runCli } from "./built.ts";

/** Reads a program's output through a pipe that refuses what does not fit, slowly; prints it. */
const SLOW_READER = `
import fcntl, os, subprocess, sys, time
read, write = os.pipe()
fcntl.fcntl(write, fcntl.F_SETFL, fcntl.fcntl(write, fcntl.F_GETFL) | os.O_NONBLOCK)
program = subprocess.Popen(sys.argv[1:], stdout=write)
os.close(write)
time.sleep(0.3)
while True:
    part = os.read(read, 3000)
    if not part: break
    sys.stdout.buffer.write(part)
sys.exit(program.wait())
`;

const LONG = ["check", "test/cases", "--format", "json"];

describe("output that goes straight to a pipe or a file", () => {
  test("all of it arrives through a pipe that takes only what fits", () => {
    const whole = runCli(LONG);
    const { status, stdout } = spawnSync("python3", ["-c", SLOW_READER, process.execPath, BIN, ...LONG], {
      cwd: ROOT,
      env: plainEnv(),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    expect(whole.stdout.length, "more than a pipe holds").toBeGreaterThan(200_000);
    expect([status, stdout === whole.stdout]).toEqual([whole.status, true]);
  });

  test("all of it arrives in a file, after what is there already", () => {
    const directory = mkdtempSync(join(tmpdir(), "qm-output-"));
    try {
      const file = join(directory, "out");
      spawnSync(
        "sh",
        ["-c", `echo before > "${file}"; "${process.execPath}" "${BIN}" check --format json >> "${file}"`],
        { cwd: ROOT, env: plainEnv() },
      );
      expect(readFileSync(file, "utf8")).toBe(`before\n${runCli(["check", "--format", "json"]).stdout}`);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  test("a fault is told once, and what comes after it is dropped", () => {
    const directory = mkdtempSync(join(tmpdir(), "qm-output-"));
    const descriptor = openSync(join(directory, "out"), "w");
    const heard: unknown[] = [];
    const output = directOutput(descriptor, (error, which) => heard.push([error.code, which === descriptor]));
    output?.write(ours("x"));
    closeSync(descriptor);
    output?.write(ours("y"));
    output?.write(ours("z"));
    expect(heard).toEqual([["EBADF", true]]);
    expect(readFileSync(join(directory, "out"), "utf8")).toBe("x");
    rmSync(directory, { recursive: true, force: true });
  });

  test("nothing else is taken for one", () => {
    const descriptor = openSync("/dev/null", "w");
    expect(directOutput(descriptor, () => undefined)).toBeNull();
    closeSync(descriptor);
    expect(directOutput(descriptor, () => undefined)).toBeNull();
  });

  test.skipIf(!existsSync("/dev/full"))(
    "the version is told of a full disk as everything else is, and of a reader that left not at all (where there is /dev/full)",
    () => {
      const run = (script: string): { status: number | null; stderr: string } =>
        spawnSync("bash", ["-c", script], { env: plainEnv(), encoding: "utf8" });
      const version = `"${process.execPath}" "${BIN}" --version`;
      expect(run(`${version} >/dev/full`)).toMatchObject({
        status: 2,
        stderr: "error: the output cannot be written (ENOSPC)\n",
      });
      expect(run(`(sleep 0.2; ${version}; echo "status $?" >&2) | true`)).toMatchObject({ stderr: "status 0\n" });
    },
  );
});
