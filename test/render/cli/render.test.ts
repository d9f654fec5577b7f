import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadDeployment } from "../../../src/workspace/load-deployment.ts";
import { runInProcess } from "../../cli/in-process.ts";
import { soundConfig } from "../../cli/deployments.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { filledEnv } from "../secret-values.ts";
import { CONFIG, deployment, files, IMAGES } from "./deployment.ts";

function fillEnv(cwd: string): void {
  const loaded = loadDeployment(cwd, { cwd });
  if (loaded.deployment === undefined) throw new Error("a sound deployment");
  writeFileSync(join(cwd, ".env"), filledEnv(loaded.deployment), { mode: 0o600 });
}

describe("render", () => {
  test("writes, and --check agrees until the config changes; then it shows a diff and writes nothing", async () => {
    const cwd = deployment();
    expect(await runInProcess(["render"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(await runInProcess(["render", "--check"], { cwd })).toMatchObject({ status: 0 });
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const before = files(join(cwd, "rendered"));
    const { status, stdout } = await runInProcess(["render", "--check"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain('\n+      ORG_BRAND_SELF_LABEL: "Robin"\n');
    expect(stdout).toMatch(/^--- rendered\/docker\/bring-up\.md|^--- rendered\/docker\/compose\.yaml/);
    const shown = stdout.match(/^--- .*$/gm) ?? [];
    expect(shown).not.toContain("--- rendered/docker/manifest.json");
    expect(stdout).toContain(`rendered/docker is not what the config says: ${shown.length} files differ; run`);
    expect(stdout).not.toContain("Index:");
    expect(files(join(cwd, "rendered"))).toEqual(before);
  });

  test("--check before the first render is drift, and makes no directory", async () => {
    const cwd = deployment();
    expect(await runInProcess(["render", "--check"], { cwd })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("/dev/null"),
    });
    expect(readdirSync(cwd)).toEqual([CONFIG]);
  });

  test("a deployment that check refuses is not rendered, and what lay there stays", async () => {
    const cwd = deployment();
    await runInProcess(["render"], { cwd });
    const before = files(join(cwd, "rendered"));
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin", nonsense: true }));
    const refused = await runInProcess(["render"], { cwd });
    expect(refused).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/nonsense[\s\S]*nothing was rendered; --force/),
    });
    expect(files(join(cwd, "rendered"))).toEqual(before);
    expect((await runInProcess(["render", "--force"], { cwd })).status).toBe(0);
    expect(files(join(cwd, "rendered"))["docker/core.env"]).toContain("ORG_BRAND_SELF_LABEL=Robin");
  });

  test("an artifact that cannot be made stops all of them; --force renders the others and says which are missing", async () => {
    const cwd = deployment({ imageOverrides: {} });
    const old = ["--release", "0.1.6"];
    const refused = await runInProcess(["render", ...old], { cwd });
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("render/image-missing") });
    expect(existsSync(join(cwd, "rendered", "docker", "core.env"))).toBe(false);
    const forced = await runInProcess(["render", "--force", ...old], { cwd });
    expect(forced).toMatchObject({ status: 1, stderr: expect.stringContaining("`web-ui`") });
    const names = Object.keys(files(join(cwd, "rendered", "docker")));
    expect([names.includes("compose.yaml"), names.includes("core.env")]).toEqual([false, true]);
    expect((await runInProcess(["render", "--only", "core.env", ...old], { cwd })).status).toBe(0);
  });

  test("a value that an env file cannot hold keeps nothing from being rendered: compose.yaml has it", async () => {
    const cwd = deployment({ env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme1", LINES: "a\nb" } } });
    const { status, stdout } = await runInProcess(["render"], { cwd });
    expect([status, stdout]).toEqual([0, expect.stringContaining("info: core.env: left out: docker cannot carry")]);
    const rendered = files(join(cwd, "rendered", "docker"));
    expect([rendered["compose.yaml"], rendered["core.env"]]).toEqual([
      expect.stringContaining('LINES: "a\\nb"'),
      expect.not.stringContaining("LINES="),
    ]);
  });

  test("findings about secret values stop --secrets alone", async () => {
    const cwd = deployment();
    writeFileSync(join(cwd, ".env"), "BOXD_API_KEY=replace-me\nPORTAL_IDENTITY_SECRET=\n", { mode: 0o600 });
    expect((await runInProcess(["render"], { cwd })).status).toBe(0);
    const secrets = await runInProcess(["render", "--secrets"], { cwd });
    expect(secrets).toMatchObject({ status: 1, stderr: expect.stringMatching(/BOXD_API_KEY/) });
    expect(Object.keys(files(join(cwd, "rendered"))).filter((name) => name.includes(".secrets."))).toEqual([]);
  });

  test("--secrets writes files for the owner alone, and no value is printed", async () => {
    const cwd = deployment();
    fillEnv(cwd);
    const { status, stdout, stderr } = await runInProcess(["render", "--secrets"], { cwd });
    expect([status, stderr]).toEqual([0, ""]);
    const file = join(cwd, "rendered", "docker", "core.secrets.env");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const line of readFileSync(join(cwd, ".env"), "utf8").trim().split("\n")) {
      const value = line.slice(line.indexOf("=") + 1).replace(/^['"]|['"]$/g, "");
      expect(stdout + (await runInProcess(["render", "--secrets", "--format", "json"], { cwd })).stdout).not.toContain(
        value,
      );
    }
  });

  test("--secrets without a password for Postgres fails loudly, by its name", async () => {
    const cwd = deployment();
    fillEnv(cwd);
    writeFileSync(join(cwd, ".env"), readFileSync(join(cwd, ".env"), "utf8").replace(/^POSTGRES_PASSWORD=.*\n/m, ""));
    expect(await runInProcess(["render", "--secrets"], { cwd })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/`POSTGRES_PASSWORD` has no value/),
    });
    expect(existsSync(join(cwd, "rendered"))).toBe(false);
  });

  test("core's database may be kept under another name: it is passed on, and no Postgres comes with it", async () => {
    const secretEnv = { core: { DATABASE_URL: "PROD_DATABASE" } };
    const cwd = deployment({ secretEnv });
    fillEnv(cwd);
    const env = readFileSync(join(cwd, ".env"), "utf8").replace(/^(?:PROD_DATABASE|POSTGRES_PASSWORD)=.*\n/gm, "");
    writeFileSync(join(cwd, ".env"), `${env}PROD_DATABASE=postgres://qm:word-7f3a@db.acme-corp.dev/qm\n`);
    expect(await runInProcess(["render", "--secrets"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    const made = files(join(cwd, "rendered", "docker"));
    expect(made["core.secrets.env"]).toContain("\nDATABASE_URL=postgres://qm:word-7f3a@db.acme-corp.dev/qm\n");
    expect(made["compose.yaml"]).not.toMatch(/^ {2}pg:$/m);
  });

  test("--stdout prints one artifact and writes nothing", async () => {
    const cwd = deployment();
    const { status, stdout } = await runInProcess(["render", "--only", "compose.yaml", "--stdout"], { cwd });
    expect([status, readdirSync(cwd)]).toEqual([0, [CONFIG]]);
    await runInProcess(["render"], { cwd });
    expect(stdout).toBe(readFileSync(join(cwd, "rendered", "docker", "compose.yaml"), "utf8"));
    const piped = await runInProcess(["render", "-", "--only", "core.env", "--stdout"], {
      cwd: tempDirectory(),
      input: readFileSync(join(cwd, CONFIG)),
    });
    expect(piped.stdout).toBe(readFileSync(join(cwd, "rendered", "docker", "core.env"), "utf8"));
  });

  test("a stale file is drift; --prune removes it", async () => {
    const cwd = deployment();
    await runInProcess(["render"], { cwd });
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, services: ["core"] }));
    expect((await runInProcess(["render"], { cwd })).stdout).toContain(
      "stale    web-ui.env (no longer rendered; --prune removes it)",
    );
    expect(await runInProcess(["render", "--check"], { cwd })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("web-ui.env"),
    });
    expect((await runInProcess(["render", "--prune"], { cwd })).stdout).toContain(
      "web-ui.env (no longer rendered: removed)",
    );
    expect((await runInProcess(["render", "--check"], { cwd })).status).toBe(0);
  });

  test.each([
    [["render", "--check", "--secrets"], "--check"],
    [["render", "--stdout"], "--only"],
    [["render", "--only", ","], "--only"],
    [["render", "--only", "compose.yml"], "compose.yaml"],
    [["render", "--only", "core.env", "--prune"], "--prune"],
    [["render", "--bind", "localhost"], "IP address"],
    [["render", "-"], "--stdout"],
    [["render", "nowhere"], "nowhere"],
  ])("%j is a wrong command line", async (argv, says) => {
    const cwd = deployment();
    expect(await runInProcess(argv, { cwd, input: soundConfig() })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(says),
    });
    expect(existsSync(join(cwd, "rendered", "docker", "compose.yaml"))).toBe(false);
  });

  test("--out, --target, --release and --bind reach the files, and the commands in them", async () => {
    const cwd = deployment();
    expect((await runInProcess(["render", "--out", "made here", "--bind", "0.0.0.0"], { cwd })).status).toBe(0);
    const made = files(join(cwd, "made here", "docker"));
    expect(made["compose.yaml"]).toContain('"0.0.0.0:8080:8080"');
    expect(made["compose.yaml"]).toContain("docker compose -f 'made here/docker/compose.yaml' up");
    expect(made["bring-up.md"]).toContain("\nqm-deploy render --secrets --out 'made here' --bind 0.0.0.0\n");
    expect((await runInProcess(["render", "--check", "--out", "made here", "--bind", "0.0.0.0"], { cwd })).status).toBe(
      0,
    );
  });
});

