import { createHash } from "node:crypto";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { ProcessIo } from "../../src/cli/process-io.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { fakeIo } from "./fake-io.ts";

const HEAD =
  '{\n  "contract": 1,\n  "target": "docker",\n  "publicUrl": "https://qm.acme.dev",\n  "services": ["core", "web-ui"],\n';
const IMAGE = `  "imageOverrides": { "core": "ghcr.io/acme/core@sha256:${"a".repeat(64)}" },\n`;

function config(org: string, sandbox = '{ "backend": "boxd" }', more = ""): string {
  const env = `  "env": { "core": { "HARNESS": "pi", "BOXD_ORG": "acme", "BOXD_NAME_PREFIX": "${org}" } },\n`;
  return `${HEAD}  "orgId": "${org}",\n${IMAGE}${env}${more}  "sandbox": ${sandbox}\n}\n`;
}

const PIN = { "package.json": '{ "devDependencies": { "@yc-software/qm": "0.1.12" } }' };
const FLY_FIELD = '{ "backend": "boxd", "app": "acme-apps" }';
const UNKNOWN = '  "one": 1,\n  "two": 2,\n  "three": 3,\n';

/** Fifty deployments, five of which have one fault each; each fault is another one but for two. */
function fifty(): { [path: string]: string } {
  const files: { [path: string]: string } = { ...PIN };
  for (let at = 1; at <= 50; at++) {
    const org = `org${String(at).padStart(2, "0")}`;
    const fault: { [at: number]: string } = {
      7: config(org, FLY_FIELD),
      15: config(org, undefined, '  "unknwon": 1,\n'),
      23: config(org, FLY_FIELD),
      31: config(org).replace('"docker"', '"dokcer"'),
      44: config(org).replace('"pi"', '"py"'),
    };
    files[`${org}/qm.config.jsonc`] = fault[at] ?? config(org);
  }
  return files;
}

const MADE = [
  "CAPABILITY_SECRET",
  "CONNECTOR_SECRET_KEY",
  "CORE_SIGNING_SECRET",
  "PORTAL_IDENTITY_SECRET",
  "POSTGRES_PASSWORD",
  "SKILL_SIGNING_SECRET",
];

/** Twenty deployments whose `.env` lacks the same two values; that of the last lacks one more. */
function twenty(): { [path: string]: string } {
  const files: { [path: string]: string } = { ...PIN };
  const value = (text: string): string => createHash("sha256").update(text).digest("hex");
  for (let at = 1; at <= 20; at++) {
    const org = `org${String(at).padStart(2, "0")}`;
    files[`${org}/qm.config.jsonc`] = config(org, undefined, '  "modelProvider": "anthropic",\n');
    const made = MADE.map((name) => `${name}=${value(`${name} ${at}`)}\n`).join("");
    const key = at === 20 ? "" : `bxk_${value(`key ${at}`).slice(32)}`;
    files[`${org}/.env`] = `ANTHROPIC_API_KEY=\nBOXD_API_KEY=${key}\nPUBLIC_API_URL=\n${made}`;
  }
  return files;
}

interface Case {
  readonly name: string;
  readonly files: { readonly [path: string]: string };
  readonly argv: readonly string[];
  readonly columns?: number;
}

const CASES: readonly Case[] = [
  { name: "one-error-among-infos", files: { ...PIN, "qm.config.jsonc": config("acme", FLY_FIELD) }, argv: [] },
  {
    name: "two-places",
    files: { ...PIN, "qm.config.jsonc": config("acme", undefined, '  "services": ["core", "web-ui", "core"],\n') },
    argv: [],
  },
  {
    name: "two-places-in-two-files",
    files: { ...PIN, "a/qm.config.jsonc": config("acme"), "b/qm.config.jsonc": config("acme") },
    argv: ["."],
  },
  { name: "alike-in-one", files: { ...PIN, "qm.config.jsonc": config("acme", undefined, UNKNOWN) }, argv: [] },
  {
    name: "alike-in-one-in-full",
    files: { ...PIN, "qm.config.jsonc": config("acme", undefined, UNKNOWN) },
    argv: ["--all"],
  },
  { name: "fifty", files: fifty(), argv: ["."] },
  { name: "fifty-on-80-columns", files: fifty(), argv: ["."], columns: 80 },
  { name: "fifty-quiet", files: fifty(), argv: ["--quiet", "."] },
  { name: "twenty", files: twenty(), argv: ["."] },
  { name: "dry-run", files: { ...PIN, "qm.config.jsonc": config("acme", FLY_FIELD) }, argv: ["--fix", "--dry-run"] },
];

