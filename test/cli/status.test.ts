import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { deployed } from "../live/rig.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { renderDeployment } from "../../src/render/render.ts";
import { contextOf } from "../render/support.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { FAULTY, soundConfig } from "./deployments.ts";
import { fakeIo } from "./fake-io.ts";

async function cli(cwd: string, ...argv: string[]) {
  const io = fakeIo(argv, { cwd, env: { PATH: "" } });
  const status = await main(io);
  return { status, out: io.out, err: io.err };
}

/** What every required secret of the sound deployment may be. */
const ENV = [
  ...[
    "CAPABILITY_SECRET",
    "CONNECTOR_SECRET_KEY",
    "CORE_SIGNING_SECRET",
    "PORTAL_IDENTITY_SECRET",
    "SKILL_SIGNING_SECRET",
  ],
  ...["POSTGRES_PASSWORD"],
]
  .map((name, at) => `${name}=${`${at}7c1e`.repeat(13).slice(0, 64)}\n`)
  .concat("ANTHROPIC_API_KEY=sk-ant-api03-none\nBOXD_API_KEY=bxk_none\nPUBLIC_API_URL=https://api.acme-corp.dev\n")
  .join("");

function directory(files: { readonly [path: string]: string } = {}): string {
  const cwd = tempDirectory({ "qm.config.jsonc": soundConfig(), ...files });
  return cwd;
}

/** The lines of the screen that say where it stands, and the last one. */
async function screen(cwd: string, ...args: string[]) {
  const { status, out, err } = await cli(cwd, "status", ...args);
  expect(err).toBe("");
  return { status, lines: out.trimEnd().split("\n").slice(1) };
}

describe("one deployment, on its way", () => {
  test("without secrets", async () => {
    const { status, lines } = await screen(directory());
    expect(status).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}config {4}sound/),
      "  release   0.1.12, which nothing pins",
      expect.stringMatching(/^ {2}secrets {3}7 of 7 missing: ANTHROPIC_API_KEY, /),
      "  rendered  nothing yet",
      "  drift     not asked for (--drift)",
      "next: give ANTHROPIC_API_KEY a value",
      "  qm-deploy secrets set ANTHROPIC_API_KEY",
    ]);
  });

  test("with secrets; then rendered; then changed", async () => {
    const cwd = directory({ ".env": ENV });
    const before = await screen(cwd);
    expect(before.status).toBe(1);
    expect(before.lines.slice(2, 4)).toEqual(["  secrets   all 7 there", "  rendered  nothing yet"]);
    expect(before.lines.at(-1)).toBe("  qm-deploy render");
    await cli(cwd, "render");
    const rendered = await screen(cwd);
    expect(rendered.status).toBe(0);
    expect(rendered.lines[3]).toBe("  rendered  rendered/docker is what the config says");
    expect(rendered.lines.slice(-2)).toEqual([
      "next: bring it up, as rendered/docker/bring-up.md says, where that is not done yet; see whether it runs",
      "  qm-deploy status --drift",
    ]);
    writeFileSync(join(cwd, "qm.config.jsonc"), soundConfig({ modelProvider: "openai" }));
    const stale = await screen(cwd);
    expect(stale.status).toBe(1);
  });

  test("a key that can be made is made; one that lasts may be there already", async () => {
    const lacking = (name: string) => directory({ ".env": ENV.replace(new RegExp(`^${name}=.*$`, "m"), "") });
    const last = async (name: string) => (await screen(lacking(name))).lines.at(-1);
    expect(await last("CORE_SIGNING_SECRET")).toBe("  qm-deploy secrets set CORE_SIGNING_SECRET --generate");
    expect(await last("CONNECTOR_SECRET_KEY")).toBe("  qm-deploy secrets set CONNECTOR_SECRET_KEY");
  });

  test("with an error in the config, nothing else comes first", async () => {
    const cwd = directory({ "qm.config.jsonc": FAULTY, ".env": ENV });
    const { status, lines } = await screen(cwd);
    expect(status).toBe(1);
    expect(lines[0]).toMatch(/^ {2}config {4}1 error/);
    expect(lines[3]).toBe("  rendered  not before the config is sound");
    expect(lines.at(-1)).toBe("  qm-deploy check");
  });

  test("a target whose store may have the secrets", async () => {
    const fly = soundConfig({ target: "fly", appPrefix: "acme", region: "sjc", flyOrg: "acme-inc" });
    const { lines } = await screen(directory({ "qm.config.jsonc": fly }));
    expect(lines[2]).toMatch(/needed; no \.env is here, the target's store may have them$/);
  });
});

