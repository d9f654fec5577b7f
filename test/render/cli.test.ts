import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, plainEnv, runCli } from "../cli/built.ts";
import { soundConfig } from "../cli/deployments.ts";
import { loadDeployment } from "../../src/workspace/load.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { filledEnv } from "./secret-values.ts";
import { EXAMPLES } from "./support.ts";

const DIGEST = "5e".repeat(32);
const IMAGES = { core: `registry.acme-corp.dev/core@sha256:${DIGEST}`, "web-ui": `registry.acme-corp.dev/web@sha256:${DIGEST}` };
const CONFIG = "qm.config.jsonc";

function deployment(more: object = {}): string {
  return tempDirectory({ [CONFIG]: soundConfig({ imageOverrides: IMAGES, ...more }) });
}

function fillEnv(cwd: string): void {
  const loaded = loadDeployment(cwd, { cwd });
  if (loaded.deployment === undefined) throw new Error("a sound deployment");
  writeFileSync(join(cwd, ".env"), filledEnv(loaded.deployment), { mode: 0o600 });
}

function files(directory: string): { [name: string]: string } {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => statSync(join(directory, name)).isFile());
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(directory, name), "utf8")]));
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
    expect(stdout).not.toContain("Index:");
    expect(files(join(cwd, "rendered"))).toEqual(before);
  });

  test("--check before the first render is drift, and makes no directory", () => {
    const cwd = deployment();
    expect(runCli(["render", "--check"], { cwd })).toMatchObject({ status: 1, stdout: expect.stringContaining("/dev/null") });
    expect(readdirSync(cwd)).toEqual([CONFIG]);
  });

  test("a deployment that check refuses is not rendered, and what lay there stays", () => {
    const cwd = deployment();
    runCli(["render"], { cwd });
    const before = files(join(cwd, "rendered"));
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin", nonsense: true }));
    const refused = runCli(["render"], { cwd });
    expect(refused).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(/nonsense[\s\S]*nothing was rendered; --force/) });
    expect(files(join(cwd, "rendered"))).toEqual(before);
    expect(runCli(["render", "--force"], { cwd }).status).toBe(0);
    expect(files(join(cwd, "rendered"))["docker/core.env"]).toContain("ORG_BRAND_SELF_LABEL=Robin");
  });

  test("an artifact that cannot be made stops all of them; --force renders the others and says which are missing", () => {
    const cwd = deployment({ env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme1", LINES: "a\nb" } } });
    const refused = runCli(["render"], { cwd });
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("render/value-not-carried") });
    expect(existsSync(join(cwd, "rendered", "docker", "compose.yaml"))).toBe(false);
    const forced = runCli(["render", "--force"], { cwd });
    expect(forced).toMatchObject({ status: 1, stderr: expect.stringContaining("LINES") });
    const names = Object.keys(files(join(cwd, "rendered", "docker")));
    expect([names.includes("compose.yaml"), names.includes("core.env")]).toEqual([true, false]);
    expect(runCli(["render", "--only", "compose.yaml"], { cwd }).status).toBe(0);
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
    expect(runCli(["render", "--secrets"], { cwd })).toMatchObject({ status: 1, stderr: expect.stringMatching(/`POSTGRES_PASSWORD` has no value/) });
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
    const piped = runCli(["render", "-", "--only", "core.env", "--stdout"], { cwd: tempDirectory(), input: readFileSync(join(cwd, CONFIG)) });
    expect(piped.stdout).toBe(readFileSync(join(cwd, "rendered", "docker", "core.env"), "utf8"));
  });

  test("a stale file is drift; --prune removes it", () => {
    const cwd = deployment();
    runCli(["render"], { cwd });
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, services: ["core"] }));
    expect(runCli(["render"], { cwd }).stdout).toContain("stale    web-ui.env (no longer rendered; --prune removes it)");
    expect(runCli(["render", "--check"], { cwd })).toMatchObject({ status: 1, stdout: expect.stringContaining("web-ui.env") });
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
    expect(runCli(argv, { cwd, input: soundConfig() })).toMatchObject({ status: 2, stderr: expect.stringContaining(says) });
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