describe("--format json", () => {
  test("is one object, whatever came of it", async () => {
    const cwd = deployment();
    const ran = JSON.parse((await runInProcess(["render", "--format", "json"], { cwd })).stdout);
    expect(ran).toMatchObject({ version: 2, ok: true, summary: { deployments: 1, written: 1, same: 0 } });
    const [first] = ran.deployments;
    expect(first).toMatchObject({
      config: CONFIG,
      ok: true,
      action: "write",
      directory: "rendered/docker",
      target: "docker",
      stale: [],
      refusals: [],
      diagnostics: [],
    });
    expect(first.artifacts.map((artifact: { name: string }) => artifact.name)).toEqual(
      Object.keys(files(join(cwd, "rendered", "docker"))).sort(),
    );
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const [drift] = JSON.parse(
      (await runInProcess(["render", "--check", "--format", "json"], { cwd })).stdout,
    ).deployments;
    expect(drift).toMatchObject({ ok: false, action: "check" });
    expect(drift.artifacts.find((artifact: { name: string }) => artifact.name === "core.env")).toMatchObject({
      change: "changed",
      diff: expect.stringContaining("+ORG_BRAND_SELF_LABEL=Robin"),
    });
    writeFileSync(join(cwd, CONFIG), soundConfig({ nonsense: true }));
    const refused = await runInProcess(["render", "--format", "json"], { cwd });
    expect(refused.stderr).toBe("");
    expect(JSON.parse(refused.stdout).deployments[0]).toMatchObject({
      ok: false,
      action: "nothing",
      artifacts: [],
      diagnostics: [expect.objectContaining({ severity: "error" })],
    });
  });
});
