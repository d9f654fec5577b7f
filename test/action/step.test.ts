import { Ajv } from "ajv";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../cli/built.ts";
import { FAULTY, soundConfig } from "../cli/deployments.ts";
import { SARIF_SCHEMA } from "../diagnostics/sarif-schema.ts";
import { commitAll, git } from "../support/git.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { runBuiltStep, runStep } from "./runner.ts";

const CONFIG = "qm.config.jsonc";
const ACME = "deployments/acme";
const OTHER = soundConfig({ env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "other" } } });

let template = "";
let first = "";
beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), "qm-deploy-fleet-"));
  addFiles(template, { [`${ACME}/${CONFIG}`]: soundConfig(), [`deployments/other/${CONFIG}`]: OTHER });
  for (const directory of [ACME, "deployments/other"])
    expect(runCli(["render", directory], { cwd: template }).status).toBe(0);
  first = commitAll(template);
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** A repository with two sound deployments, rendered and committed. */
function fleet(): { root: string; first: string } {
  const root = tempDirectory();
  cpSync(template, root, { recursive: true });
  return { root, first };
}

describe("a step", () => {
  test("passes where check does, and says so everywhere", () => {
    const { root } = fleet();
    const { status, log, outputs, summary } = runBuiltStep(root);
    expect([status, log]).toEqual([0, expect.stringMatching(/^passed: deployments 2, errors 0/m)]);
    expect(outputs).toMatchObject({ ok: "true", errors: "0", warnings: "2", "sarif-file": "" });
    expect(summary).toMatch(/^## ✅ qm-deploy: passed\n/);
    expect(summary).toContain("| ✅ passed | `deployments/acme` | docker | 0 | 1 |");
    expect(summary).not.toContain("Rendered files");
  });

  test("fails where check does, with its counts, annotations and what to do", async () => {
    const { root } = fleet();
    writeFileSync(join(root, ACME, CONFIG), FAULTY);
    const { status, log, outputs, summary } = await runStep(root, { path: "deployments\n" });
    const { summary: counts } = JSON.parse(runCli(["check", "--format", "json", "deployments"], { cwd: root }).stdout);
    expect(status).toBe(1);
    expect(outputs).toMatchObject({
      ok: "false",
      errors: String(counts.errors),
      warnings: String(counts.warnings),
      infos: String(counts.infos),
    });
    expect(log).toMatch(/^::error file=deployments\/acme\/qm\.config\.jsonc,line=\d+.*title=config\/unknown-key::/m);
    expect(summary).toMatch(/^## ❌ qm-deploy: failed\n/);
    expect(summary.indexOf("`deployments/acme`"), "what failed stands first").toBeLessThan(
      summary.indexOf("`deployments/other`"),
    );
    expect(summary).toMatch(
      /\[`qm\.config\.jsonc:\d+`\]\(<https:\/\/github\.com\/acme\/fleet\/blob\/c0ffee0+\/deployments\/acme\/qm\.config\.jsonc#L\d+>\)/,
    );
    expect(summary).toContain("(https://github.com/qm/qm-deploy/blob/v0.1.0/docs/rules.md#config/unknown-key)");
    expect(summary).toMatch(/<details><summary>\d infos?<\/summary>/);
  });

  test("judges one deployment, in the workspace or anywhere else that is named", async () => {
    const { root } = fleet();
    writeFileSync(join(root, "deployments/other", CONFIG), FAULTY);
    expect((await runStep(root, { path: ACME })).status).toBe(0);
    expect((await runStep(join(root, ACME))).status).toBe(0);
    expect(await runStep(root, { path: "deployments/nowhere" })).toMatchObject({
      status: 1,
      outputs: { ok: "false", errors: "1" },
      log: expect.stringContaining("::error file=deployments/nowhere"),
    });
  });

  test("passes inputs on", async () => {
    const root = tempDirectory({
      [CONFIG]: soundConfig({ publicUrl: "https://qm.example.com" }),
      "ci.env": "BOXD_API_KEY=replace-me\n",
    });
    expect((await runStep(root)).status).toBe(0);
    expect((await runStep(root, { strict: "true" })).status).toBe(1);
    expect((await runStep(root, { "env-file": "ci.env" })).log).toContain("file=ci.env,line=1");
    expect((await runStep(root, { release: "0.1.6" })).summary).toContain("qm 0.1.6 published none");
    expect((await runStep(root, { target: "aws" })).summary).toContain("| aws |");
  });

  test("says of a wrong input what is wrong, on one line, and fails", () => {
    const { status, log, outputs } = runBuiltStep(tempDirectory({ [CONFIG]: soundConfig() }), { strict: "yes%0A::x" });
    expect([status, log]).toEqual([1, "::error title=qm-deploy::the input `strict` is neither true nor false\n"]);
    expect(outputs).toEqual({});
  });

  test("runs outside of GitHub as well", () => {
    const root = tempDirectory({ [CONFIG]: soundConfig() });
    const bare = { GITHUB_WORKSPACE: "", GITHUB_OUTPUT: "", GITHUB_STEP_SUMMARY: "", GITHUB_REPOSITORY: "" };
    expect(runBuiltStep(root, { "diff-base": "auto" }, { env: { ...bare, GITHUB_EVENT_PATH: "" } }).status).toBe(0);
  });
});

describe("pictures", () => {
  const drawn = (summary: string) => [
    ...summary.matchAll(
      /^### `([^`]+)` as a picture\n\n<details>.*<\/summary>\n\n```mermaid\n(flowchart TB\n[^`]+\n)```\n\n<\/details>$/gm,
    ),
  ];

  test("show the one deployment of a run, as `graph` draws it", async () => {
    const { root } = fleet();
    const graph = runCli(["graph", ACME], { cwd: root }).stdout;
    expect(drawn((await runStep(root, { path: ACME })).summary).map(([, name, text]) => [name, text])).toEqual([
      [ACME, graph],
    ]);
    expect(drawn((await runStep(root)).summary), "none was asked about").toEqual([]);
    writeFileSync(join(root, ACME, CONFIG), "{");
    expect(drawn((await runStep(root, { path: ACME })).summary).length, "nothing of it is known").toBeLessThan(2);
  });

  test("show what changes and what is new, of many only some", async () => {
    const { root } = fleet();
    for (let at = 0; at < 8; at++) addFiles(root, { [`deployments/n${at}/${CONFIG}`]: soundConfig() });
    commitAll(root);
    const { summary } = await runStep(root, { "diff-base": "HEAD~1" });
    expect(drawn(summary).map(([, name]) => name)).toEqual([0, 1, 2, 3, 4].map((at) => `deployments/n${at}`));
  });
});

describe("SARIF", () => {
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
  const uris = (log: {
    runs: { results: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }[] }[];
  }) => new Set(log.runs[0]?.results.map((result) => result.locations[0]?.physicalLocation.artifactLocation.uri));

  test("names files from the root of the repository, and holds what fails the run", async () => {
    const { root } = fleet();
    rmSync(join(root, ACME, "rendered"), { recursive: true });
    const { outputs } = await runStep(root, { path: ACME, "render-check": "true", "sarif-file": "out/found.sarif" });
    expect(outputs["sarif-file"]).toBe("out/found.sarif");
    const log = read(join(root, "out/found.sarif"));
    expect(new Ajv({ strict: false }).validate(SARIF_SCHEMA, log)).toBe(true);
    expect([...uris(log)]).toEqual([`${ACME}/${CONFIG}`]);
    expect(log.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toContain("render/drift");
  });

  test("is written wherever the workflow says, but over no link", async () => {
    const { root } = fleet();
    const elsewhere = tempDirectory({ kept: "x" });
    expect((await runStep(root, { "sarif-file": join(elsewhere, "a/b.sarif") })).status).toBe(0);
    expect(read(join(elsewhere, "a/b.sarif")).version).toBe("2.1.0");
    symlinkSync(join(elsewhere, "kept"), join(root, "link.sarif"));
    const { status, log, outputs, summary } = await runStep(root, { "sarif-file": "link.sarif" });
    expect([status, outputs["ok"]]).toEqual([1, "false"]);
    expect(log).toMatch(/^::error title=qm-deploy::the input `sarif-file` cannot be written: .*symbolic link/);
    expect(summary, "the findings are told all the same").toContain("deployments/acme");
    expect(readFileSync(join(elsewhere, "kept"), "utf8")).toBe("x");
  });
});

describe("render-check", () => {
  test("fails where what is committed is not what the config says, and names the files", async () => {
    const { root } = fleet();
    expect(await runStep(root, { "render-check": "true" })).toMatchObject({
      status: 0,
      summary: expect.stringContaining("| up to date |"),
    });
    writeFileSync(join(root, ACME, "rendered/docker/core.env"), "A=b\n");
    const { status, log, summary, outputs } = await runStep(root, { "render-check": "True" });
    expect([status, outputs["errors"]]).toEqual([1, "1"]);
    expect(log).toMatch(/^::error file=deployments\/acme\/qm\.config\.jsonc,title=render\/drift::.*core\.env/m);
    expect(summary).toContain("| **not up to date** |");
    writeFileSync(join(root, ACME, "rendered/docker/manifest.json"), "{}");
    const follows = await runStep(root, { "render-check": "true" });
    expect(follows.log).toMatch(/: core\.env\W/);
    expect(follows.log, "the manifest follows the others").not.toContain("manifest.json");
    expect((await runStep(root)).status, "only where it is asked for").toBe(0);
  });

  test("says of a broken deployment that nothing was compared", async () => {
    const { root } = fleet();
    writeFileSync(join(root, ACME, CONFIG), FAULTY);
    const { summary, outputs } = await runStep(root, { path: ACME, "render-check": "true" });
    expect(summary).toContain("| not compared |");
    expect(outputs["errors"]).toBe("1");
  });
});

describe("diff-base", () => {
  /** Changes the deployment on a branch of its own; the commit of it. */
  function change(root: string): string {
    git(root, "checkout", "-q", "-b", "topic");
    const more = { env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme1", BOXD_VCPU: "4" } } };
    writeFileSync(join(root, ACME, CONFIG), soundConfig(more));
    return commitAll(root);
  }

  /** The merge of a pull request as GitHub makes it for a run, checked out; the base has moved since the branch began. */
  function merged(root: string): { base: string; head: string } {
    const head = change(root);
    git(root, "checkout", "-q", "main");
    writeFileSync(join(root, "README.md"), "# fleet\n");
    const base = commitAll(root);
    git(root, "checkout", "-q", "--detach");
    git(root, "merge", "-q", "--no-ff", "-m", "merge", "topic");
    return { base, head };
  }

  const pull = (base: string, head: string) => ({
    event: { pull_request: { base: { sha: base, ref: "main" }, head: { sha: head } } },
  });

  test("shows what a pull request changes, with the steps of the operator", async () => {
    const { root, first } = fleet();
    const { base, head } = merged(root);
    // The event may tell of an older base than the one that was merged into.
    for (const told of [base, first]) {
      const { status, summary } = await runStep(root, { "diff-base": "auto" }, pull(told, head));
      expect(status).toBe(0);
      expect(summary).toContain(`Since \`${base.slice(0, 12)}\``);
      expect(summary).toMatch(/\| `deployments\/acme` \|.*\| changes \|/);
      expect(summary).toMatch(/\| `deployments\/other` \|.*\| nothing \|/);
      expect(summary).toContain("### What changes in `deployments/acme`");
      expect(summary).toContain("| `BOXD_VCPU` | added |  | `4` |");
      expect(summary).toMatch(/- \[ \] deploy `core`/);
    }
  });

  test("needs no more history than the two commits that actions/checkout is asked for", async () => {
    const { root } = fleet();
    const { base, head } = merged(root);
    git(root, "checkout", "-q", "-b", "pull");
    const clone = (depth: string): string => {
      const directory = join(tempDirectory(), "clone");
      git("/", "clone", "-q", "--depth", depth, "--branch", "pull", `file://${root}`, directory);
      return directory;
    };
    expect((await runStep(clone("2"), { "diff-base": "auto" }, pull(base, head))).summary).toContain(
      "| `BOXD_VCPU` | added |",
    );
    const { status, summary } = await runStep(clone("1"), { "diff-base": "auto" }, pull(base, head));
    expect(status).toBe(0);
    expect(summary).toMatch(/> Nothing was compared with the base: commit `?[0-9a-f]{12}.*`fetch-depth: 2`/);
  });

  test("shows what a push brought, and nothing for the first push of a branch", async () => {
    const { root, first } = fleet();
    change(root);
    expect((await runStep(root, { "diff-base": "auto" }, { event: { before: first } })).summary).toContain("BOXD_VCPU");
    for (const event of [{ before: "0".repeat(40) }, {}, { before: 1 }, { pull_request: null }])
      expect((await runStep(root, { "diff-base": "auto" }, { event })).summary).not.toContain("Since");
    expect(
      (await runStep(root, { "diff-base": "auto" }, { event: { merge_group: { base_sha: first } } })).summary,
    ).toContain("BOXD_VCPU");
  });

  test("takes any revision, and fails for one that is not there", async () => {
    const { root, first } = fleet();
    change(root);
    expect((await runStep(root, { "diff-base": "main" })).summary).toContain("Since `main`");
    expect((await runStep(root, { "diff-base": first.slice(0, 8) })).summary).toContain("BOXD_VCPU");
    for (const wrong of ["nowhere", "--output=x", "HEAD:deployments"]) {
      const { status, log, summary } = await runStep(root, { "diff-base": wrong });
      expect(status, wrong).toBe(1);
      expect(log).toMatch(/^::error title=qm-deploy::the input `diff-base` names no commit/);
      expect(summary).toContain("| `deployments/acme` |");
    }
    const none = tempDirectory({ [CONFIG]: soundConfig() });
    expect(await runStep(none, { "diff-base": "main" })).toMatchObject({ status: 1 });
    expect(await runStep(none, { "diff-base": "auto" }, { event: { before: first } })).toMatchObject({ status: 0 });
  });

  test("tells new deployments and removed ones from changed ones, and what qm made from either", async () => {
    const { root } = fleet();
    git(root, "checkout", "-q", "-b", "topic");
    git(root, "mv", "deployments/other", "deployments/new");
    commitAll(root);
    const { summary } = await runStep(root, { "diff-base": "main" });
    expect(summary).toMatch(/\| `deployments\/new` \|.*\| new deployment \|/);
    expect(summary).toMatch(/> Removed since `main`: `deployments\/other`\. /);
    expect(summary).not.toContain("What changes in");
    expect((await runStep(root, { "diff-base": "main", path: ACME })).summary).not.toContain("Removed");
  });

  test("sees a release that a package.json above pins differently", async () => {
    const { root } = fleet();
    addFiles(root, { "package.json": '{ "devDependencies": { "@yc-software/qm": "0.1.6" } }' });
    commitAll(root);
    expect((await runStep(root, { "diff-base": "HEAD~1" })).summary).toContain(
      "### What changes in `deployments/acme`",
    );
  });
});

describe("limits of GitHub", () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`FOO_${at}X`, ""]));

  test("no more than ten annotations of a kind, and what fails the step itself among them", async () => {
    const root = tempDirectory();
    for (let at = 0; at < 30; at++) addFiles(root, { [`d${at}/${CONFIG}`]: FAULTY });
    const { log, outputs } = await runStep(root, { "diff-base": "nowhere" });
    const errors = log.split("\n").filter((line) => line.startsWith("::error "));
    expect(Number(outputs["errors"])).toBeGreaterThan(30);
    expect(errors[0]).toContain("git could not read the base");
    expect(log.match(/^::notice /gm)?.length ?? 0).toBeLessThanOrEqual(10);
    expect(errors.length).toBeLessThanOrEqual(11);
  });

  test("a summary stays below 1 MiB, and says what it leaves out", async () => {
    const root = tempDirectory();
    const long = Object.fromEntries(Object.keys(many(400)).map((name) => [`${name}_${"é".repeat(60)}`, 1]));
    for (let at = 0; at < 60; at++) {
      mkdirSync(join(root, `d${at}`));
      writeFileSync(join(root, `d${at}`, CONFIG), soundConfig(long));
    }
    const { summary, status } = await runStep(root);
    expect(status).toBe(1);
    expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
    expect(Buffer.byteLength(summary), "it is no small run").toBeGreaterThan(300_000);
    expect(summary).toMatch(/\d+ more: run `qm-deploy check` to see all\./);
  });

  test("passed deployments of a large fleet are folded away", async () => {
    const root = tempDirectory();
    for (let at = 0; at < 25; at++) {
      const env = { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: `acme${at}x` } };
      addFiles(root, { [`d${at}/${CONFIG}`]: soundConfig({ env }) });
    }
    expect((await runStep(root)).summary).toContain("<details><summary>25 deployments passed</summary>");
  });
});
