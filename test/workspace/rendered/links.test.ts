import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textHash } from "../../../src/render/manifest.ts";
import { planRender } from "../../../src/workspace/render-plan.ts";
import { WriteRefused } from "../../../src/workspace/write-file.ts";
import { tempDirectory } from "../temp.ts";
import { deploymentDirectory, request, snapshot, write } from "./rig.ts";

describe("links", () => {
  const outside = () => tempDirectory({ "victim.txt": "mine\n" });

  test.each([
    ["rendered", "rendered"],
    ["the target's directory", "rendered/docker"],
    ["a directory of artifacts", "rendered/docker/qm"],
  ])("%s that leads elsewhere is refused and nothing is written there", async (_what, path) => {
    const cwd = deploymentDirectory();
    const target = outside();
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    symlinkSync(target, join(cwd, path));
    await expect(write(cwd)).rejects.toThrow(WriteRefused);
    expect(snapshot(target)).toEqual({ "victim.txt": "mine\n" });
    expect(() => planRender(request(cwd))).toThrow(WriteRefused);
  });

  test.each(["compose.yaml", "manifest.json", ".gitignore"])("an artifact %s that is a link is refused, the file behind it stays", async (name) => {
    const cwd = deploymentDirectory();
    const target = outside();
    await write(cwd);
    rmSync(join(cwd, "rendered", "docker", name));
    symlinkSync(join(target, "victim.txt"), join(cwd, "rendered", "docker", name));
    const before = snapshot(join(cwd, "rendered"));
    await expect(write(cwd)).rejects.toThrow(/symbolic link/);
    expect(snapshot(target)).toEqual({ "victim.txt": "mine\n" });
    expect(snapshot(join(cwd, "rendered"))).toEqual(before);
  });

  test("a dangling link is refused too", async () => {
    const cwd = deploymentDirectory();
    const target = outside();
    mkdirSync(join(cwd, "rendered", "docker"), { recursive: true });
    symlinkSync(join(target, "new.txt"), join(cwd, "rendered", "docker", "core.env"));
    await expect(write(cwd)).rejects.toThrow(WriteRefused);
    expect(existsSync(join(target, "new.txt"))).toBe(false);
  });

  test("a hard link to somebody's file is replaced, not written through", async () => {
    const cwd = deploymentDirectory();
    const victim = join(cwd, "victim.txt");
    writeFileSync(victim, "mine\n");
    mkdirSync(join(cwd, "rendered", "docker"), { recursive: true });
    linkSync(victim, join(cwd, "rendered", "docker", "core.env"));
    await write(cwd);
    expect(readFileSync(victim, "utf8")).toBe("mine\n");
  });

  test("links above --out are the operator's own", async () => {
    const cwd = deploymentDirectory();
    const real = outside();
    const linked = join(cwd, "link");
    symlinkSync(real, linked);
    await expect(write(cwd, { out: "link/out" })).rejects.toThrow(WriteRefused);
    const elsewhere = tempDirectory();
    symlinkSync(real, join(elsewhere, "link"));
    await write(cwd, { out: join(elsewhere, "link", "out") });
    expect(existsSync(join(real, "out", "docker", "compose.yaml"))).toBe(true);
  });

  test("a manifest that names files elsewhere makes --prune remove none of them", async () => {
    const cwd = deploymentDirectory();
    await write(cwd);
    const file = join(cwd, "rendered", "docker", "manifest.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    const hash = textHash("mine\n");
    writeFileSync(join(cwd, "victim.txt"), "mine\n");
    for (const name of ["../../victim.txt", join(cwd, "victim.txt"), "qm/../../../victim.txt", ".", ""]) manifest.artifacts.push({ name, sha256: hash });
    writeFileSync(file, JSON.stringify(manifest));
    const plan = await write(cwd, { prune: true });
    expect(plan.stale).toEqual([]);
    expect(readFileSync(join(cwd, "victim.txt"), "utf8")).toBe("mine\n");
  });
});
