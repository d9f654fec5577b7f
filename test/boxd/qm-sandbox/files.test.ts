import { describe, expect, test } from "vitest";
import { makeTar, parseTar } from "../../../src/boxd/qm-sandbox/tar.ts";
import { scenarios } from "../../support/boxd-fake/index.ts";
import { LAYERS, needsProcesses, Rig, skipWithoutProcesses } from "./rig.ts";

const MIB = 1024 * 1024;

describe.skipIf(skipWithoutProcesses)(`files${needsProcesses}`, () => {
  test("Q06 a write makes its parents, and is all or nothing", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    await rig.sandbox.writeFile(handle, "a/b/c.txt", "first");
    rig.plane.faults.inject(scenarios.refused("machines.files.upload", 13, "disk is full", { times: Infinity }));
    await expect(rig.sandbox.writeFile(handle, "a/b/c.txt", "second")).rejects.toThrow(
      /^boxd write qm-\S+: .*disk is full/,
    );
    rig.plane.faults.clear();
    expect(await rig.sandbox.readFile(handle, "a/b/c.txt")).toBe("first");
    expect(await rig.sandbox.listDir(handle, "")).toEqual(["a/b/c.txt"]);
  });

  test("Q06 an upload that confirms fewer bytes is an error", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    rig.plane.faults.inject(scenarios.shortUpload({ times: Infinity }));
    await expect(rig.sandbox.writeFile(handle, "f", "12345")).rejects.toThrow("4 of 5 bytes");
  });

  test("Q07 what is missing is null, a directory is an error, a short answer is an error", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    await rig.sandbox.writeFile(handle, "d/f", "content");
    expect(await rig.sandbox.readFileBytes(handle, "d/none")).toBeNull();
    expect(await rig.sandbox.readFileBytes(handle, "none/f")).toBeNull();
    await expect(rig.sandbox.readFile(handle, "d")).rejects.toThrow("boxd read");
    rig.plane.faults.inject(scenarios.shortDownload({ times: Infinity }));
    await expect(rig.sandbox.readFile(handle, "d/f")).rejects.toThrow("7 bytes, but 6 arrived");
  });

  test.each([3 * MIB, 3 * MIB + 1, 4 * MIB, 5 * MIB])(
    "Q07 %i bytes: one download up to 3 MiB, chunks above",
    async (size) => {
      await using rig = new Rig();
      const handle = await rig.provision();
      const data = new Uint8Array(size).map((_value, index) => index % 251);
      await rig.sandbox.writeFileBytes(handle, "big", data);
      const back = await rig.sandbox.readFileBytes(handle, "big");
      expect(Buffer.compare(back ?? new Uint8Array(), data)).toBe(0);
      expect(rig.plane.recorder.of("machines.files.download").length > 0).toBe(size <= 3 * MIB);
    },
  );

  test("Q08 an empty file is a file of no bytes", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    await rig.sandbox.writeFileBytes(handle, "empty", new Uint8Array());
    expect(await rig.sandbox.readFileBytes(handle, "empty")).toEqual(new Uint8Array());
    expect(await rig.sandbox.readFile(handle, "empty")).toBe("");
    expect(await rig.sandbox.listDir(handle, "")).toEqual(["empty"]);
  });

  test("names with spaces, quotes, newlines, hyphens and dollars are names", async () => {
    await using rig = new Rig();
    const handle = await rig.provision();
    const names = ["-rf", "a b", "it's", "new\nline", "$HOME", "`id`", "ü"];
    for (const name of names) await rig.sandbox.writeFile(handle, `odd/${name}`, name);
    expect(await rig.sandbox.listDir(handle, "odd")).toEqual(names.map((name) => `odd/${name}`).sort());
    for (const name of names) expect(await rig.sandbox.readFile(handle, `odd/${name}`)).toBe(name);
    await rig.sandbox.writeFile(handle, "-name/x", "");
    expect(await rig.sandbox.listDir(handle, "-name")).toEqual(["-name/x"]);
    await rig.sandbox.removeDir(handle, "odd/-rf");
    expect(await rig.sandbox.listDir(handle, "odd")).toHaveLength(names.length - 1);
  });
});

