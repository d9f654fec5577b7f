import { randomBytes } from "node:crypto";
import { chmodSync, cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inTurn } from "../support/runs.ts";
import { standIns } from "../references/stand-ins/index.ts";
import { filesBelow } from "../support/files-below.ts";
import { main } from "../../src/cli/main.ts";
import { fakeIo } from "./fake-io.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { runInProcess } from "./in-process.ts";
import { soundConfig } from "./deployments.ts";

/** Stands in every planted secret; random, so that nothing can know it. */
const MARK = `zq7${randomBytes(10).toString("hex")}k4`;
let planted = 0;

/** A secret of its own. */
function canary(): string {
  planted++;
  return `${MARK}${String(planted).padStart(3, "0")}`;
}

const base = JSON.parse(soundConfig());

/** Names of every kind: known secrets, secret-looking ones, harmless ones, settings that are judged, managed ones. */
const ENV_NAMES = [
  "BOXD_API_KEY",
  "ANTHROPIC_API_KEY",
  "SMTP_PASS",
  "FOO",
  "LOG_LEVEL",
  "SANDBOX_BACKEND",
  "SANDBOX_SCOPE_BACKENDS",
  "SANDBOX_SECONDARY_BACKEND",
  "BOXD_VCPU",
  "BOXD_BASE_URL",
  "BOXD_EGRESS_PROXY_URL",
  "SANDBOX_TIMEOUT_SEC",
  "PUBLIC_API_URL",
  "DATABASE_URL",
  "PORT",
  "HARNESS",
  "MODEL_PROVIDER",
  "ADMIN_GRANTS",
  "bad name",
  "AWS_ACCESS_KEY_ID",
  "OIDC_ISSUER",
];

/** The forms in which a secret is put into a value. */
const FORMS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `sk-ant-api03-${secret}`,
  (secret) => `https://user:${secret}@host.acme-corp.dev/path`,
  (secret) => `https://host.acme-corp.dev/?token=${secret}`,
  (secret) => `postgres://qm:${secret}@db:5432/qm`,
  (secret) => `{"default": "${secret}"`,
  (secret) => `${secret} with spaces`,
  (secret) => `line\n${secret}`,
];

/** Config texts by name, with secrets where values can stand. */
function configs(): { readonly [name: string]: string } {
  const made: { [name: string]: string } = {};
  for (const [at, form] of FORMS.entries()) {
    const env = () => Object.fromEntries(ENV_NAMES.map((name) => [name, form(canary())]));
    made[`env-${at}`] = JSON.stringify(
      { ...base, env: { core: env(), slack: env(), "web-ui": env(), nobody: env() } },
      null,
      2,
    );
    made[`env-one-line-${at}`] = JSON.stringify({ ...base, env: { core: env() } });
    made[`sandbox-env-${at}`] = JSON.stringify(
      { ...base, sandbox: { backend: "boxd", env: env(), secretEnv: [form(canary())] } },
      null,
      2,
    );
    made[`plugins-${at}`] = JSON.stringify(
      {
        ...base,
        plugins: [{ name: "p", image: "x", env: env(), secrets: [{ name: "P", description: form(canary()) }] }],
      },
      null,
      2,
    );
    made[`build-args-${at}`] = JSON.stringify(
      { ...base, target: "aws", aws: { services: { core: { buildArgs: env() } } } },
      null,
      2,
    );
    // What has the form of a store's name is one, and names are shown; a secret in any other form is not.
    if (at > 0)
      made[`secret-env-${at}`] = JSON.stringify({ ...base, secretEnv: { core: { TOKEN: form(canary()) } } }, null, 2);
    made[`urls-${at}`] = JSON.stringify(
      {
        ...base,
        publicUrl: form(canary()),
        apiUrl: form(canary()),
        securityScreen: { backend: "proxy", endpoint: form(canary()) },
      },
      null,
      2,
    );
    made[`unknown-${at}`] = JSON.stringify(
      {
        ...base,
        boxdApiKey: form(canary()),
        sandbox: { backend: "boxd", apiKey: form(canary()) },
        aws: { secret: form(canary()) },
      },
      null,
      2,
    );
    made[`wrong-type-${at}`] = JSON.stringify(
      {
        ...base,
        env: form(canary()),
        services: form(canary()),
        sandbox: form(canary()),
        plugins: form(canary()),
        vms: [form(canary())],
      },
      null,
      2,
    );
    made[`images-${at}`] = JSON.stringify(
      { ...base, imageOverrides: { core: `registry.dev/core:${form(canary())}`, "web-ui": form(canary()) } },
      null,
      2,
    );
    made[`broken-${at}`] = soundConfig().replace(
      '"modelProvider"',
      `"API_KEY": ${JSON.stringify(form(canary()))} "modelProvider"`,
    );
    made[`unquoted-${at}`] = soundConfig().replace('"anthropic"', `${form(canary()).replaceAll("\n", " ")}`);
    made[`json5-${at}`] = soundConfig().replace(
      '"modelProvider": "anthropic"',
      `apiKey: '${form(canary()).replaceAll("\n", " ")}'`,
    );
  }
  made.comments = soundConfig().replace(
    "{\n",
    `{\n  // the key was ${canary()}\n  "nonsense": 1, // password=${canary()}\n  /* ${canary()} */\n`,
  );
  made.duplicate = soundConfig().replace(
    '"modelProvider"',
    `"env": { "core": { "FOO": "${canary()}" } }, "modelProvider"`,
  );
  made.proto = soundConfig().replace('"modelProvider"', `"__proto__": { "apiKey": "${canary()}" }, "modelProvider"`);
  made.unterminated = `${soundConfig().slice(0, -3)}, "API_KEY": "${canary()}`;
  return made;
}

