import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { SARIF_SCHEMA } from "../diagnostics/sarif-schema.ts";
import { git } from "../support/git.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { runInProcess } from "./in-process.ts";

const NAME = "qm.config.jsonc";
const PIN = { devDependencies: { "@yc-software/qm": "0.1.12" } };
const WITH_ENTRY = {
  ...PIN,
  qmDeploy: { ignore: [{ rule: "env-file/none", reason: "the store of CI has them" }] },
};

/** One warning, which a comment suppresses, and infos. */
const COMMENT = "// qm-deploy-ignore sandbox/core-image -- our own build of core";
const CONFIG = `{
  "contract": 1,
  "orgId": "acme",
  "publicUrl": "https://qm.acme-corp.dev",
  "target": "fly",
  "appPrefix": "acme",
  "region": "sjc",
  "flyOrg": "acme-inc",
  "services": ["core", "web-ui"],
  "modelProvider": "anthropic",
  "env": {
    "core": {
      "BOXD_ORG": "acme", "BOXD_NAME_PREFIX": "acme1",
      "SNAPSHOT_STORE": "s3", "TRANSFER_STORE": "s3", "S3_BUCKET": "acme-qm", "S3_REGION": "auto"
    }
  },
  ${COMMENT}
  "sandbox": { "backend": "boxd" }
}
`;

function directory(config = CONFIG, manifest: object = WITH_ENTRY): string {
  return tempDirectory({ [NAME]: config, "package.json": JSON.stringify(manifest, null, 2) });
}

async function json(argv: readonly string[], cwd: string): Promise<any> {
  return JSON.parse((await runInProcess([...argv, "--format", "json"], { cwd })).stdout);
}

