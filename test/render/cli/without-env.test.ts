import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runInProcess } from "../../cli/in-process.ts";
import { soundConfig } from "../../cli/deployments.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { EXAMPLES } from "../support.ts";
import { CONFIG, deployment, files, IMAGES } from "./deployment.ts";

describe("where there is no .env, as in CI", () => {
  /** Renders with a `.env` and takes it away again. */
  async function renderedWithout(cwd: string, env: string): Promise<string> {
    writeFileSync(join(cwd, ".env"), env, { mode: 0o600 });
    expect((await runInProcess(["render"], { cwd })).status).toBe(0);
    rmSync(join(cwd, ".env"));
    return cwd;
  }

  const docker = (): Promise<string> =>
    renderedWithout(deployment(), "DATABASE_URL=postgres://canary-user:canary-word@db.internal:5432/x\n");
  const aws = async (): Promise<string> => {
    const cwd = tempDirectory();
    cpSync(join(EXAMPLES, "aws-boxd"), cwd, { recursive: true });
    return renderedWithout(cwd, "SLACK_BOT_TOKEN=xoxb-canary\nSLACK_APP_TOKEN=\n");
  };

  test.each([
    ["docker", docker, ["DATABASE_URL"]],
    ["aws", aws, ["SLACK_BOT_TOKEN"]],
  ] as const)(
    "%s: --check agrees with what the operator rendered with one, and the manifest holds names alone",
    async (target, make, names) => {
      const cwd = await make();
      const committed = files(join(cwd, "rendered"));
      expect(JSON.parse(committed[`${target}/manifest.json`] ?? "")).toMatchObject({ envNames: names });
      expect(Object.values(committed).join("\n")).not.toContain("canary");
      expect(await runInProcess(["render", "--check"], { cwd })).toMatchObject({ status: 0, stderr: "" });
      expect((await runInProcess(["render"], { cwd })).status).toBe(0);
      expect(files(join(cwd, "rendered"))).toEqual(committed);
    },
  );

  test("a change of the config is drift all the same", async () => {
    const cwd = await docker();
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const { status, stdout } = await runInProcess(["render", "--check"], { cwd });
    expect([status, stdout.includes("Robin"), stdout.includes("pg:")]).toEqual([1, true, false]);
  });

  test("a .env that is there decides, also against the manifest", async () => {
    const cwd = await docker();
    writeFileSync(join(cwd, ".env"), "POSTGRES_PASSWORD=\n", { mode: 0o600 });
    expect(await runInProcess(["render", "--check"], { cwd })).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^\+ {2}pg:$/m),
    });
  });

  test("a directory of sandbox/ that git would not keep changes nothing", async () => {
    const cwd = deployment();
    for (const name of ["skills", "tools"]) mkdirSync(join(cwd, "sandbox", name), { recursive: true });
    expect((await runInProcess(["render"], { cwd })).status).toBe(0);
    rmSync(join(cwd, "sandbox"), { recursive: true });
    expect(await runInProcess(["render", "--check"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    cpSync(join(EXAMPLES, "docker-boxd", "sandbox"), join(cwd, "sandbox"), { recursive: true });
    expect(await runInProcess(["render", "--check"], { cwd })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('target: "/layer/skills"'),
    });
  });

  test("names that no .env could have given shape nothing", async () => {
    const cwd = deployment();
    await runInProcess(["render"], { cwd });
    const committed = files(join(cwd, "rendered"));
    const manifest = JSON.parse(committed["docker/manifest.json"] ?? "");
    for (const envNames of [["BOXD_API_KEY", "NOBODY", "__proto__", 7], "DATABASE_URL", undefined]) {
      writeFileSync(join(cwd, "rendered", "docker", "manifest.json"), JSON.stringify({ ...manifest, envNames }));
      expect((await runInProcess(["render"], { cwd })).status).toBe(0);
      expect(files(join(cwd, "rendered"))).toEqual(committed);
    }
  });
});