/** Env files by name. */
function envFiles(): { readonly [name: string]: string } {
  const pem = `-----BEGIN PRIVATE KEY-----\n${canary()}\n${canary()}=\n-----END PRIVATE KEY-----`;
  const names = [
    "BOXD_API_KEY",
    "CAPABILITY_SECRET",
    "CORE_SIGNING_SECRET",
    "ANTHROPIC_API_KEY",
    "DATABASE_URL",
    "POSTGRES_PASSWORD",
    "PUBLIC_API_URL",
    "ADMIN_GRANTS",
    "AUTH_SIGNING_JWK",
    "AUTH_EMAIL_FROM",
    "BOXD_VCPU",
    "UNKNOWN",
  ];
  return {
    plain: names.map((name) => `${name}=${canary()}\n`).join(""),
    quoted: names.map((name) => `export ${name}="${canary()} # $x ${canary()}" # ${canary()}\n`).join(""),
    urls: names.map((name) => `${name}=postgres://u:${canary()}@localhost/x?y=${canary()}\n`).join(""),
    jwk: `AUTH_SIGNING_JWK={"kty":"EC","crv":"P-256","d":"${canary()}","x":"${canary()}","y":"a"}\nADMIN_GRANTS=${canary()}:owner,x\n`,
    same: ((secret: string) => names.map((name) => `${name}=${secret}\n`).join(""))(canary()),
    pem: `KEY=${pem}\nBOXD_API_KEY='${pem}'\n`,
    junk: `${canary()}\n${canary()}=\n=${canary()}\n: ${canary()}\nA B=${canary()}\nBOXD_API_KEY: ${canary()}\n`,
    open: `BOXD_API_KEY="${canary()}\nOTHER=${canary()}\n`,
    twice: `BOXD_API_KEY=${canary()}\nBOXD_API_KEY=${canary()}\nFOO=${canary()}\nFOO=\n`,
    controls: `BOXD_API_KEY=${canary()}\u001b[2J\nFOO=\ud800${canary()}\n`,
  };
}

/** Files beside a config that rules read. */
function otherFiles(): { readonly [path: string]: string } {
  return {
    "package.json": JSON.stringify({
      name: "d",
      dependencies: { "@yc-software/qm": `https://u:${canary()}@registry.acme-corp.dev/qm.tgz` },
    }),
    "sandbox/tools/t/tool.json": JSON.stringify(
      {
        id: canary(),
        label: 1,
        auth: { check: `curl -H ${canary()}` },
        egress: [`https://u:${canary()}@x`],
        token: canary(),
      },
      null,
      2,
    ),
    "sandbox/tools/b/tool.json": `{ "id": "b", "token": "${canary()}" "x" }`,
    "sandbox/skills/s/SKILL.md": `---\nname: s\ntoken: ${canary()}\n---\n`,
    "sandbox/Dockerfile": `FROM x\nENV TOKEN=${canary()}\n`,
    "plugins/p/Dockerfile": `FROM x\nARG API_KEY=${canary()}\n`,
  };
}

