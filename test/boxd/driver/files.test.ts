import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { grpcError, scenarios } from "../../support/boxd-fake/index.ts";
import { commandRig, needsProcesses, skipWithoutProcesses } from "./rig.ts";
import { BYTE_SIZES } from "../../support/byte-sizes.ts";

const MIB = 1024 * 1024;

/** Every byte value, no period that a lost or repeated block would hide in. */
function pattern(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at ^ (at >> 8) ^ ((at >> 16) * 31)) & 0xff;
  return bytes;
}

const sum = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe.skipIf(skipWithoutProcesses)(`files${needsProcesses}`, () => {
  test.each(BYTE_SIZES)("E-53 (trueforge #416): %d bytes come back as they went", async (size) => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const bytes = pattern(size);
    await rig.driver.upload(id, "/home/boxd/some dir/deep/it's $(a) file.bin", bytes);
    const back = await rig.driver.download(id, "/home/boxd/some dir/deep/it's $(a) file.bin");
    expect(back?.length).toBe(size);
    expect(sum(back ?? Buffer.from("missing"))).toBe(sum(bytes));
  });

  test("a file comes in pieces of 3 MiB at most, up to the length that is taken, and one that grows meanwhile is an error", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const bytes = pattern(7 * MIB + 1);
    const file = join(machine.disk.home, "f");
    writeFileSync(file, bytes);
    const pieces: Uint8Array[] = [];
    const take = (mostBytes: number, write = async (piece: Uint8Array): Promise<void> => void pieces.push(piece)) =>
      rig.driver.downloadTo(machine.id, "/home/boxd/f", { mostBytes, write });
    expect(await take(bytes.length)).toBe(bytes.length);
    expect(sum(Buffer.concat(pieces))).toBe(sum(bytes));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(3 * MIB);
    pieces.length = 0;
    await expect(take(bytes.length - 1)).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining(`has ${bytes.length} bytes, and at most ${bytes.length - 1} are taken`),
    });
    expect(pieces).toEqual([]);
    const grown = take(Infinity, async () => appendFileSync(file, "more"));
    await expect(grown).rejects.toMatchObject({ kind: "transient" });
    truncateSync(file, 1024 ** 3 + 1);
    await expect(rig.driver.download(machine.id, "/home/boxd/f")).rejects.toThrow("at most 1073741824 are taken");
  });

  test("a missing file is null, a directory is an error that names it", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    expect(await rig.driver.download(id, "/home/boxd/none")).toBeNull();
    expect(await rig.driver.download(id, "/home/boxd/none/below")).toBeNull();
    await rig.driver.makeDirectory(id, "/home/boxd/a/b");
    await rig.driver.makeDirectory(id, "/home/boxd/a/b");
    await expect(rig.driver.download(id, "/home/boxd/a")).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining('"/home/boxd/a"'),
    });
    await expect(rig.driver.upload(id, "/home/boxd/a", "x")).rejects.toMatchObject({ kind: "invalid" });
  });

  test.each(["relative", "", "/home/boxd/", "/home/b\0d"])(
    "path %j is refused before anything is called",
    async (path) => {
      await using rig = commandRig();
      const { id } = await rig.running();
      await expect(rig.driver.upload(id, path, "x")).rejects.toMatchObject({ kind: "invalid" });
      await expect(rig.driver.download(id, path)).rejects.toMatchObject({ kind: "invalid" });
      expect(rig.plane.recorder.calls).toEqual([]);
    },
  );

  test("parts that are gone before the last step are no upload, and the old content stays", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    await rig.driver.upload(machine.id, "/home/boxd/file", "old");
    const vanish = async (): Promise<void> => {
      for (const name of readdirSync(machine.disk.home))
        if (name.startsWith(".qm-deploy-")) rmSync(join(machine.disk.home, name), { recursive: true });
    };
    rig.plane.faults.inject({
      method: "machines.exec",
      where: (args) => JSON.stringify(args).includes("sha256sum"),
      hold: vanish,
    });
    await expect(rig.driver.upload(machine.id, "/home/boxd/file", "new")).rejects.toMatchObject({
      kind: "transient",
      message: expect.stringContaining("damaged"),
    });
    expect(readFileSync(join(machine.disk.home, "file"), "utf8")).toBe("old");
  });

  test("the mode is the one asked for, 0644 otherwise, and holds for an existing file", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const path = join(machine.disk.home, "secret.env");
    writeFileSync(path, "old", { mode: 0o644 });
    await rig.driver.upload(machine.id, "/home/boxd/secret.env", "A=1\n", { mode: 0o600 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await rig.driver.upload(machine.id, "/home/boxd/plain", "x");
    expect(statSync(join(machine.disk.home, "plain")).mode & 0o777).toBe(0o644);
    expect(readdirSync(machine.disk.home).sort()).toEqual(["plain", "secret.env"]);
  });

  test("content is in a private directory until it is complete", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    const modes: number[] = [];
    rig.plane.faults.inject({
      method: "machines.files.upload",
      when: "after",
      times: Infinity,
      hold: async () => {
        const [dir] = readdirSync(machine.disk.home).filter((name) => name.startsWith(".qm-deploy-"));
        modes.push(statSync(join(machine.disk.home, dir ?? "")).mode & 0o777);
      },
    });
    await rig.driver.upload(machine.id, "/home/boxd/x", pattern(4 * MIB));
    expect(modes).toEqual([0o700, 0o700]);
  });

  test("a link is replaced, what it points to is not written", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    writeFileSync(join(machine.disk.home, "target"), "untouched");
    symlinkSync("target", join(machine.disk.home, "link"));
    await rig.driver.upload(machine.id, "/home/boxd/link", "new");
    expect(readFileSync(join(machine.disk.home, "target"), "utf8")).toBe("untouched");
    expect(readFileSync(join(machine.disk.home, "link"), "utf8")).toBe("new");
  });

  test("a failed upload leaves the old file and nothing beside it", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    writeFileSync(join(machine.disk.home, "keep"), "old");
    rig.plane.faults.inject(scenarios.shortUpload({ times: Infinity }));
    await expect(rig.driver.upload(machine.id, "/home/boxd/keep", "new")).rejects.toMatchObject({ kind: "transient" });
    expect(readFileSync(join(machine.disk.home, "keep"), "utf8")).toBe("old");
    expect(readdirSync(machine.disk.home)).toEqual(["keep"]);
  });

  test("content that was damaged on the way never takes the file's place", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    rig.plane.faults.inject({
      method: "machines.files.upload",
      when: "after",
      hold: async () => {
        const dir = readdirSync(machine.disk.home).find((name) => name.startsWith(".qm-deploy-")) ?? "";
        writeFileSync(join(machine.disk.home, dir, "part.0"), "bad");
      },
    });
    await expect(rig.driver.upload(machine.id, "/home/boxd/x", "new")).rejects.toMatchObject({
      kind: "transient",
      message: expect.stringContaining("damaged"),
    });
    expect(readdirSync(machine.disk.home)).toEqual([]);
  });

  test.each([2, 3])("an upload whose last answer was lost (exec %d) is complete all the same", async (nth) => {
    await using rig = commandRig();
    const machine = await rig.running();
    rig.plane.faults.inject(scenarios.answerLost("machines.exec", 14, { nth: nth - 1 }));
    await rig.driver.upload(machine.id, "/home/boxd/x", "new");
    expect(readFileSync(join(machine.disk.home, "x"), "utf8")).toBe("new");
    expect(readdirSync(machine.disk.home)).toEqual(["x"]);
  });

  test("a download that answers less than the file is an error, small or large", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    await rig.driver.upload(id, "/home/boxd/small", "content");
    await rig.driver.upload(id, "/home/boxd/large", pattern(5 * MIB));
    rig.plane.faults.inject(scenarios.shortDownload());
    await expect(rig.driver.download(id, "/home/boxd/small")).rejects.toMatchObject({
      kind: "transient",
      message: expect.stringContaining("7 bytes, but 6"),
    });
    rig.plane.faults.inject(scenarios.outputCut(1_000_000, { nth: 2, times: Infinity }));
    await expect(rig.driver.download(id, "/home/boxd/large")).rejects.toMatchObject({ kind: "transient" });
  });

  test("an output cap of one message does not cut a chunked read", async () => {
    await using rig = commandRig({ quirks: { outputCap: 4 * MIB } });
    const { id } = await rig.running();
    const bytes = pattern(9 * MIB);
    await rig.driver.upload(id, "/home/boxd/large", bytes);
    expect(sum((await rig.driver.download(id, "/home/boxd/large")) ?? Buffer.alloc(0))).toBe(sum(bytes));
  });

  test("without the agent's file calls a small file is read by commands, and an upload is refused", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    const bytes = pattern(3 * MIB);
    await rig.driver.upload(id, "/home/boxd/x", bytes);
    await rig.driver.upload(id, "/home/boxd/empty", "");
    rig.plane.quirks.fileApi = false;
    expect(sum((await rig.driver.download(id, "/home/boxd/x")) ?? Buffer.alloc(0))).toBe(sum(bytes));
    expect(await rig.driver.download(id, "/home/boxd/empty")).toHaveLength(0);
    await expect(rig.driver.upload(id, "/home/boxd/x", "new")).rejects.toMatchObject({ kind: "invalid", grpcCode: 12 });
    expect(sum((await rig.driver.download(id, "/home/boxd/x")) ?? Buffer.alloc(0))).toBe(sum(bytes));
  });

  test("the answer is a copy, not a view into the SDK's buffer", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    await rig.driver.upload(id, "/home/boxd/x", "abc");
    const bytes = await rig.driver.download(id, "/home/boxd/x");
    expect(bytes?.byteOffset).toBe(0);
    expect(bytes?.buffer.byteLength).toBe(3);
  });

  test("a parked machine is woken for its files", async () => {
    await using rig = commandRig();
    const machine = await rig.plane.seed({ name: "box-1" }, "suspended");
    await rig.driver.upload(machine.id, "/home/boxd/x", "abc");
    await machine.force("hibernated");
    expect(Buffer.from((await rig.driver.download(machine.id, "/home/boxd/x")) ?? []).toString()).toBe("abc");
  });

  test("a file that vanishes between measuring and reading is missing", async () => {
    await using rig = commandRig();
    const { id } = await rig.running();
    await rig.driver.upload(id, "/home/boxd/x", "abc");
    rig.plane.faults.inject({
      method: "machines.files.download",
      error: () => grpcError(5, "stat: cannot statx '/home/boxd/x': No such file or directory"),
    });
    expect(await rig.driver.download(id, "/home/boxd/x")).toBeNull();
  });

  test("a directory that cannot be written is an error with the guest's word for it", async () => {
    await using rig = commandRig();
    const machine = await rig.running();
    mkdirSync(join(machine.disk.home, "a"));
    writeFileSync(join(machine.disk.home, "a/file"), "");
    await expect(rig.driver.upload(machine.id, "/home/boxd/a/file/x", "new")).rejects.toThrow(
      /status \d+ \(.*(Not a directory|File exists)/,
    );
  });
});