async function ran({ files, argv, columns = 100 }: Omit<Case, "name">, more: Partial<ProcessIo> = {}) {
  const cwd = tempDirectory(files);
  for (const path of Object.keys(files)) if (path.endsWith(".env")) chmodSync(join(cwd, path), 0o600);
  const io = fakeIo(["check", ...argv], { cwd, ...more });
  Object.assign(io.stdout, { columns });
  const status = await main(io);
  return { status, out: io.out, err: io.err };
}

describe("a report for people", () => {
  test.each(CASES)("$name is as committed", async ({ name, ...rest }) => {
    const { out, err } = await ran(rest);
    expect(err).toBe("");
    await expect(out).toMatchFileSnapshot(`golden/report/${name}.txt`);
  });

  test("ends with what failed, and one line", async () => {
    const { out, status } = await ran({ files: fifty(), argv: ["."] });
    const lines = out.trimEnd().split("\n");
    expect(status).toBe(1);
    expect(lines.length).toBeLessThan(60);
    expect(lines.slice(-6).map((line) => line.split(":")[0])).toEqual([
      ..."07 15 23 31 44".split(" ").map((at) => `failed  org${at}/qm.config.jsonc`),
      "failed  5 of 50 deployments",
    ]);
  });

  test("is coloured where that is asked for, and says the same", async () => {
    const plain = await ran({ files: fifty(), argv: ["."] });
    const coloured = await ran({ files: fifty(), argv: ["."] }, { env: { FORCE_COLOR: "1" } });
    expect(coloured.out).toContain("\u001b[31merror");
    expect(coloured.out.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain.out);
    expect((await ran({ files: fifty(), argv: ["."] }, { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).out).toBe(
      plain.out,
    );
  });

  test.each([
    [["--quiet", "--all"], "give one of them"],
    [["--quiet", "--format", "json"], "are for people"],
    [["--all", "--format", "github"], "are for people"],
    [["--dry-run"], "--dry-run shows what --fix would change"],
    [["--fix", "--dry-run", "--format", "sarif"], "--dry-run shows what --fix would change"],
  ])("%j is refused", async (argv, says) => {
    const { status, err } = await ran({ files: PIN, argv });
    expect([status, err]).toEqual([2, expect.stringContaining(says)]);
  });

  test("quiet shows warnings where they fail the run, and ends with the same status", async () => {
    const files = { ...PIN, "qm.config.jsonc": config("acme").replace("acme.dev", "example.com") };
    const quiet = await ran({ files, argv: ["-q"] });
    expect([quiet.status, quiet.out.split("\n")]).toEqual([0, [expect.stringMatching(/^passed .*1 warning, /), ""]]);
    const strict = await ran({ files, argv: ["-q", "--strict"] });
    expect([strict.status, strict.out]).toEqual([1, expect.stringContaining("config/reserved-domain")]);
    expect(strict.out).not.toContain("  info  ");
  });

  test("a dry run writes nothing, and json has what would change", async () => {
    const files = { ...PIN, "qm.config.jsonc": config("acme", FLY_FIELD) };
    const cwd = tempDirectory(files);
    const io = fakeIo(["check", "--fix", "--dry-run", "--format", "json"], { cwd });
    expect(await main(io)).toBe(0);
    const { summary, deployments } = JSON.parse(io.out);
    expect(summary).toMatchObject({ errors: 0, fixed: 0 });
    expect(deployments[0].edits).toEqual([
      { file: "qm.config.jsonc", fixes: ["remove `sandbox.app`"], diff: expect.stringContaining('\n-  "sandbox": ') },
    ]);
    const again = fakeIo(["check"], { cwd });
    expect(await main(again)).toBe(1);
  });
});
