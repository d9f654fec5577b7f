import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadDeployment } from "../../../src/workspace/load-deployment.ts";
import { runCli } from "../../cli/built.ts";
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
  test("writes, and --check agrees until the config changes; then it shows a diff and writes nothing", () => {
    const cwd = deployment();
    expect(runCli(["render"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(runCli(["render", "--check"], { cwd })).toMatchObject({ status: 0 });
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const before = files(join(cwd, "rendered"));
    const { status, stdout } = runCli(["render", "--check"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain('\n+      ORG_BRAND_SELF_LABEL: "Robin"\n');
    expect(stdout).toMatch(/^--- rendered\/docker\/bring-up\.md|^--- rendered\/docker\/compose\.yaml/);
    const shown = stdout.match(/^--- .*$/gm) ?? [];
    expect(shown).not.toContain("--- rendered/docker/manifest.json");
    expect(stdout).toContain(`rendered/docker is not what the config says: ${shown.length} files differ; run`);
    expect(stdout).not.toContain("Index:");
    expect(files(join(cwd, "rendered"))).toEqual(before);
  });

  test("--check before the first render is drift, and makes no directory", () => {
    const cwd = deployment();
    expect(runCli(["render", "--check"], { cwd })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("/dev/null"),
    });
    expect(readdirSync(cwd)).toEqual([CONFIG]);
  });

  test("a deployment that check refuses is not rendered, and what lay there stays", () => {
    const cwd = deployment();
    runCli(["render"], { cwd });
    const before = files(join(cwd, "rendered"));
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin", nonsense: true }));
    const refused = runCli(["render"], { cwd });
    expect(refused).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/nonsense[\s\S]*nothing was rendered; --force/),
    });
    expect(files(join(cwd, "rendered"))).toEqual(before);
    expect(runCli(["render", "--force"], { cwd }).status).toBe(0);
    expect(files(join(cwd, "rendered"))["docker/core.env"]).toContain("ORG_BRAND_SELF_LABEL=Robin");
  });

  test("an artifact that cannot be made stops all of them; --force renders the others and says which are missing", () => {
    const cwd = deployment({ imageOverrides: {} });
    const old = ["--release", "0.1.6"];
    const refused = runCli(["render", ...old], { cwd });
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("render/image-missing") });
    expect(existsSync(join(cwd, "rendered", "docker", "core.env"))).toBe(false);
    const forced = runCli(["render", "--force", ...old], { cwd });
    expect(forced).toMatchObject({ status: 1, stderr: expect.stringContaining("`web-ui`") });
    const names = Object.keys(files(join(cwd, "rendered", "docker")));
    expect([names.includes("compose.yaml"), names.includes("core.env")]).toEqual([false, true]);
    expect(runCli(["render", "--only", "core.env", ...old], { cwd }).status).toBe(0);
  });

  test("a value that an env file cannot hold keeps nothing from being rendered: compose.yaml has it", () => {
    const cwd = deployment({ env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme1", LINES: "a\nb" } } });
    const { status, stdout } = runCli(["render"], { cwd });
    expect([status, stdout]).toEqual([0, expect.stringContaining("info: core.env: left out: docker cannot carry")]);
    const rendered = files(join(cwd, "rendered", "docker"));
    expect([rendered["compose.yaml"], rendered["core.env"]]).toEqual([
      expect.stringContaining('LINES: "a\\nb"'),
      expect.not.stringContaining("LINES="),
    ]);
  });

  test("findings about secret values stop --secrets alone", () => {
    const cwd = deployment();
    writeFileSync(join(cwd, ".env"), "BOXD_API_KEY=replace-me\nPORTAL_IDENTITY_SECRET=\n", { mode: 0o600 });
    expect(runCli(["render"], { cwd }).status).toBe(0);
    const secrets = runCli(["render", "--secrets"], { cwd });
    expect(secrets).toMatchObject({ status: 1, stderr: expect.stringMatching(/BOXD_API_KEY/) });
    expect(Object.keys(files(join(cwd, "rendered"))).filter((name) => name.includes(".secrets."))).toEqual([]);
  });

  test("--secrets writes files for the owner alone, and no value is printed", () => {
    const cwd = deployment();
    fillEnv(cwd);
    const { status, stdout, stderr } = runCli(["render", "--secrets"], { cwd });
    expect([status, stderr]).toEqual([0, ""]);
    const file = join(cwd, "rendered", "docker", "core.secrets.env");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const line of readFileSync(join(cwd, ".env"), "utf8").trim().split("\n")) {
      const value = line.slice(line.indexOf("=") + 1).replace(/^['"]|['"]$/g, "");
      expect(stdout + runCli(["render", "--secrets", "--format", "json"], { cwd }).stdout).not.toContain(value);
    }
  });

  test("--secrets without a password for Postgres fails loudly, by its name", () => {
    const cwd = deployment();
    fillEnv(cwd);
    writeFileSync(join(cwd, ".env"), readFileSync(join(cwd, ".env"), "utf8").replace(/^POSTGRES_PASSWORD=.*\n/m, ""));
    expect(runCli(["render", "--secrets"], { cwd })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/`POSTGRES_PASSWORD` has no value/),
    });
    expect(existsSync(join(cwd, "rendered"))).toBe(false);
  });

  test("core's database may be kept under another name: it is passed on, and no Postgres comes with it", () => {
    const secretEnv = { core: { DATABASE_URL: "PROD_DATABASE" } };
    const cwd = deployment({ secretEnv });
    fillEnv(cwd);
    const env = readFileSync(join(cwd, ".env"), "utf8").replace(/^(?:PROD_DATABASE|POSTGRES_PASSWORD)=.*\n/gm, "");
    writeFileSync(join(cwd, ".env"), `${env}PROD_DATABASE=postgres://qm:word-7f3a@db.acme-corp.dev/qm\n`);
    expect(runCli(["render", "--secrets"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    const made = files(join(cwd, "rendered", "docker"));
    expect(made["core.secrets.env"]).toContain("\nDATABASE_URL=postgres://qm:word-7f3a@db.acme-corp.dev/qm\n");
    expect(made["compose.yaml"]).not.toMatch(/^ {2}pg:$/m);
  });

  test("--stdout prints one artifact and writes nothing", () => {
    const cwd = deployment();
    const { status, stdout } = runCli(["render", "--only", "compose.yaml", "--stdout"], { cwd });
    expect([status, readdirSync(cwd)]).toEqual([0, [CONFIG]]);
    runCli(["render"], { cwd });
    expect(stdout).toBe(readFileSync(join(cwd, "rendered", "docker", "compose.yaml"), "utf8"));
    const piped = runCli(["render", "-", "--only", "core.env", "--stdout"], {
      cwd: tempDirectory(),
      input: readFileSync(join(cwd, CONFIG)),
    });
    expect(piped.stdout).toBe(readFileSync(join(cwd, "rendered", "docker", "core.env"), "utf8"));
  });

  test("a stale file is drift; --prune removes it", () => {
    const cwd = deployment();
    runCli(["render"], { cwd });
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, services: ["core"] }));
    expect(runCli(["render"], { cwd }).stdout).toContain(
      "stale    web-ui.env (no longer rendered; --prune removes it)",
    );
    expect(runCli(["render", "--check"], { cwd })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("web-ui.env"),
    });
    expect(runCli(["render", "--prune"], { cwd }).stdout).toContain("web-ui.env (no longer rendered: removed)");
    expect(runCli(["render", "--check"], { cwd }).status).toBe(0);
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
  ])("%j is a wrong command line", (argv, says) => {
    const cwd = deployment();
    expect(runCli(argv, { cwd, input: soundConfig() })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(says),
    });
    expect(existsSync(join(cwd, "rendered", "docker", "compose.yaml"))).toBe(false);
  });

  test("--out, --target, --release and --bind reach the files, and the commands in them", () => {
    const cwd = deployment();
    expect(runCli(["render", "--out", "made here", "--bind", "0.0.0.0"], { cwd }).status).toBe(0);
    const made = files(join(cwd, "made here", "docker"));
    expect(made["compose.yaml"]).toContain('"0.0.0.0:8080:8080"');
    expect(made["compose.yaml"]).toContain("docker compose -f 'made here/docker/compose.yaml' up");
    expect(made["bring-up.md"]).toContain("\nqm-deploy render --secrets --out 'made here' --bind 0.0.0.0\n");
    expect(runCli(["render", "--check", "--out", "made here", "--bind", "0.0.0.0"], { cwd }).status).toBe(0);
  });
});

describe("--format json", () => {
  test("is one object, whatever came of it", () => {
    const cwd = deployment();
    const ran = JSON.parse(runCli(["render", "--format", "json"], { cwd }).stdout);
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
    const [drift] = JSON.parse(runCli(["render", "--check", "--format", "json"], { cwd }).stdout).deployments;
    expect(drift).toMatchObject({ ok: false, action: "check" });
    expect(drift.artifacts.find((artifact: { name: string }) => artifact.name === "core.env")).toMatchObject({
      change: "changed",
      diff: expect.stringContaining("+ORG_BRAND_SELF_LABEL=Robin"),
    });
    writeFileSync(join(cwd, CONFIG), soundConfig({ nonsense: true }));
    const refused = runCli(["render", "--format", "json"], { cwd });
    expect(refused.stderr).toBe("");
    expect(JSON.parse(refused.stdout).deployments[0]).toMatchObject({
      ok: false,
      action: "nothing",
      artifacts: [],
      diagnostics: [expect.objectContaining({ severity: "error" })],
    });
  });
});
