import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processesSupported, TEST_KEY } from "../support/boxd-fake/index.ts";
import { makeStandIn, type StandIn } from "../support/boxd-sdk-stand-in/stand-in.ts";
import { BIN, plainEnv, type Ran, runCli } from "./built.ts";

interface Probe {
  id: string;
  status: string;
  says: string;
  help: string | null;
}

let server: Server;
let address: string;
beforeAll(async () => {
  server = createServer((request, response) => response.writeHead(request.url === "/healthz" ? 200 : 404).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** An address at which nobody listens any more. */
async function closedAddress(): Promise<string> {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** A deployment directory; `{}` values of `files` are texts. */
function deployment(files: { readonly [path: string]: string } = {}, config: object = {}): string {
  const directory = mkdtempSync(join(tmpdir(), "qm-doctor-"));
  const base = {
    contract: 1,
    orgId: "acme",
    publicUrl: "https://qm.acme.dev",
    target: "docker",
    services: ["core", "web-ui"],
    sandbox: { backend: "boxd" },
    ...config,
  };
  const all = {
    "qm.config.jsonc": JSON.stringify(base),
    "package.json": '{"devDependencies":{"@yc-software/qm":"0.1.12"}}',
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** A directory for PATH with node and programs that print what is given. */
function programs(tools: { readonly [name: string]: string }): string {
  const directory = mkdtempSync(join(tmpdir(), "qm-doctor-path-"));
  for (const [name, body] of Object.entries(tools)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return directory;
}

/** Asynchronously: the servers that the program asks live in this process. */
function doctor(
  cwd: string,
  args: readonly string[],
  env: { readonly [name: string]: string } = {},
  nodeArgs: readonly string[] = [],
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...nodeArgs, "--", BIN, "doctor", ...args], {
      cwd,
      env: { ...plainEnv(), ...env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()));
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}

async function probes(
  cwd: string,
  env: { readonly [name: string]: string } = {},
  nodeArgs: readonly string[] = [],
): Promise<Map<string, Probe>> {
  const { stdout, stderr, status } = await doctor(cwd, ["--format", "json"], env, nodeArgs);
  expect(stdout + stderr).not.toContain(TEST_KEY);
  const report = JSON.parse(stdout) as { version: number; ok: boolean; probes: Probe[] };
  expect(report.version).toBe(1);
  expect(status).toBe(report.ok ? 0 : 1);
  expect(report.ok).toBe(report.probes.every((probe) => probe.status !== "failed"));
  for (const probe of report.probes) expect(probe.help === null, probe.id).toBe(probe.status !== "failed");
  return new Map(report.probes.map((probe) => [probe.id, probe]));
}

const DOCKER = 'case "$1" in compose) echo 2.39.1;; *) echo 28.2.2;; esac';

describe("tools", () => {
  test("those of the target are asked for their version, the others skipped", async () => {
    const found = await probes(deployment(), { PATH: programs({ docker: DOCKER }) });
    expect(found.get("tool-docker-version")).toMatchObject({ status: "ok", says: "28.2.2" });
    expect(found.get("tool-docker-compose")).toMatchObject({ status: "ok", says: "2.39.1" });
    expect(found.get("tool-fly-version")).toMatchObject({ status: "skipped" });
    expect(found.get("node")).toMatchObject({ status: "ok", says: process.versions.node });
  });

  test("one that is missing or fails is said", async () => {
    expect((await probes(deployment(), { PATH: programs({}) })).get("tool-docker-version")).toMatchObject({
      status: "failed",
      says: "`docker` is not on PATH",
    });
    const broken = await probes(deployment(), { PATH: programs({ docker: "echo no daemon >&2; exit 1" }) });
    expect(broken.get("tool-docker-version")).toMatchObject({
      status: "failed",
      says: expect.stringContaining("no daemon") as string,
    });
  });

  test.each([
    ["a line of 10 MB", "head -c 10000000 /dev/zero | tr '\\0' x"],
    ["a million lines", "yes | head -n 1000000"],
  ])("%s is read to its end and shown in short", async (_, body) => {
    const found = await probes(deployment(), { PATH: `${programs({ docker: body })}:${process.env["PATH"] ?? ""}` });
    const { status, says } = found.get("tool-docker-version") as Probe;
    expect(status).toBe("ok");
    expect(says.length).toBeLessThan(400);
  });

  test("what a program prints of the deployment's secrets, or to move the cursor, is not shown", async () => {
    const pem = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n-----END PRIVATE KEY-----";
    const directory = deployment({
      ".env": `BOXD_API_KEY=${TEST_KEY}\nCUSTOM_PRIVATE_KEY="${pem.replaceAll("\n", "\\n")}"\n`,
    });
    const path = `${programs({ docker: `case "$1" in compose) echo "$1 $INHERITED"; exit 3;; esac\nprintf '\\033[2J%s %s' "$BOXD_API_KEY" "$PEM"` })}:${process.env["PATH"] ?? ""}`;
    const env = { PATH: path, BOXD_API_KEY: "bxd_inherited-value", PEM: pem, INHERITED: TEST_KEY };
    const found = await probes(directory, env);
    expect(found.get("tool-docker-version")?.says).toMatch(/\[redacted\] \[redacted\]$/);
    expect(found.get("tool-docker-compose")?.says).toMatch(/failed: compose \[redacted\]$/);
    const { stdout } = await doctor(directory, [], env);
    expect(stdout).not.toMatch(/\u001b|bxd_inherited|BEGIN PRIVATE/);
    expect(stdout).not.toContain(TEST_KEY);
  });

  test("a program that will not end is killed with what it started, and does not keep doctor", async () => {
    const mark = `${Math.floor(Math.random() * 1e6) + 1e6}`;
    const path = `${programs({ docker: `trap '' TERM INT\nsleep ${mark} &\nsleep ${mark}` })}:${process.env["PATH"] ?? ""}`;
    const fast = ["--import", join(import.meta.dirname, "../support/fast-time.mjs")];
    const found = await probes(deployment(), { PATH: path, FAST_TIME: "4" }, fast);
    expect(found.get("tool-docker-version")).toMatchObject({
      status: "failed",
      says: "no answer within 10 seconds",
    });
    // Killed is not yet gone.
    while (execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(`sleep ${mark}`)) await sleep(20);
  });

  test("a process that a program leaves behind does not hold its answer up", async () => {
    const path = `${programs({ docker: "sleep 15 &\necho 28.2.2" })}:${process.env["PATH"] ?? ""}`;
    expect((await probes(deployment(), { PATH: path })).get("tool-docker-version")).toMatchObject({
      status: "ok",
      says: "28.2.2",
    });
  });

  test("a program that cannot be started is said with the reason", async () => {
    const path = programs({ docker: DOCKER });
    chmodSync(join(path, "docker"), 0o644);
    expect((await probes(deployment(), { PATH: path })).get("tool-docker-version")).toMatchObject({
      status: "failed",
      says: expect.stringMatching(/EACCES|not on PATH/) as string,
    });
  });

  test("flyctl serves as well as fly", async () => {
    const found = await probes(deployment({}, { target: "fly" }), { PATH: programs({ flyctl: "echo flyctl v0.3" }) });
    expect(found.get("tool-fly-version")).toMatchObject({ status: "ok", says: "flyctl v0.3" });
  });
});

describe("the stage", () => {
  /** A docker with containers under labels that begin so. */
  const dockerWith = (label: string) =>
    `case "$*" in compose*) echo 2.39.1;; version*) echo 28.2.2;; *"label=${label}"*) echo 0123abcd;; esac`;
  const stages = [
    ["before the first deployment", "nothing-at-all", /^nothing of it runs: this is before/],
    ["moving in on what `qm up` made", "qm.org", /^what runs was made by qm's own `up`/],
    ["after it", "com.docker.compose.project", /^it runs/],
  ] as const;

  test.each(stages)("%s", async (_, label, says) => {
    const path = programs({ docker: dockerWith(label) });
    const found = await probes(deployment(), { PATH: path });
    expect(found.get("stage")).toMatchObject({ status: "ok", says: expect.stringMatching(says) as string });
  });

  test("before the first deployment, what is still to be done is no failure; afterwards it is", async () => {
    const directory = deployment(
      { ".env": `PUBLIC_API_URL=${await closedAddress()}\n` },
      { sandbox: { backend: "local" } },
    );
    chmodSync(join(directory, ".env"), 0o600);
    const of = async (label: string) => {
      const found = await probes(directory, { PATH: programs({ docker: dockerWith(label) }) });
      return ["check", "public-api-url"].map((id) => found.get(id)?.status);
    };
    expect(await of("nothing-at-all")).toEqual(["skipped", "skipped"]);
    expect(await of("com.docker.compose.project")).toEqual(["failed", "failed"]);
  });

  test("a target that cannot be asked leaves it open", async () => {
    expect((await probes(deployment(), { PATH: programs({}) })).get("stage")).toMatchObject({ status: "skipped" });
  });

  test("docker without compose is told as that", async () => {
    const docker = 'case "$1" in compose) echo "unknown flag: --short" >&2; exit 125;; *) echo 28.2.2;; esac';
    expect((await probes(deployment(), { PATH: programs({ docker }) })).get("tool-docker-compose")).toMatchObject({
      status: "failed",
      says: "docker has no `compose`",
      help: expect.stringContaining("compose plugin, 2.20 or newer") as string,
    });
  });
});

describe("files", () => {
  test("errors of check are counted", async () => {
    expect((await probes(deployment())).get("check")).toMatchObject({ status: "ok" });
    expect((await probes(deployment({}, { orgId: "No Good" }))).get("check")).toMatchObject({
      status: "failed",
      says: "1 error",
    });
  });

  test("the release pin is exact, inexact or missing", async () => {
    const pin = async (text: string) => (await probes(deployment({ "package.json": text }))).get("release-pin");
    expect(await pin('{"dependencies":{"@yc-software/qm":"0.1.12"}}')).toMatchObject({
      status: "ok",
      says: "qm 0.1.12 (package.json)",
    });
    expect(await pin('{"dependencies":{"@yc-software/qm":"0.1.9"}}')).toMatchObject({
      status: "failed",
      says: expect.stringContaining("0.1.9") as string,
    });
    expect(await pin("{}")).toMatchObject({ status: "skipped" });
  });

  test("a readable .env fails, a tight one does not", async () => {
    const directory = deployment({ ".env": "A=1\n" });
    chmodSync(join(directory, ".env"), 0o644);
    expect((await probes(directory)).get("env-file-mode")).toMatchObject({ status: "failed", help: "chmod 600 .env" });
    chmodSync(join(directory, ".env"), 0o600);
    expect((await probes(directory)).get("env-file-mode")).toMatchObject({ status: "ok" });
  });

  test("a .env that git tracks, ignores, or would take with the next add", async () => {
    const directory = deployment({ ".env": "A=1\n" });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, stdio: "ignore" });
    expect((await probes(directory)).get("env-file-tracked")).toMatchObject({ status: "skipped" });
    git("init", "-q");
    expect((await probes(directory)).get("env-file-tracked")).toMatchObject({
      status: "failed",
      says: expect.stringContaining("nothing ignores it") as string,
    });
    writeFileSync(join(directory, ".gitignore"), ".env\n");
    expect((await probes(directory)).get("env-file-tracked")).toMatchObject({ status: "ok", says: "ignored" });
    git("add", "-f", ".env");
    expect((await probes(directory)).get("env-file-tracked")).toMatchObject({
      status: "failed",
      says: expect.stringContaining("tracks") as string,
    });
  });
});

test("rendered files that git ignores are told of, as they would be in no commit", async () => {
  const directory = deployment();
  const probe = async () => (await probes(directory)).get("rendered-ignored");
  expect(await probe()).toMatchObject({ status: "skipped" });
  runCli(["render", "--force"], { cwd: directory });
  expect(await probe()).toMatchObject({ status: "skipped", says: "the directory is in no git repository" });
  execFileSync("git", ["init", "-q"], { cwd: directory });
  writeFileSync(join(directory, ".gitignore"), "*.env\n");
  expect(await probe()).toMatchObject({ status: "ok" });
  writeFileSync(join(directory, ".gitignore"), "rendered/\n");
  expect(await probe()).toMatchObject({ status: "failed", says: expect.stringContaining("git ignores") as string });
});

describe("addresses", () => {
  test("PUBLIC_API_URL is asked for its health and never shown", async () => {
    const at = (value: string) => deployment({ ".env": `PUBLIC_API_URL=${value}\n` });
    const answer = (await probes(at(address))).get("public-api-url");
    expect(answer).toMatchObject({ status: "ok", says: "answers with status 200 from here" });
    const closed = (await probes(at(await closedAddress()))).get("public-api-url");
    expect(closed).toMatchObject({ status: "failed", says: "does not answer from here (ECONNREFUSED)" });
    // On docker `.env` is the store.
    const missing = { status: "skipped", says: "its value is not in .env" };
    expect((await probes(deployment())).get("public-api-url")).toMatchObject(missing);
    const onFly = deployment({}, { target: "fly", appPrefix: "acme", region: "sjc" });
    const elsewhere = { status: "skipped", says: "its value is not in .env; the target's store may have it" };
    expect((await probes(onFly)).get("public-api-url")).toMatchObject(elsewhere);
  });

  test("boxd's address takes a connection or not", async () => {
    const at = (value: string) => deployment({}, { env: { core: { BOXD_BASE_URL: value } } });
    expect((await probes(at(address))).get("boxd-base-url")).toMatchObject({ status: "ok" });
    expect((await probes(at("http://127.0.0.1:1"))).get("boxd-base-url")).toMatchObject({
      status: "failed",
      says: "no connection to port 1 (ECONNREFUSED)",
    });
    for (const none of ["localhost:9443", "file:///tmp", "boxd.sh", "https://"])
      expect((await probes(at(none))).get("boxd-base-url"), none).toMatchObject({
        status: "failed",
        says: "BOXD_BASE_URL is not an http or https URL",
      });
    expect((await probes(at("http://boxd.example"))).get("boxd-base-url")).toMatchObject({
      status: "failed",
      says: expect.stringContaining("BOXD_BASE_URL must be https"),
    });
    expect((await probes(deployment({}, { sandbox: { backend: "local" } }))).get("boxd-base-url")).toMatchObject({
      status: "skipped",
    });
  });
});

describe.skipIf(!processesSupported)(
  `the boxd key, against the stand-in for the SDK${processesSupported ? "" : " (skipped: the fake's machines need /proc)"}`,
  () => {
    let standIn: StandIn;
    beforeAll(async () => void (standIn = await makeStandIn()));
    afterAll(() => standIn.dispose());
    const withKey = { ".env": `BOXD_API_KEY=${TEST_KEY}\n` };

    test("is accepted, for the configured org, and its machines are counted", async () => {
      const directory = deployment(withKey, { env: { core: { BOXD_ORG: "acme" } } });
      const settings = { org: { id: "org-1", slug: "acme" }, machines: [{ name: "acme-1" }] };
      expect((await probes(directory, standIn.env(settings), standIn.nodeArgs)).get("boxd-key")).toMatchObject({
        status: "ok",
        says: "accepted for org acme, which has 1 machine",
      });
      expect(new Set(standIn.report().calls.map((call) => call.method))).toEqual(new Set(["machines.list"]));
    });

    test("the SDK is named with its version, or how to get it", async () => {
      expect((await probes(deployment(), standIn.env(), standIn.nodeArgs)).get("boxd-sdk")).toMatchObject({
        status: "ok",
        says: "@boxd-sh/sdk of unknown version",
      });
      const says = expect.stringContaining('npm install "@boxd-sh/sdk@>=0.2.20 <0.4"') as string;
      expect((await probes(deployment(withKey))).get("boxd-sdk")).toMatchObject({ status: "failed", says });
      expect((await probes(deployment())).get("boxd-sdk")).toMatchObject({ status: "skipped", says });
    });

    test("of another org, or no key at all, is refused with a way out", async () => {
      const other = deployment(withKey, { env: { core: { BOXD_ORG: "other" } } });
      expect(
        (await probes(other, standIn.env({ org: { id: "org-1", slug: "acme" } }), standIn.nodeArgs)).get("boxd-key"),
      ).toMatchObject({ status: "failed", help: expect.stringContaining("BOXD_ORG") as string });
      const wrong = deployment({ ".env": "BOXD_API_KEY=bxd_wrong\n" });
      expect((await probes(wrong, standIn.env(), standIn.nodeArgs)).get("boxd-key")).toMatchObject({
        status: "failed",
        says: expect.stringContaining("boxd does not accept the key") as string,
      });
      expect((await probes(deployment(), standIn.env(), standIn.nodeArgs)).get("boxd-key")).toMatchObject({
        status: "skipped",
      });
    });

    test("a control plane that does not answer is given up on", async () => {
      const silent = await probes(
        deployment(withKey),
        standIn.env({ rate: 10 }, [{ method: "machines.list", stall: true, times: "always" }]),
        standIn.nodeArgs,
      );
      expect(silent.get("boxd-key")).toMatchObject({ status: "failed" });
      expect(silent.get("boxd-key")?.help).not.toContain("replaces the key");
      // In real time: what is to succeed has its whole limit for it.
      const unclosed = await probes(deployment(withKey), standIn.env({ close: "stalls" }), standIn.nodeArgs);
      expect(unclosed.get("boxd-key")).toMatchObject({ status: "ok" });
    });
  },
);

test("doctor changes nothing", async () => {
  const directory = deployment({ ".env": "A=1\n" });
  const state = () =>
    readdirSync(directory).map((name) => [
      name,
      readFileSync(join(directory, name), "utf8"),
      statSync(join(directory, name)).mtimeMs,
    ]);
  const before = state();
  await probes(directory);
  expect(state()).toEqual(before);
});

test("people get a line each, with help below what failed", async () => {
  const { stdout, status } = await doctor(deployment(), [], { PATH: programs({}) });
  expect(stdout).toMatch(/^ok {7}Node: /);
  expect(stdout).toMatch(/failed {3}docker: `docker` is not on PATH\n {9}help: install it/);
  expect(status).toBe(1);
});
