/** I7 (docs/contract/boxd-behaviours.md) through the hooks: what goes into a command and comes out of it is the same or refused, at the sizes where messages and parts end. */
import { createHash, randomBytes } from "node:crypto";
import { createCommandManagedRuntimeClient } from "@paperclipai/adapter-utils/command-managed-runtime";
import type { PluginEnvironmentLease } from "@paperclipai/plugin-sdk";
import { describe, expect, test } from "vitest";
import { scenarios, type Fault, type Strike } from "../../support/boxd-fake/index.ts";
import { commandRig, needsProcesses, skipWithoutProcesses, thrown, type Rig } from "./rig.ts";
import { BYTE_SIZES } from "../../support/byte-sizes.ts";

const MIB = 1024 * 1024;
const UPLOAD = "machines.files.upload";
const FILE = "/home/boxd/paperclip-workspace/it's a file";

/** `size` bytes of text, in which every 64 KiB differ and no character is half in it. */
function text(size: number): string {
  const bytes = randomBytes(Math.ceil(size * 0.75))
    .toString("base64")
    .slice(0, size);
  return size < 8 ? bytes : `${bytes.slice(0, size - 7)}\n'$€`.padEnd(size - 2, "x");
}

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The host's file client over the hooks; `single`: whole files in one command's input. */
function bridge(rig: Rig, lease: PluginEnvironmentLease, single: boolean) {
  return createCommandManagedRuntimeClient({
    commandCwd: "/home/boxd/paperclip-workspace",
    timeoutMs: 60_000,
    shellCommand: "sh",
    runner: {
      ...(single ? { supportsSingleStreamStdinProgress: true } : {}),
      async execute({ command, args, cwd, stdin, timeoutMs }) {
        const more = {
          ...(cwd === undefined ? {} : { cwd }),
          ...(stdin === undefined ? {} : { stdin }),
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        };
        const result = await rig.execute(lease, command, args ?? [], more);
        return { ...result, signal: result.signal ?? null, pid: null, startedAt: null };
      },
    },
  });
}

/** A call that runs the command itself, not the driver's own small scripts. */
const isRun = (args: readonly unknown[]): boolean => (args[1] as { command: string }).command.includes("setsid");