describe("with --drift", () => {
  async function ready(): Promise<string> {
    const cwd = directory({ ".env": ENV });
    await cli(cwd, "render");
    return cwd;
  }

  test("a target that cannot be asked", async () => {
    const { status, lines } = await screen(await ready(), "--drift");
    expect(status).toBe(2);
    expect(lines.slice(4)).toEqual([
      "  drift     `docker` is not on PATH",
      "next: see what the target's program lacks",
      "  qm-deploy doctor",
    ]);
  });

  test.skipIf(process.platform === "win32")("nothing runs, what is rendered runs, something else runs", async () => {
    const cwd = await ready();
    const { deployment } = loadDeployment(".", { cwd });
    if (deployment === undefined) throw new Error("no deployment");
    const context = contextOf(deployment);
    const answers = deployed({ context, rendered: renderDeployment(deployment, context.options), directory: cwd }) as {
      containers: { Id: string }[];
      images: object[];
    };
    const path = tempDirectory();
    const stub = (containers: readonly { Id: string }[]): void => {
      const ids = containers.map(({ Id }) => Id).join("\n");
      writeFileSync(join(path, "containers"), JSON.stringify(containers));
      writeFileSync(join(path, "images"), JSON.stringify(answers.images));
      const body = `case "$1" in ps) printf '%s\\n' '${ids}';; *) cat "$(dirname "$0")/$1s";; esac`;
      writeFileSync(join(path, "docker"), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    };
    const asked = async () => {
      const io = fakeIo(["status", "--drift"], { cwd, env: { PATH: `${path}:/usr/bin:/bin` } });
      const status = await main(io);
      return [status, ...io.out.trimEnd().split("\n").slice(5)];
    };
    stub([]);
    expect(await asked()).toEqual([
      1,
      "  drift     nothing runs yet",
      "next: bring it up, step by step",
      "  cat rendered/docker/bring-up.md",
    ]);
    stub(answers.containers);
    expect(await asked()).toEqual([0, "  drift     what runs is what is rendered", "nothing is left to do"]);
    stub(answers.containers.slice(1));
    expect(await asked()).toEqual([
      1,
      "  drift     1 difference",
      "next: see what differs, and what settles it",
      "  qm-deploy drift",
    ]);
  });
});

test("json", async () => {
  const cwd = directory({ ".env": "BOXD_API_KEY=bxk_none\n" });
  const { status, out } = await cli(cwd, "status", "--format", "json");
  expect(status).toBe(1);
  expect(JSON.parse(out)).toEqual({
    version: 1,
    ok: false,
    deployments: [
      {
        config: "qm.config.jsonc",
        target: "docker",
        release: { pinned: null, resolved: "0.1.12", source: "default" },
        ok: false,
        checks: { errors: 0, warnings: expect.any(Number) as number },
        secrets: {
          required: 7,
          missing: expect.arrayContaining(["ANTHROPIC_API_KEY"]) as string[],
          command: "qm-deploy secrets set ANTHROPIC_API_KEY",
          faults: 0,
        },
        rendered: "none",
        directory: "rendered/docker",
        drift: null,
        next: { says: "give ANTHROPIC_API_KEY a value", command: "qm-deploy secrets set ANTHROPIC_API_KEY" },
        diagnostics: [],
      },
    ],
  });
});

test("several are a line each; one that cannot be read is among them, and the worst status wins", async () => {
  const cwd = tempDirectory({
    "a/qm.config.jsonc": soundConfig(),
    "a/.env": ENV,
    "b/qm.config.jsonc": FAULTY,
    "c/qm.config.jsonc": "\u0000\u0001".repeat(2),
  });
  await cli(cwd, "render", "a");
  const { status, out } = await cli(cwd, "status");
  expect(status).toBe(2);
  expect(out.split("\n").slice(0, 3)).toEqual([
    "DEPLOYMENT         TARGET  RELEASE  CONFIG  SECRETS  RENDERED  DRIFT  NEXT",
    "a/qm.config.jsonc  docker  0.1.12   ok      ok       ok        -      qm-deploy status --drift",
    "b/qm.config.jsonc  docker  0.1.12   no      no       no        -      qm-deploy check",
  ]);
  expect(out).toMatch(/^c\/qm\.config\.jsonc .* cannot be read$/m);
  const missing = await cli(cwd, "status", "a", "nowhere", "--format", "json");
  expect(missing.status).toBe(2);
  const { deployments } = JSON.parse(missing.out) as {
    deployments: { diagnostics: { rule: string }[]; ok: boolean }[];
  };
  expect(deployments.map(({ ok }) => ok)).toEqual([false, true]);
  expect(deployments[0]?.diagnostics[0]?.rule).toMatch(/^input\//);
});
