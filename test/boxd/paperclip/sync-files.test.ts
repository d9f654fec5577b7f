import { randomBytes } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { buffer } from "node:stream/consumers";
import { join } from "node:path";
import type { PluginEnvironmentLease, PluginSyncOperation } from "@paperclipai/plugin-sdk";
import { pack, type Header } from "tar-stream";
import { describe, expect, test } from "vitest";
import { packDirectory, unpackDirectory } from "../../../src/boxd/paperclip/archive.ts";
import { scenarios, untilNoneRuns } from "../../support/boxd-fake/index.ts";
import { BYTE_SIZES } from "../../support/byte-sizes.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { commandRig, needsProcesses, skipWithoutProcesses, thrown, type Rig } from "./rig.ts";

const MIB = 1024 * 1024;
const WORK = "/home/boxd/paperclip-workspace";

type Files = PluginSyncOperation["files"];

/** A lease whose machine runs, and the two calls on it. */
async function withLease(
  use: (at: {
    rig: Rig;
    lease: PluginEnvironmentLease;
    /** the machine's directory for the run, as this computer sees it */
    work: string;
    bring: (files: Files, more?: Partial<PluginSyncOperation>) => ReturnType<Rig["hooks"]["onEnvironmentSyncIn"]>;
    take: (files: Files) => ReturnType<Rig["hooks"]["onEnvironmentSyncOut"]>;
  }) => Promise<void>,
  tools: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using rig = commandRig({ plane: { tools } });
  const { lease, machine } = await rig.leased();
  const params = (files: Files, more: Partial<PluginSyncOperation> = {}) => ({
    ...rig.base,
    lease,
    operations: [{ operationId: "op-1", files, ...more }],
  });
  await use({
    rig,
    lease,
    work: join(machine.disk.home, "paperclip-workspace"),
    bring: (files, more) => rig.hooks.onEnvironmentSyncIn(params(files, more)),
    take: (files) => rig.hooks.onEnvironmentSyncOut(params(files)),
  });
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

describe.skipIf(skipWithoutProcesses)(`files of a run${needsProcesses}`, () => {
  test("P34 a file goes in with its mode, and comes out with its mode, byte for byte", () =>
    withLease(async ({ work, bring, take }) => {
      const content = Buffer.alloc(4 * 1024 * 1024 + 1, "\0ü\xff");
      const host = tempDirectory({ in: content });
      const [source, target] = [join(host, "in"), join(host, "out")];
      const brought = await bring([{ sourcePath: source, targetPath: `${WORK}/a/key`, kind: "file", mode: 0o600 }]);
      expect(brought).toEqual({
        operations: [{ operationId: "op-1", filesTransferred: 1, bytesTransferred: content.length }],
      });
      expect(readFileSync(join(work, "a/key")).equals(content)).toBe(true);
      expect(modeOf(join(work, "a/key"))).toBe("600");
      await take([{ sourcePath: `${WORK}/a/key`, targetPath: target, kind: "file", mode: 0o640 }]);
      expect(readFileSync(target).equals(content)).toBe(true);
      expect(modeOf(target)).toBe("640");
      expect(readdirSync(host).sort()).toEqual(["in", "out"]);
      expect(readdirSync(join(work, "a"))).toEqual(["key"]);
    }));

  test.each(BYTE_SIZES)("I7 %i bytes in and out, through lost answers and refused calls", (size) =>
    withLease(async ({ rig, bring, take }) => {
      const host = tempDirectory({ in: randomBytes(size) });
      const mapping = { targetPath: `${WORK}/f`, kind: "file" } as const;
      // Of no bytes none are sent.
      if (size > 0) rig.plane.faults.inject(scenarios.answerLost("machines.files.upload", 14, { nth: 1 }));
      await bring([{ sourcePath: join(host, "in"), ...mapping }]);
      if (size > 0 && size <= 3 * MIB)
        rig.plane.faults.inject(scenarios.refused("machines.files.download", 14, "unavailable", { nth: 1 }));
      await take([{ sourcePath: `${WORK}/f`, targetPath: join(host, "out"), kind: "file" }]);
      expect(readFileSync(join(host, "out")).equals(readFileSync(join(host, "in")))).toBe(true);
      expect(rig.plane.faults.unused()).toEqual([]);
    }),
  );

  test("P34 a tree takes the place of what was there, both ways; links stay links, and globs are left out", () =>
    withLease(async ({ work, bring, take }) => {
      const host = tempDirectory({
        "tree/a/b.txt": "b",
        "tree/-x": "dash",
        "tree/it's $(odd)\n": "odd",
        "tree/node_modules/m": "m",
        "tree/a/._b": "mac",
        "back/old": "old",
      });
      symlinkSync("a/b.txt", join(host, "tree/link"));
      mkdirSync(join(work, "t/stale"), { recursive: true });
      const { operations } = await bring([
        { sourcePath: join(host, "tree"), targetPath: `${WORK}/t`, kind: "directory", exclude: ["node_modules"] },
      ]);
      expect(operations).toMatchObject([{ filesTransferred: 1, bytesTransferred: expect.any(Number) as number }]);
      expect(readdirSync(join(work, "t"), { recursive: true }).sort()).toEqual(
        ["-x", "a", "a/b.txt", "it's $(odd)\n", "link"].sort(),
      );
      expect(readlinkSync(join(work, "t/link"))).toBe("a/b.txt");
      writeFileSync(join(work, "t/new"), "new");
      await take([{ sourcePath: `${WORK}/t`, targetPath: join(host, "back"), kind: "directory", exclude: ["-x"] }]);
      expect(readdirSync(join(host, "back"), { recursive: true }).sort()).toEqual(
        ["a", "a/b.txt", "it's $(odd)\n", "link", "new"].sort(),
      );
      expect(readdirSync(host).sort()).toEqual(["back", "tree"]);
      expect(readdirSync(work)).toEqual(["t"]);
    }));

  test("P34 links are followed where that is asked for, and an empty tree is a tree", () =>
    withLease(async ({ work, bring, take }) => {
      const host = tempDirectory({ "tree/file": "content" });
      symlinkSync("file", join(host, "tree/link"));
      mkdirSync(join(host, "empty"));
      await bring([
        { sourcePath: join(host, "tree"), targetPath: `${WORK}/t`, kind: "directory", followSymlinks: true },
        { sourcePath: join(host, "empty"), targetPath: `${WORK}/e`, kind: "directory" },
      ]);
      expect(lstatSync(join(work, "t/link")).isFile()).toBe(true);
      expect(readdirSync(join(work, "e"))).toEqual([]);
      await take([{ sourcePath: `${WORK}/e`, targetPath: join(host, "back"), kind: "directory" }]);
      expect(readdirSync(join(host, "back"))).toEqual([]);
    }));

  test("P35 commands run to the letter when the files are there, in turn, until one fails", () =>
    withLease(async ({ rig, work, bring }) => {
      const host = tempDirectory({ f: "content" });
      const file = { sourcePath: join(host, "f"), targetPath: `${WORK}/d/f`, kind: "file" } as const;
      const postUploadCommands = [
        { command: `cat d/f >one && basename "$PWD" >>one` },
        { command: "echo broken >&2; exit 7" },
        { command: "touch three" },
      ];
      const problem = await thrown(
        bring([file], {
          postUploadCommands,
        }),
      );
      expect(problem.message).toBe("a command after an upload failed with exit code 7: broken");
      expect(readFileSync(join(work, "one"), "utf8")).toBe("contentpaperclip-workspace\n");
      expect(existsSync(join(work, "three"))).toBe(false);
      const slow = bring([file], { postUploadCommands: [{ command: "sleep 30", timeoutMs: 200 }] });
      expect((await thrown(slow)).message).toMatch(/^a command after an upload was ended by timeout/);
      await untilNoneRuns(rig.plane);
    }));

  test.each([
    ["a relative target", { targetPath: "x" }, undefined, "is not the absolute path"],
    ["a target that climbs", { targetPath: `${WORK}/../../x` }, undefined, "is not the absolute path"],
    ["the root as a target", { targetPath: "/", kind: "directory" as const }, undefined, "is not the absolute path"],
    ["a command elsewhere", {}, "/etc", "outside of what was uploaded"],
    ["a command beside it", {}, `${WORK}/ff`, "outside of what was uploaded"],
    ["a command that climbs", {}, `${WORK}/f/..`, "outside of what was uploaded"],
  ])("P35 %s is refused before anything is sent", (_, change, cwd, says) =>
    withLease(async ({ rig, bring }) => {
      const host = tempDirectory({ f: "content" });
      const file = { sourcePath: join(host, "f"), targetPath: `${WORK}/f`, kind: "file" as const, ...change };
      const commands = rig.plane.recorder.commands().length;
      const command = { command: "true", ...(cwd === undefined ? {} : { cwd }) };
      expect((await thrown(bring([file], { postUploadCommands: [command] }))).message).toContain(says);
      expect(rig.plane.recorder.commands().length).toBe(commands);
    }),
  );

  test("P35 what is not in the machine is an error, and a released lease refuses", () =>
    withLease(async ({ rig, lease, take }) => {
      const host = tempDirectory();
      const from = (name: string, kind: "file" | "directory") =>
        take([{ sourcePath: `${WORK}/${name}`, targetPath: join(host, "x"), kind }]);
      expect((await thrown(from("none", "file"))).message).toContain("is not in machine");
      expect((await thrown(from("none", "directory"))).message).toMatch(/^pack ".*" failed with exit code/);
      await rig.release(lease, { cancelActiveWork: true });
      expect((await thrown(from("none", "file"))).message).toContain("was released");
      expect(readdirSync(host)).toEqual([]);
    }));
});

describe.skipIf(skipWithoutProcesses)(`what is larger than the host takes${needsProcesses}`, () => {
  // Of a directory it is the archive, whose holes the machine's tar would write out.
  const tar = '#!/bin/sh\ntruncate -s 5368709120 "$2"\n';
  test.each(["file", "directory"] as const)("of a %s nothing is read, and the error has size and limit", (kind) =>
    withLease(
      async ({ work, take }) => {
        const host = tempDirectory({ out: "old" });
        mkdirSync(join(work, "t"));
        writeFileSync(join(work, "t/huge"), "");
        truncateSync(join(work, "t/huge"), 5_368_709_120);
        const sourcePath = kind === "file" ? `${WORK}/t/huge` : `${WORK}/t`;
        const { message } = await thrown(take([{ sourcePath, targetPath: join(host, "out"), kind }]));
        expect(message).toContain("has 5368709120 bytes, and at most 4294967296 are taken");
        expect(readdirSync(host)).toEqual(["out"]);
      },
      { tar },
    ),
  );
});

describe.skipIf(skipWithoutProcesses)(`what is larger than a machine is sent${needsProcesses}`, () => {
  test("P34 of a file nothing is sent, and the error has size and limit", () =>
    withLease(async ({ rig, bring }) => {
      const host = tempDirectory({ huge: "" });
      truncateSync(join(host, "huge"), 5_368_709_120);
      const calls = rig.plane.recorder.calls.length;
      const { message } = await thrown(
        bring([{ sourcePath: join(host, "huge"), targetPath: `${WORK}/f`, kind: "file" }]),
      );
      expect(message).toContain("has 5368709120 bytes, and at most 4294967296 are sent");
      expect(rig.plane.recorder.calls.slice(calls).map(({ method }) => method)).not.toContain("machines.files.upload");
    }));

  test("P34 of a tree no more is packed than may be sent", async () => {
    const host = tempDirectory({ "tree/a": "a".repeat(40_000) });
    const options = { exclude: [], followSymlinks: false, mostBytes: 20_000 };
    const { message } = await thrown(packDirectory(join(host, "tree"), join(host, "tar"), options));
    expect(message).toBe(`the archive of "${join(host, "tree")}" has more than the 20000 bytes that are sent`);
    expect(statSync(join(host, "tar")).size).toBeLessThanOrEqual(20_000);
  });

  test("P34 what is no file is refused, as nobody knows its end", () =>
    withLease(async ({ bring }) => {
      const { message } = await thrown(bring([{ sourcePath: "/dev/zero", targetPath: `${WORK}/f`, kind: "file" }]));
      expect(message).toContain('"/dev/zero" is not a regular file');
    }));
});

test("P34 more names than a command line takes are packed and unpacked", async () => {
  const names = Array.from({ length: 9_000 }, (_, at) => `${String(at).padStart(5, "0")}-${"n".repeat(240)}`);
  const host = tempDirectory({ "tree/-C": "dash" });
  for (const name of names) writeFileSync(join(host, "tree", name), "");
  const options = { exclude: ["00000-*"], followSymlinks: false, mostBytes: 100 * MIB };
  await packDirectory(join(host, "tree"), join(host, "an:archive"), options);
  await unpackDirectory(join(host, "an:archive"), join(host, "back"));
  expect(readdirSync(join(host, "back")).sort()).toEqual(["-C", ...names.slice(1)]);
});

describe("P36 an archive that a machine made", () => {
  const SECRET = "outside";
  type Entry = Pick<Header, "name"> & Partial<Pick<Header, "type" | "linkname" | "mode" | "devmajor" | "devminor">>;

  /** A file that holds it, or its first bytes. */
  async function archive(entries: readonly Entry[], length = Infinity): Promise<string> {
    const made = pack();
    for (const entry of entries) made.entry(entry, entry.type === undefined ? "content" : "");
    made.finalize();
    return join(tempDirectory({ tar: (await buffer(made)).subarray(0, length) }), "tar");
  }

  test.each<[string, Entry[]]>([
    ["an absolute name", [{ name: "/tmp/x" }]],
    ["a name that climbs", [{ name: "a/../../x" }]],
    ["a name that climbs by itself", [{ name: ".." }]],
    ["a file below a link", [{ name: "l", type: "symlink", linkname: ".." }, { name: "l/x" }]],
    [
      "a file below a link that is named otherwise",
      [{ name: "./a//l", type: "symlink", linkname: "/" }, { name: "a/l/./x" }],
    ],
    ["a second name of a file outside", [{ name: "h", type: "link", linkname: "../secret" }]],
    ["a second name of an absolute file", [{ name: "h", type: "link", linkname: "/etc/passwd" }]],
    [
      "a second name through a link",
      [
        { name: "l", type: "symlink", linkname: ".." },
        { name: "h", type: "link", linkname: "l/secret" },
      ],
    ],
    ["a pipe", [{ name: "p", type: "fifo" }]],
    ["a device", [{ name: "d", type: "character-device", devmajor: 1, devminor: 3 }]],
  ])("with %s is refused, and nothing is unpacked", async (_, entries) => {
    const root = tempDirectory({ secret: SECRET });
    const refused = await thrown(unpackDirectory(await archive([{ name: "good" }, ...entries]), join(root, "t")));
    expect(refused.message).toMatch(/is not unpacked$/);
    expect(readdirSync(root)).toEqual(["secret"]);
    expect(readFileSync(join(root, "secret"), "utf8")).toBe(SECRET);
  });

  test("that is cut off is an error, and the old tree stays", async () => {
    const root = tempDirectory({ "t/old": "old" });
    await thrown(unpackDirectory(await archive([{ name: "a" }, { name: "b" }], 700), join(root, "t")));
    expect(readdirSync(join(root, "t"))).toEqual(["old"]);
    expect(readdirSync(root)).toEqual(["t"]);
  });

  // As root, tar would keep the bits by which the machine's file runs as root here.
  test("brings no bits that lend a user's rights, and no more than this computer gives a file", async () => {
    const root = tempDirectory();
    await unpackDirectory(await archive([{ name: "x", mode: 0o6777 }]), join(root, "t"));
    expect(modeOf(join(root, "t/x"))).toBe((0o777 & ~process.umask()).toString(8));
  });

  test("keeps links, wherever they lead, as links", async () => {
    const root = tempDirectory();
    await unpackDirectory(await archive([{ name: "l", type: "symlink", linkname: "/etc/hostname" }]), join(root, "t"));
    expect(readlinkSync(join(root, "t/l"))).toBe("/etc/hostname");
  });
});