describe("check", () => {
  test("passes under --strict with what is suppressed, counts it, and lists it where that is asked for", async () => {
    const cwd = directory();
    const plain = await runInProcess(["check", "--strict"], { cwd });
    expect([plain.status, plain.stderr]).toEqual([0, ""]);
    expect(plain.stdout).not.toContain("sandbox/core-image");
    expect(plain.stdout).toMatch(/: \d infos, 2 suppressed\n$/);
    const listed = (await runInProcess(["check", "--strict", "--show-suppressed"], { cwd })).stdout;
    expect(listed).toMatch(
      /suppressed warning {2}.*sandbox\/core-image\n {4}reason: our own build of core \(qm\.config\.jsonc:17\)\n/,
    );
    expect(listed).toMatch(
      /suppressed info {2}.*env-file\/none\n {4}reason: the store of CI has them \(package\.json:\d+\)\n/,
    );
    const without = await runInProcess(["check", "--strict"], { cwd: directory(CONFIG.replace(`  ${COMMENT}\n`, "")) });
    expect(without.status).toBe(1);
    expect(without.stdout).toContain("sandbox/core-image");
  });

  test("json has it, and sarif is valid and has the reasons", async () => {
    const cwd = directory();
    const { ok, summary, deployments } = await json(["check", "--strict"], cwd);
    expect([ok, summary.warnings, summary.suppressed]).toEqual([true, 0, 2]);
    const found = deployments[0].diagnostics.filter(({ suppression }: any) => suppression !== null);
    expect(found.map(({ rule, suppression }: any) => [rule, suppression])).toEqual([
      ["env-file/none", { reason: "the store of CI has them", file: "package.json", line: expect.any(Number) }],
      ["sandbox/core-image", { reason: "our own build of core", file: NAME, line: 17 }],
    ]);
    const log = JSON.parse((await runInProcess(["check", "--format", "sarif"], { cwd })).stdout);
    const validate = addFormats.default(new Ajv({ strict: false })).compile(SARIF_SCHEMA);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    const suppressed = log.runs[0].results.flatMap(({ ruleId, suppressions }: any) =>
      suppressions.map(({ kind, justification }: any) => [ruleId, kind, justification]),
    );
    expect(suppressed).toEqual([
      ["env-file/none", "external", "the store of CI has them"],
      ["sandbox/core-image", "inSource", "our own build of core"],
    ]);
  });

  test("what stops render is not suppressed: the attempt fails the run, and render refuses", async () => {
    const cwd = directory(
      CONFIG.replace(
        '"contract": 1,',
        '"contract": "1", // qm-deploy-ignore config/contract config/wrong-type -- it works',
      ),
    );
    const { status, stdout } = await runInProcess(["check"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain("suppression/not-allowed");
    expect(stdout).toMatch(/error.*(?:config\/contract|config\/wrong-type)/);
    expect((await runInProcess(["render"], { cwd })).status).toBe(1);
  });

  test("a suppression without a reason fails the run and stops no render", async () => {
    const cwd = directory(CONFIG.replace(" -- our own build of core", ""));
    const { status, stdout } = await runInProcess(["check"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain("write `// qm-deploy-ignore sandbox/core-image -- <reason>`");
    expect(stdout).toContain("sandbox/core-image");
    expect((await runInProcess(["render"], { cwd })).status).toBe(0);
  });

  test("--fix takes an idle comment out and leaves all else as it is", async () => {
    const idle = "  // qm-deploy-ignore aws/region -- moved away\r\n";
    const written = CONFIG.replaceAll("\n", "\r\n").replace('  "orgId"', `${idle}  "orgId"`);
    const cwd = directory(written);
    expect((await runInProcess(["check", "--strict"], { cwd })).status).toBe(1);
    expect((await runInProcess(["check", "--strict", "--fix"], { cwd })).status).toBe(0);
    expect(readFileSync(join(cwd, NAME), "utf8")).toBe(written.replace(idle, ""));
  });

  test("deployments that share machines: one of them may say that it does so on purpose", async () => {
    const both = {
      [`a/${NAME}`]: CONFIG,
      [`b/${NAME}`]: CONFIG.replace(
        '"BOXD_ORG"',
        '// qm-deploy-ignore boxd/shared-machines -- the same, twice\n      "BOXD_ORG"',
      ),
    };
    const cwd = tempDirectory({
      ...both,
      "a/package.json": JSON.stringify(PIN),
      "b/package.json": JSON.stringify(PIN),
    });
    const { deployments } = await json(["check"], cwd);
    const shared = deployments.flatMap(({ config, ok, diagnostics }: any) =>
      diagnostics
        .filter(({ rule }: any) => rule === "boxd/shared-machines")
        .map(({ suppression }: any) => [config, ok, suppression?.reason ?? null]),
    );
    expect(shared).toEqual([
      [`a/${NAME}`, false, null],
      [`b/${NAME}`, true, "the same, twice"],
    ]);
    // Alone it is not idle.
    expect((await json(["check", "b"], cwd)).summary.warnings).toBe(0);
  });

  test("edits keep a comment with its line", async () => {
    const cwd = directory(
      CONFIG.replace(
        '      "BOXD_ORG": "acme", ',
        '      // qm-deploy-ignore settings/unknown-name -- ours\n      "WORKRES": "4",\n      "BOXD_ORG": "acme", ',
      ),
    );
    expect((await json(["check"], cwd)).summary.suppressed).toBe(3);
    for (const argv of [
      ["set", "env.core.WORKRES", "5"],
      ["set", "env.core.AAA", "x"],
      ["set", "env.core.WORK_X", "x"],
      ["set", "sandbox.backend", "boxd"],
      ["unset", "modelProvider"],
      ["set", "modelProvider", "anthropic"],
    ])
      expect([argv, (await runInProcess(["config", ...argv], { cwd })).status]).toEqual([argv, 0]);
    const { summary, deployments } = await json(["check"], cwd);
    expect(summary.suppressed).toBe(3);
    expect(deployments[0].diagnostics.map(({ rule }: any) => rule)).not.toContain("suppression/idle");
  });
});

describe("explain", () => {
  test("ends with what to copy", async () => {
    const { stdout } = await runInProcess(["explain", "sandbox/core-image"], { cwd: directory() });
    const [, comment = ""] = /on the line or above it: (.*)/.exec(stdout) ?? [];
    expect(stdout).toMatch(/can be suppressed {2}yes\n/);
    const cwd = directory(CONFIG.replace(COMMENT, comment.replace("<reason>", "as it says")));
    expect((await json(["check", "--strict"], cwd)).ok).toBe(true);
    expect(stdout).toContain(
      'or in package.json: "qmDeploy": { "ignore": [{ "rule": "sandbox/core-image", "reason": "<reason>" }] }',
    );
    expect(stdout).toContain("(suppressed: our own build of core)");
    const syntax = (await runInProcess(["explain", "syntax/comma"], { cwd })).stdout;
    expect(syntax).toMatch(/can be suppressed {2}no, as it is about text that does not parse\n$/);
  });
});

describe("diff", () => {
  const entry = { rule: "sandbox/core-image", path: null, reason: "our own build of core", file: NAME, line: 17 };

  test("of directories lists suppressions that come and go, and none that moved", async () => {
    const cwd = tempDirectory({
      [`a/${NAME}`]: CONFIG.replace(`  ${COMMENT}\n`, ""),
      [`b/${NAME}`]: CONFIG,
      [`c/${NAME}`]: CONFIG.replace('  "orgId"', '  // a note\n  "orgId"'),
      "b/package.json": JSON.stringify(WITH_ENTRY),
    });
    const { same, suppressions } = await json(["diff", "a", "b"], cwd);
    expect([same, suppressions.added, suppressions.removed]).toEqual([
      false,
      [entry, { rule: "env-file/none", path: null, reason: "the store of CI has them", file: "package.json", line: 1 }],
      [],
    ]);
    expect((await json(["diff", "b", "a"], cwd)).suppressions.removed).toHaveLength(2);
    expect((await json(["diff", "b", "c"], cwd)).suppressions.added).toEqual([]);
    expect((await runInProcess(["diff", "a", "b"], { cwd })).stdout).toContain(
      `suppressions\n  + sandbox/core-image: our own build of core (${NAME}:17)\n`,
    );
    expect((await runInProcess(["diff", "a", "b", "--format", "github"], { cwd })).stdout).toContain(
      `| \`sandbox/core-image\` | added | our own build of core | \`${NAME}:17\` |`,
    );
  });

  test.skipIf(spawnSync("git", ["--version"]).status !== 0)("of revisions lists those that are new", async () => {
    const cwd = directory(CONFIG.replace(`  ${COMMENT}\n`, ""), PIN);
    git(cwd, "init", "-q", "-b", "main");
    git(cwd, "add", "-A");
    git(cwd, "commit", "-q", "-m", "one");
    writeFileSync(join(cwd, NAME), CONFIG);
    expect((await json(["diff"], cwd)).suppressions).toEqual({ added: [entry], removed: [] });
    git(cwd, "commit", "-q", "-a", "-m", "two");
    writeFileSync(join(cwd, NAME), CONFIG.replace(`  ${COMMENT}\n`, ""));
    expect((await json(["diff"], cwd)).suppressions).toEqual({ added: [], removed: [entry] });
  });
});
