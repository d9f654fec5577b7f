import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { soundConfig } from "../../cli/deployments.ts";
import { filledEnv } from "../../render/secret-values.ts";
import { deploymentDirectory, IMAGES, request, write } from "./rig.ts";

describe("secrets", () => {
  function withEnv(): string {
    const cwd = deploymentDirectory();
    writeFileSync(join(cwd, ".env"), filledEnv(request(cwd).deployment), { mode: 0o600 });
    return cwd;
  }

  test("are written only when asked for, for the owner alone whatever the umask, and stay out of the manifest", async () => {
    const cwd = withEnv();
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    await write(cwd);
    const directory = join(cwd, "rendered", "docker");
    expect(readdirSync(directory).filter((name) => name.includes(".secrets."))).toEqual([]);
    await write(cwd, { secrets: true });
    const files = readdirSync(directory).filter((name) => name.includes(".secrets."));
    expect(files).toEqual(["core.secrets.env", "pg.secrets.env", "web-ui.secrets.env"]);
    for (const name of files) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(directory, "manifest.json"), "utf8")).not.toContain(".secrets.");
    expect((await write(cwd)).stale).toEqual([]);
  });

  test("that others could read are closed again, although their content is right", async () => {
    const cwd = withEnv();
    await write(cwd, { secrets: true });
    const file = join(cwd, "rendered", "docker", "core.secrets.env");
    chmodSync(file, 0o644);
    await write(cwd, { secrets: true });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("of a workload that is gone are pointed out, since no manifest knows them", async () => {
    const cwd = withEnv();
    await write(cwd, { secrets: true });
    expect((await write(cwd)).notes).toEqual([]);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ imageOverrides: IMAGES, services: ["core"] }));
    expect((await write(cwd)).notes).toEqual([{ artifact: "web-ui.secrets.env", message: expect.stringContaining("remove it") }]);
  });

  test("are ignored by git", async () => {
    const cwd = withEnv();
    await write(cwd, { secrets: true });
    expect(readFileSync(join(cwd, "rendered", "docker", ".gitignore"), "utf8").split("\n")).toContain("*.secrets.*");
  });
});
