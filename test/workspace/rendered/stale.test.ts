import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planRender } from "../../../src/workspace/render-plan.ts";
import { soundConfig } from "../../cli/deployments.ts";
import { deploymentDirectory, IMAGES, request, snapshot, write } from "./rig.ts";

describe("stale files", () => {
  async function withoutWebUi(): Promise<{ cwd: string; directory: string }> {
    const cwd = deploymentDirectory();
    await write(cwd);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, services: ["core"] }));
    return { cwd, directory: join(cwd, "rendered", "docker") };
  }

  test("are reported, stay known until they are gone, and go with --prune", async () => {
    const { cwd, directory } = await withoutWebUi();
    for (const _run of [1, 2]) expect((await write(cwd)).stale).toMatchObject([{ name: "web-ui.env", removable: true }]);
    expect(existsSync(join(directory, "web-ui.env"))).toBe(true);
    await write(cwd, { prune: true });
    expect(existsSync(join(directory, "web-ui.env"))).toBe(false);
    const after = planRender(request(cwd));
    expect([after.stale, after.files.every((file) => file.change === "unchanged")]).toEqual([[], true]);
  });

  test("that were edited stay, as do files that render never wrote", async () => {
    const { cwd, directory } = await withoutWebUi();
    writeFileSync(join(directory, "web-ui.env"), "EDITED=1\n");
    writeFileSync(join(directory, "notes.txt"), "mine\n");
    const plan = await write(cwd, { prune: true });
    expect(plan.stale).toMatchObject([{ name: "web-ui.env", removable: false }]);
    expect(snapshot(directory)).toMatchObject({ "web-ui.env": "EDITED=1\n", "notes.txt": "mine\n" });
  });

  test("take their empty directory with them", async () => {
    const cwd = deploymentDirectory();
    await write(cwd);
    const directory = join(cwd, "rendered", "docker");
    expect(existsSync(join(directory, "qm"))).toBe(true);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, sandbox: undefined, env: { core: { SANDBOX_BACKEND: "sprites" } } }));
    const plan = await write(cwd, { prune: true });
    expect(plan.stale).toContainEqual(expect.objectContaining({ name: "qm/qm.config.jsonc", removable: true }));
    expect(existsSync(join(directory, "qm"))).toBe(false);
  });
});