describe.skipIf(skipWithoutProcesses)(`read-only layers${needsProcesses}`, () => {
  const layers = [
    ...LAYERS,
    { scopeId: "base", mountPath: "skills", mode: "ro" as const },
    { scopeId: "org", mountPath: "skills", mode: "ro" as const },
  ];

  test("are placed, later layers win, and are not sent again while nothing changes", async () => {
    await using rig = new Rig();
    rig.workspace.put("base", { "a/SKILL.md": "base a", "b.md": "base b" });
    rig.workspace.put("org", { "a/SKILL.md": "org a" });
    const handle = await rig.sandbox.provision(layers);
    expect(await rig.sandbox.readFile(handle, "skills/a/SKILL.md")).toBe("org a");
    expect(await rig.sandbox.readFile(handle, "skills/b.md")).toBe("base b");
    const uploads = rig.plane.recorder.uploads().length;
    // The order in which a store lists its files means nothing.
    rig.workspace.put("base", { "b.md": "base b", "a/SKILL.md": "base a" });
    await rig.sandbox.provision(layers);
    expect(rig.plane.recorder.uploads()).toHaveLength(uploads);
  });

  test("a file that a layer loses is removed, the agent's own stay", async () => {
    await using rig = new Rig();
    rig.workspace.put("base", { "old.md": "old", "kept.md": "1" });
    const handle = await rig.sandbox.provision(layers);
    await rig.sandbox.writeFile(handle, "skills/mine.md", "mine");
    rig.workspace.put("base", { "kept.md": "2" });
    await rig.sandbox.provision(layers);
    expect(await rig.sandbox.listDir(handle, "skills")).toEqual(["skills/kept.md", "skills/mine.md"]);
    expect(await rig.sandbox.readFile(handle, "skills/kept.md")).toBe("2");
    rig.workspace.put("base", {});
    await rig.sandbox.provision(layers);
    expect(await rig.sandbox.listDir(handle, "skills")).toEqual(["skills/mine.md"]);
  });

  test("a manifest that was tampered with removes nothing outside of the workspace", async () => {
    await using rig = new Rig();
    rig.workspace.put("base", { "a.md": "a" });
    const handle = await rig.sandbox.provision(layers);
    await rig.sandbox.run(handle, "echo precious > ../precious; printf 'x\\n../precious\\n' > .ro-layers.manifest");
    await expect(rig.sandbox.provision(layers)).rejects.toThrow("..");
    expect((await rig.sandbox.run(handle, "cat ../precious")).stdout).toBe("precious\n");
  });
});

describe("tar", () => {
  test("long, deep and non-ASCII names and empty files come back", async () => {
    const files = [
      { path: "empty", data: new Uint8Array() },
      { path: `${"deep/".repeat(60)}ünïcode-${"n".repeat(120)}`, data: Buffer.from("x") },
      { path: "three blocks", data: new Uint8Array(1536).fill(7) },
    ];
    const back = await parseTar(await makeTar(files));
    expect(back.map(({ path, data }) => [path, Buffer.from(data).toString("hex")])).toEqual(
      files.map(({ path, data }) => [path, Buffer.from(data).toString("hex")]),
    );
    expect(await parseTar(await makeTar([]))).toEqual([]);
  });

  test("Q22 an archive cut off anywhere is refused", async () => {
    const whole = await makeTar([
      { path: "a", data: new Uint8Array(600) },
      { path: "b", data: new Uint8Array(1) },
    ]);
    for (const length of [0, 1, 511, 512, 1024, 1536, whole.length - 512, whole.length - 1]) {
      await expect(parseTar(whole.subarray(0, length)), `${String(length)} bytes`).rejects.toThrow();
    }
  });
});