describe.skipIf(skipWithoutProcesses)(`I7 bytes through the hooks${needsProcesses}`, () => {
  test.each(BYTE_SIZES)(
    "I7 input of %i bytes arrives as it is, and comes back on both streams as it is",
    async (size) => {
      await using rig = commandRig();
      const { lease } = await rig.leased();
      const stdin = text(size);
      expect(Buffer.byteLength(stdin)).toBe(size);
      const result = await rig.execute(lease, "sh", ["-c", "cat >arrived; cat arrived; cat arrived >&2; exit 7"], {
        stdin,
      });
      expect([result.exitCode, result.stdout.length, result.stderr.length]).toEqual([7, stdin.length, stdin.length]);
      expect([result.stdout, result.stderr].map(sha256)).toEqual([sha256(stdin), sha256(stdin)]);
      expect((await rig.execute(lease, "sha256sum", ["arrived"])).stdout).toContain(sha256(stdin));
    },
  );

  const ways = [
    ...BYTE_SIZES.map((size): [number, boolean] => [size, false]),
    ...[0, 3 * MIB + 1, 5 * MIB].map((size): [number, boolean] => [size, true]),
  ];
  test.each(ways)(
    "I7 a file of %i bytes over the host's base64 bridge (in one input: %s), there and back",
    async (size, single) => {
      await using rig = commandRig();
      const { lease } = await rig.leased();
      const sent = randomBytes(size);
      const client = bridge(rig, lease, single);
      await client.writeFile(FILE, Uint8Array.from(sent).buffer);
      expect((await rig.execute(lease, "sha256sum", [FILE])).stdout).toContain(sha256(sent));
      expect(sha256(Buffer.from((await client.readFile(FILE)) as Uint8Array))).toBe(sha256(sent));
    },
  );

  /** The file on the machine really lacks its end; the answer says so, or claims that it does not. */
  const shortened = (rig: Rig, claims: boolean, strike: Strike): Fault => ({
    ...strike,
    method: UPLOAD,
    change: (written, [id, path, bytes]) => {
      rig.plane.find(id as string).upload(path as string, (bytes as Uint8Array).subarray(0, -1));
      return claims ? written : (written as number) - 1;
    },
  });
  const passing: [string, (rig: Rig) => Fault][] = [
    ["an upload that reports too few bytes", () => scenarios.shortUpload({ nth: 2 })],
    ["an upload that wrote too few bytes and says so", (rig) => shortened(rig, false, { nth: 2 })],
    ["a refused upload", () => scenarios.refused(UPLOAD, 14, "unavailable", { nth: 2 })],
    ["a lost answer (4) of an upload", () => scenarios.answerLost(UPLOAD, 4, { nth: 2 })],
    ["a lost answer (14) of an upload", () => scenarios.answerLost(UPLOAD, 14, { nth: 2 })],
    [
      "a machine that was stopped meanwhile",
      () => scenarios.refused("machines.exec", 9, "VM is stopped: start it first", { where: isRun }),
    ],
  ];
  test.each(passing)("I7 input of two parts survives %s", async (_name, fault) => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    const stdin = text(3 * MIB + 1);
    rig.plane.faults.inject(fault(rig));
    const { stdout } = await rig.execute(lease, "cat", [], { stdin });
    expect(sha256(stdout)).toBe(sha256(stdin));
    expect(rig.plane.faults.unused()).toEqual([]);
  });

  const lasting: [string, (rig: Rig) => Fault][] = [
    ["uploads that always report too few bytes", () => scenarios.shortUpload({ nth: 2, times: Infinity })],
    ["an upload that wrote too few bytes and claims all of them", (rig) => shortened(rig, true, { nth: 2 })],
    ["uploads whose answers are always lost", () => scenarios.answerLost(UPLOAD, 14, { nth: 2, times: Infinity })],
  ];
  test.each(lasting)("I7 nothing runs on input that did not arrive: %s", async (_name, fault) => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    rig.plane.faults.inject(fault(rig));
    await thrown(rig.execute(lease, "sh", ["-c", "cat >ran"], { stdin: text(3 * MIB + 1) }));
    expect(rig.plane.faults.unused()).toEqual([]);
    rig.plane.faults.clear();
    expect((await rig.execute(lease, "ls")).stdout).toBe("");
  });

  const CAP = 4 * MIB;
  test.each(BYTE_SIZES)(
    "I7 %i bytes of output on a line that loses what is above 4 MiB: a true beginning, and said to be one",
    async (size) => {
      await using rig = commandRig({ plane: { quirks: { outputCap: CAP } } });
      const { lease } = await rig.leased();
      const stdin = "0123456789abcdef".repeat(Math.ceil(size / 16)).slice(0, size);
      for (const stream of ["stdout", "stderr"] as const) {
        const result = await rig.execute(lease, "sh", ["-c", stream === "stdout" ? "cat; exit 7" : "cat >&2; exit 7"], {
          stdin,
        });
        expect(sha256(result[stream]), stream).toBe(sha256(stdin.slice(0, CAP)));
        // On standard error the runner's own last line has to fit as well.
        const isSaid = size >= CAP && (stream === "stderr" || size > CAP);
        expect({ exitCode: result.exitCode, metadata: result.metadata }, stream).toEqual({
          exitCode: 7,
          metadata: isSaid ? { outputCut: true } : undefined,
        });
      }
    },
  );

  test("I7 output that lacks its last byte is said to be cut; half a character is not hidden by what it is read as", async () => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    const cut = (bytes: number): void => {
      rig.plane.faults.inject(scenarios.outputCut(bytes, { where: isRun }));
    };
    cut(4);
    expect(await rig.execute(lease, "printf", ["12345"])).toMatchObject({
      exitCode: 0,
      stdout: "1234",
      metadata: { outputCut: true },
    });
    cut(4);
    expect(await rig.execute(lease, "printf", ["€€€"])).toMatchObject({ exitCode: 0, metadata: { outputCut: true } });
    expect(await rig.execute(lease, "sh", ["-c", "printf 12345; sleep 300"], { timeoutMs: 1_000 })).toMatchObject({
      timedOut: true,
      stdout: "12345",
      stderr: "",
      metadata: { groupGone: true },
    });
    expect(await rig.execute(lease, "sh", ["-c", "printf '\\377\\376'; printf '\\377' >&2"])).toEqual({
      exitCode: 0,
      signal: null,
      timedOut: false,
      stdout: "��",
      stderr: "�",
    });
  });

  test("I7 a file that comes back short over the bridge is an error of the bridge, not a file", async () => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    const client = bridge(rig, lease, false);
    const sent = randomBytes(5 * MIB);
    await client.writeFile(FILE, Uint8Array.from(sent).buffer);
    rig.plane.quirks.outputCap = CAP;
    expect((await thrown(client.readFile(FILE))).message).toContain("truncated");
  });

  test("I7 a lost answer of one of the bridge's commands fails the file, never doubles a part of it; asked again it is whole", async () => {
    await using rig = commandRig();
    const { lease } = await rig.leased();
    const client = bridge(rig, lease, false);
    const sent = randomBytes(5 * MIB);
    for (const nth of [1, 2, 3, 4]) {
      rig.plane.faults.inject(scenarios.answerLost("machines.exec", 14, { where: isRun, nth }));
      await thrown(client.writeFile(FILE, Uint8Array.from(sent).buffer));
      expect(rig.plane.faults.unused()).toEqual([]);
      rig.plane.faults.clear();
      await client.writeFile(FILE, Uint8Array.from(sent).buffer);
      expect(sha256(Buffer.from((await client.readFile(FILE)) as Uint8Array))).toBe(sha256(sent));
    }
    expect(await client.listFiles(FILE.slice(0, FILE.lastIndexOf("/")))).toEqual(["it's a file"]);
  }, 120_000);
});