function plant(): string {
  const files: { [path: string]: string } = {};
  for (const [name, text] of Object.entries(configs())) files[`configs/${name}/qm.config.jsonc`] = text;
  for (const [name, text] of Object.entries(envFiles())) {
    for (const target of ["docker", "fly"]) {
      files[`env/${name}-${target}/qm.config.jsonc`] = soundConfig({
        target,
        services: ["core", "web-ui", "portal", "auth"],
      });
      files[`env/${name}-${target}/.env`] = text;
    }
  }
  for (const [path, text] of Object.entries(otherFiles())) files[`other/one/${path}`] = text;
  files["other/one/qm.config.jsonc"] = soundConfig({ plugins: [{ name: "p" }] });
  return tempDirectory(files);
}

/** The places where a planted secret shows, with what stands around it. */
function leaks(text: string): string[] {
  return [...text.matchAll(new RegExp(MARK, "g"))].map((match) =>
    text.slice(Math.max(0, match.index - 120), match.index + 40),
  );
}

describe("no secret that stands anywhere in the input stands in any output", () => {
  test("the search finds one", () => {
    const secret = canary();
    expect(leaks(`x ${secret} y`)).toEqual([`x ${secret} y`]);
  });

  for (const format of ["pretty", "json", "github", "sarif", "junit"]) {
    test(`check --format ${format}`, async () => {
      const { stdout, stderr, status } = await runInProcess(["check", "--format", format, "."], { cwd: plant() });
      expect(status).toBeGreaterThan(0);
      expect(stdout.length).toBeGreaterThan(10_000);
      expect(leaks(stdout + stderr)).toEqual([]);
    });
  }

  test("check --fix=all", async () => {
    const { stdout, stderr } = await runInProcess(["check", "--fix=all", "."], { cwd: plant() });
    expect(leaks(stdout + stderr)).toEqual([]);
  });

  test("the commands about secrets", async () => {
    const cwd = plant();
    const commands = [
      ["secrets"],
      ["secrets", "--format", "json"],
      ["secrets", "example"],
      ["secrets", "check"],
      ["secrets", "check", "--format", "json"],
    ];
    for (const [turn, name] of Object.keys(envFiles()).entries()) {
      chmodSync(join(cwd, `env/${name}-docker/.env`), 0o600);
      for (const argv of inTurn(commands, 2, turn)) {
        const { stdout, stderr } = await runInProcess([...argv, `env/${name}-docker`], { cwd });
        expect(leaks(stdout + stderr)).toEqual([]);
      }
    }
  });

  test("what the tools of --resolve give, and what they say", async () => {
    const names = ["BOXD_API_KEY", "CAPABILITY_SECRET", "CORE_SIGNING_SECRET", "ANTHROPIC_API_KEY", "DATABASE_URL"];
    const references = names
      .map((name) => `${name}=op://acme/qm/${name}\nADMIN_GRANTS=ref+echo://${canary()}\n`)
      .join("");
    const values = FORMS.map((form, at) => [`op://acme/qm/${names[at % names.length]}`, form(canary())]);
    const worlds = [
      { op: Object.fromEntries(values.slice(0, 5)) },
      { op: Object.fromEntries(values.slice(3)) },
      {
        faults: {
          op: { status: 1, printed: `${canary()} ${canary()}\n`, says: `no: ${canary()} op://acme/${canary()}` },
        },
      },
    ];
    for (const world of worlds) {
      const { env } = standIns(world);
      const cwd = tempDirectory({ "qm.config.jsonc": soundConfig(), ".env": references });
      chmodSync(join(cwd, ".env"), 0o600);
      for (const argv of [
        ["secrets", "check", "--resolve"],
        ["render", "--secrets", "--resolve", "--force", "--format", "json"],
      ]) {
        const io = fakeIo(argv, { cwd, env });
        await main(io);
        expect(io.out.length).toBeGreaterThan(100);
        expect(leaks(io.out + io.err)).toEqual([]);
      }
      const committed = Object.entries(filesBelow(join(cwd, "rendered")).files).filter(
        ([file]) => !file.includes(".secrets."),
      );
      expect(leaks(committed.map(([, text]) => text).join("\n"))).toEqual([]);
    }
  });

  test("an input that is no text, and one on stdin", async () => {
    const cwd = tempDirectory({ "x.jsonc": Buffer.from(`{ "a": "${canary()}"\xff }`, "latin1") });
    cpSync(join(cwd, "x.jsonc"), join(cwd, "y.jsonc"));
    for (const argv of [
      ["check", "x.jsonc", "y.jsonc"],
      ["secrets", "x.jsonc"],
      ["check", "-"],
    ]) {
      const { stdout, stderr } = await runInProcess(argv, { cwd, input: `{ "apiKey": "${canary()}", }` });
      expect(leaks(stdout + stderr)).toEqual([]);
    }
  });
});