describe("where there is no .env, as in CI", () => {
  /** Renders with a `.env` and takes it away again. */
  function renderedWithout(cwd: string, env: string): string {
    writeFileSync(join(cwd, ".env"), env, { mode: 0o600 });
    expect(runCli(["render"], { cwd }).status).toBe(0);
    rmSync(join(cwd, ".env"));
    return cwd;
  }

  const docker = (): string => renderedWithout(deployment(), "DATABASE_URL=postgres://canary-user:canary-word@db.internal:5432/x\n");
  const aws = (): string => {
    const cwd = tempDirectory();
    cpSync(join(EXAMPLES, "aws-boxd"), cwd, { recursive: true });
    return renderedWithout(cwd, "SLACK_BOT_TOKEN=xoxb-canary\nSLACK_APP_TOKEN=\n");
  };

  test.each([
    ["docker", docker, ["DATABASE_URL"]],
    ["aws", aws, ["SLACK_BOT_TOKEN"]],
  ] as const)("%s: --check agrees with what the operator rendered with one, and the manifest holds names alone", (target, make, names) => {
    const cwd = make();
    const committed = files(join(cwd, "rendered"));
    expect(JSON.parse(committed[`${target}/manifest.json`] ?? "")).toMatchObject({ envNames: names });
    expect(Object.values(committed).join("\n")).not.toContain("canary");
    expect(runCli(["render", "--check"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(runCli(["render"], { cwd }).status).toBe(0);
    expect(files(join(cwd, "rendered"))).toEqual(committed);
  });

  test("a change of the config is drift all the same", () => {
    const cwd = docker();
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const { status, stdout } = runCli(["render", "--check"], { cwd });
    expect([status, stdout.includes("Robin"), stdout.includes("pg:")]).toEqual([1, true, false]);
  });

  test("a .env that is there decides, also against the manifest", () => {
    const cwd = docker();
    writeFileSync(join(cwd, ".env"), "POSTGRES_PASSWORD=\n", { mode: 0o600 });
    expect(runCli(["render", "--check"], { cwd })).toMatchObject({ status: 1, stdout: expect.stringMatching(/^\+ {2}pg:$/m) });
  });

  test("a directory of sandbox/ that git would not keep changes nothing", () => {
    const cwd = deployment();
    for (const name of ["skills", "tools"]) mkdirSync(join(cwd, "sandbox", name), { recursive: true });
    expect(runCli(["render"], { cwd }).status).toBe(0);
    rmSync(join(cwd, "sandbox"), { recursive: true });
    expect(runCli(["render", "--check"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    cpSync(join(EXAMPLES, "docker-boxd", "sandbox"), join(cwd, "sandbox"), { recursive: true });
    expect(runCli(["render", "--check"], { cwd })).toMatchObject({ status: 1, stdout: expect.stringContaining('target: "/layer/skills"') });
  });

  test("names that no .env could have given shape nothing", () => {
    const cwd = deployment();
    runCli(["render"], { cwd });
    const committed = files(join(cwd, "rendered"));
    const manifest = JSON.parse(committed["docker/manifest.json"] ?? "");
    for (const envNames of [["BOXD_API_KEY", "NOBODY", "__proto__", 7], "DATABASE_URL", undefined]) {
      writeFileSync(join(cwd, "rendered", "docker", "manifest.json"), JSON.stringify({ ...manifest, envNames }));
      expect(runCli(["render"], { cwd }).status).toBe(0);
      expect(files(join(cwd, "rendered"))).toEqual(committed);
    }
  });
});

describe("the render command of bring-up.md changes nothing that was rendered", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["docker-boxd", ["--out", "."]],
    ["docker-boxd", ["--out", "-x"]],
    ["docker-boxd", ["--out", "../it's out", "--bind", "::1"]],
    ["docker-boxd", ["--release", "0.1.6", "--force"]],
    ["fly-boxd", ["--target", "docker", "--out", "deep/er", "--release", "0.1.12"]],
    ["aws-boxd", ["--with-optional"]],
  ];
  test.each(cases)("%s %j", (name, options) => {
    const cwd = join(tempDirectory(), "deployment");
    cpSync(join(EXAMPLES, name), cwd, { recursive: true });
    const shown = JSON.parse(runCli(["render", "--format", "json", ...options], { cwd }).stdout);
    const directory = join(cwd, shown.directory);
    const committed = files(directory);
    const [, command = ""] = /^qm-deploy (render --secrets.*)$/m.exec(committed["bring-up.md"] ?? "") ?? [];
    const words = spawnSync("bash", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" }).stdout.split("\0").slice(0, -1);
    const force = options.includes("--force") ? ["--force"] : [];
    runCli([...words.filter((word) => word !== "--secrets"), ...force], { cwd });
    expect(files(directory)).toEqual(committed);
    expect(committed["bring-up.md"]).not.toContain(" -x/");
  });
});

describe("--format json", () => {
  test("is one object, whatever came of it", () => {
    const cwd = deployment();
    const first = JSON.parse(runCli(["render", "--format", "json"], { cwd }).stdout);
    expect(first).toMatchObject({ version: 1, ok: true, action: "write", directory: "rendered/docker", target: "docker", stale: [], refusals: [], diagnostics: [] });
    expect(first.artifacts.map((artifact: { name: string }) => artifact.name)).toEqual(Object.keys(files(join(cwd, "rendered", "docker"))).sort());
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const drift = JSON.parse(runCli(["render", "--check", "--format", "json"], { cwd }).stdout);
    expect(drift).toMatchObject({ ok: false, action: "check" });
    expect(drift.artifacts.find((artifact: { name: string }) => artifact.name === "core.env")).toMatchObject({ change: "changed", diff: expect.stringContaining("+ORG_BRAND_SELF_LABEL=Robin") });
    writeFileSync(join(cwd, CONFIG), soundConfig({ nonsense: true }));
    const refused = runCli(["render", "--format", "json"], { cwd });
    expect(refused.stderr).toBe("");
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, action: "nothing", artifacts: [], diagnostics: [expect.objectContaining({ severity: "error" })] });
  });
});

describe("the same deployment gives the same bytes", () => {
  const order = ["contract", "orgId", "publicUrl", "target", "services", "modelProvider", "env", "sandbox", "imageOverrides"];
  const shuffled = (text: string): string => {
    const config = JSON.parse(text);
    const env = { core: Object.fromEntries(Object.entries(config.env.core).reverse()) };
    const images = Object.fromEntries(Object.entries(config.imageOverrides).reverse());
    return JSON.stringify(Object.fromEntries([...order].reverse().map((key) => [key, key === "env" ? env : key === "imageOverrides" ? images : config[key]])));
  };

  test("whatever the working directory, time zone, locale, umask and order of keys", () => {
    const cwd = deployment();
    runCli(["render"], { cwd });
    // The projection for qm keeps the order of the config, which is the operator's.
    const { "qm/qm.config.jsonc": _own, "manifest.json": _hashes, ...expected } = files(join(cwd, "rendered", "docker"));
    const other = tempDirectory({ [`deep/er/${CONFIG}`]: shuffled(readFileSync(join(cwd, CONFIG), "utf8")) });
    const before = process.umask(0o077);
    try {
      runCli(["render", "../deep/er"], { cwd: (mkdirSync(join(other, "else")), join(other, "else")), env: { TZ: "Asia/Kathmandu", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" } });
    } finally {
      process.umask(before);
    }
    expect(files(join(other, "deep", "er", "rendered", "docker"))).toMatchObject(expected);
  });
});

describe("a process that is killed while it writes", () => {
  test("leaves whole files, old or new, and the next render mends the rest", async () => {
    const cwd = deployment();
    runCli(["render"], { cwd });
    const directory = join(cwd, "rendered", "docker");
    const old = files(directory);
    writeFileSync(join(cwd, CONFIG), soundConfig({ imageOverrides: IMAGES, botName: "Robin" }));
    const wanted = Object.fromEntries(Object.keys(old).map((name) => [name, runCli(["render", "--only", name, "--stdout"], { cwd }).stdout]));
    for (const delay of [60, 90, 110, 130, 160]) {
      const child = spawn(process.execPath, ["--", BIN, "render"], { cwd, env: plainEnv(), stdio: "ignore" });
      const ended = new Promise((done) => child.once("close", done));
      setTimeout(() => child.kill("SIGKILL"), delay);
      await ended;
      for (const [name, text] of Object.entries(files(directory)).filter(([path]) => !path.startsWith(".render-") && !path.endsWith(".lock"))) {
        if (name !== "manifest.json") expect([old[name], wanted[name]], name).toContain(text);
      }
    }
    expect(runCli(["render"], { cwd })).toMatchObject({ status: 0, stderr: "" });
    expect(runCli(["render", "--check"], { cwd }).status).toBe(0);
    expect(Object.keys(files(directory))).toEqual(Object.keys(old));
  });
});
