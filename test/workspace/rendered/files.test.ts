import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planRender } from "../../../src/workspace/render-plan.ts";
import { writeRender } from "../../../src/workspace/render-write.ts";
import { soundConfig } from "../../cli/deployments.ts";
import { deploymentDirectory, IMAGES, request, snapshot, write } from "./rig.ts";

describe("a first render", () => {
  test("writes what the plan says and nothing else, and a second one touches no file", async () => {
    const cwd = deploymentDirectory();
    const plan = await write(cwd);
    const directory = join(cwd, "rendered", "docker");
    expect(Object.keys(snapshot(directory))).toEqual(plan.files.map((file) => file.artifact.name).sort());
    expect(readdirSync(cwd).sort()).toEqual(["qm.config.jsonc", "rendered"]);
    const inodes = () => Object.fromEntries(readdirSync(directory).map((name) => [name, statSync(join(directory, name)).ino]));
    const before = inodes();
    const again = await write(cwd);
    expect(again.files.every((file) => file.change === "unchanged")).toBe(true);
    expect(inodes()).toEqual(before);
  });

  test("writes nothing, and makes no directory, when the plan is not accepted", async () => {
    const cwd = deploymentDirectory();
    await writeRender(request(cwd), () => false);
    expect(readdirSync(cwd)).toEqual(["qm.config.jsonc"]);
  });

  test("planning reads only", () => {
    const cwd = deploymentDirectory();
    planRender(request(cwd));
    expect(readdirSync(cwd)).toEqual(["qm.config.jsonc"]);
  });

  test("keeps the permission bits of files that are there", async () => {
    const cwd = deploymentDirectory();
    await write(cwd);
    const file = join(cwd, "rendered", "docker", "compose.yaml");
    writeFileSync(file, "old\n");
    chmodSync(file, 0o640);
    await write(cwd);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });
});

describe("--only", () => {
  test("writes these alone and keeps what the manifest knows of the others", async () => {
    const cwd = deploymentDirectory();
    await write(cwd);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const directory = join(cwd, "rendered", "docker");
    const before = snapshot(directory);
    await write(cwd, { only: ["core.env"] });
    const after = snapshot(directory);
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(["core.env", "manifest.json"]);
    expect(planRender(request(cwd, { only: ["core.env"] })).files.map((file) => file.change)).toEqual(["unchanged", "unchanged"]);
    const names = JSON.parse(after["manifest.json"] ?? "").artifacts.map((entry: { name: string }) => entry.name);
    expect(names).toEqual(JSON.parse(before["manifest.json"] ?? "").artifacts.map((entry: { name: string }) => entry.name));
  });

  test("says which names there are not", () => {
    expect(planRender(request(deploymentDirectory(), { only: ["compose.yml"] })).unknown).toEqual(["compose.yml"]);
  });
});

describe("a render that fails halfway", () => {
  test.each([1, 2, 4])("leaves what was there: the swap of file %i is refused by the file system", async (nth) => {
    const cwd = deploymentDirectory();
    await write(cwd);
    const directory = join(cwd, "rendered", "docker");
    const before = snapshot(directory);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, botName: "Robin", services: ["core", "web-ui", "admin", "portal", "auth"] }));
    const wanted = request(cwd);
    const changed = planRender(wanted).files.filter((file) => file.change !== "unchanged" && file.artifact.name !== "manifest.json");
    const victim = changed[nth]?.artifact.name as string;
    // A directory in the way appears between the plan and the swap.
    let asked = 0;
    const run = writeRender(wanted, () => {
      if (++asked === 2) {
        if (existsSync(join(directory, victim))) renameSync(join(directory, victim), join(directory, `${victim}.away`));
        mkdirSync(join(directory, victim));
      }
      return true;
    });
    await expect(run).rejects.toThrow();
    rmSync(join(directory, victim), { recursive: true });
    if (existsSync(join(directory, `${victim}.away`))) renameSync(join(directory, `${victim}.away`), join(directory, victim));
    expect(snapshot(directory)).toEqual(before);
  });

  test("what a killed run left is removed by the next, and nothing else", async () => {
    const cwd = deploymentDirectory();
    const directory = join(cwd, "rendered", "docker");
    mkdirSync(join(directory, ".render-0123456789abcdef.tmp", "new"), { recursive: true });
    writeFileSync(join(directory, ".render-0123456789abcdef.tmp", "new", "core.secrets.env"), "A=1\n");
    mkdirSync(join(directory, ".render-mine"));
    await write(cwd);
    expect(readdirSync(directory).filter((name) => name.startsWith(".render-"))).toEqual([".render-mine"]);
  });

  test("two at once leave the files of one of them, whole", async () => {
    const cwd = deploymentDirectory();
    await Promise.all([write(cwd), write(cwd), write(cwd)]);
    expect(planRender(request(cwd)).files.every((file) => file.change === "unchanged")).toBe(true);
    expect(readdirSync(join(cwd, "rendered", "docker")).filter((name) => /\.lock$|\.tmp$/.test(name))).toEqual([]);
  });
});
