import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readValue } from "../../src/cli/commands/config/config.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { runInProcess } from "./in-process.ts";
import { soundConfig } from "./deployments.ts";

const NAME = "qm.config.jsonc";

const COMMENTED = `\ufeff${soundConfig()
  .replace('  "orgId": "acme",', '  // who we are\n  "orgId": "acme", // the org')
  .replaceAll("\n", "\r\n")}`;

function textOf(cwd: string): string {
  return readFileSync(join(cwd, NAME), "utf8");
}

describe("config get", () => {
  test("prints text as it is and everything else as JSON", async () => {
    const cwd = tempDirectory({ [NAME]: COMMENTED });
    expect(await runInProcess(["config", "get", "orgId"], { cwd })).toEqual({
      status: 0,
      stdout: "acme\n",
      stderr: "",
    });
    expect((await runInProcess(["config", "get", "services[1]"], { cwd })).stdout).toBe("web-ui\n");
    expect(JSON.parse((await runInProcess(["config", "get", "services"], { cwd })).stdout)).toEqual(["core", "web-ui"]);
    expect((await runInProcess(["config", "get", "contract"], { cwd })).stdout).toBe("1\n");
  });

  test("ends with 1 where nothing is set, and says what was meant", async () => {
    const cwd = tempDirectory({ [NAME]: COMMENTED });
    const { status, stdout, stderr } = await runInProcess(["config", "get", "sandbox.bakend"], { cwd });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("did you mean `sandbox.backend`?");
    expect(
      JSON.parse((await runInProcess(["config", "get", "sandbox.app", "--format", "json"], { cwd })).stdout),
    ).toEqual({
      version: 1,
      config: NAME,
      field: "sandbox.app",
      set: false,
      value: null,
    });
  });

  test.each([
    ["env.core.toString", 1],
    ["env.core.hasOwnProperty", 1],
    ["env.core.__proto__", 2],
    ["constructor.prototype", 2],
    ["env..core", 2],
    ["", 2],
  ])("never reaches what JavaScript's own objects have: %s", async (field, expected) => {
    const cwd = tempDirectory({ [NAME]: COMMENTED });
    const { status, stdout } = await runInProcess(["config", "get", field], { cwd });
    expect([status, stdout]).toEqual([expected, ""]);
  });

  test("a deployment that is not there ends with 2", async () => {
    expect((await runInProcess(["config", "get", "orgId"], { cwd: tempDirectory() })).status).toBe(2);
  });
});

describe("how a value on the command line is read", () => {
  test.each([
    ["boxd", ["sandbox", "backend"], null, { value: "boxd" }],
    ["4", ["env", "core", "BOXD_VCPU"], null, { value: "4" }],
    ['{"a":1}', ["env", "core", "FOO"], null, { value: '{"a":1}' }],
    ['"quoted"', ["env", "core", "FOO"], null, { value: "quoted" }],
    ['"quoted"', ["env", "core", "FOO"], "string", { value: '"quoted"' }],
    ["8080", ["basePort"], null, { value: 8080 }],
    ["true", ["aws", "backgroundWorkControl"], null, { value: true }],
    ['["core"]', ["services"], null, { value: ["core"] }],
    ["4", ["env", "core", "BOXD_VCPU"], "json", { value: 4 }],
  ] as const)("%s at %j as %s", (text, path, as, expected) => {
    expect(readValue(text, path, as)).toEqual(expected);
  });

  test("what is not what it should be, or would lose digits, is refused", () => {
    expect(readValue("{", ["services"], "json")).toHaveProperty("reason");
    expect(readValue("12345678901234567890", ["basePort"], null)).toHaveProperty("reason");
  });
});

describe("config set", () => {
  test("changes the value alone: comments, mark and line ends stay", async () => {
    const cwd = tempDirectory({ [NAME]: COMMENTED });
    chmodSync(join(cwd, NAME), 0o640);
    expect(await runInProcess(["config", "set", "orgId", "acme2"], { cwd })).toEqual({
      status: 0,
      stdout: `set \`orgId\` in ${NAME}\n`,
      stderr: "",
    });
    expect(textOf(cwd)).toBe(COMMENTED.replace('"orgId": "acme"', '"orgId": "acme2"'));
    expect(statSync(join(cwd, NAME)).mode & 0o777).toBe(0o640);
  });

  test("a change that adds errors is refused and shown; --force makes it", async () => {
    const cwd = tempDirectory({ [NAME]: COMMENTED });
    const { status, stdout, stderr } = await runInProcess(["config", "set", "sandbox.app", "acme"], { cwd });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("sandbox/fly-only-field");
    expect(stderr).toContain("--force");
    expect(textOf(cwd)).toBe(COMMENTED);
    expect((await runInProcess(["config", "set", "sandbox.app", "acme", "--force"], { cwd })).status).toBe(0);
    expect(textOf(cwd)).toContain('"app": "acme"');
  });

  test("one fault in the place of another is refused, one beside others that stay is not", async () => {
    const faulty = soundConfig({ env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme1", BOXD_VCPU: "3" } } });
    const cwd = tempDirectory({ [NAME]: faulty });
    expect((await runInProcess(["config", "set", "env.core.BOXD_VCPU", "5"], { cwd })).status).toBe(1);
    expect((await runInProcess(["config", "set", "env.core.BOXD_ORG", "acme2"], { cwd })).status).toBe(0);
    expect((await runInProcess(["config", "set", "env.core.BOXD_VCPU", "4"], { cwd })).status).toBe(0);
    expect(JSON.parse(textOf(cwd)).env.core).toEqual({ BOXD_ORG: "acme2", BOXD_NAME_PREFIX: "acme1", BOXD_VCPU: "4" });
  });

  test("what `init` leaves open on aws can be filled in one at a time", async () => {
    const cwd = tempDirectory({});
    expect((await runInProcess(["init", ".", "--org", "acme", "--target", "aws", "--yes"], { cwd })).status).toBe(0);
    const role = "arn:aws:iam::210987654321:role/acme-qm-github-deploy";
    for (const [path, value] of [
      ["aws.accountId", "210987654321"],
      ["aws.deployRoleArn", role],
    ] as const)
      expect((await runInProcess(["config", "set", path, value], { cwd })).stderr).toBe("");
  });

  test("a new backend's missing secret is no reason to refuse", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig({ sandbox: {}, env: { core: {} } }), ".env": "X=1\n" });
    expect((await runInProcess(["config", "set", "sandbox.backend", "boxd"], { cwd })).status).toBe(0);
  });

  test("two at once lose nothing", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    const { spawn } = await import("node:child_process");
    const { BIN } = await import("./built.ts");
    const fields = ["LOG_LEVEL", "LOG_FORMAT", "REGION_NOTE", "BANNER"];
    const ends = fields.map(
      (field) =>
        new Promise((done) =>
          spawn(process.execPath, [BIN, "config", "set", `env.core.${field}`, "x"], { cwd }).on("close", done),
        ),
    );
    expect(await Promise.all(ends)).toEqual([0, 0, 0, 0]);
    expect(Object.keys(JSON.parse(textOf(cwd)).env.core).sort()).toEqual(
      ["BOXD_NAME_PREFIX", "BOXD_ORG", ...fields].sort(),
    );
  });

  test.each([["__proto__.x"], ["env.core.constructor"], ["prototype"]])("%s is refused", async (field) => {
    const cwd = tempDirectory({ [NAME]: COMMENTED });
    expect((await runInProcess(["config", "set", field, "1"], { cwd })).status).toBe(2);
    expect((await runInProcess(["config", "set", "env.core", '{"__proto__": {"a": 1}}'], { cwd })).status).toBe(1);
    expect(textOf(cwd)).toBe(COMMENTED);
  });

  test("a config that is a link is left alone", async () => {
    const cwd = tempDirectory({ "real.jsonc": soundConfig() });
    symlinkSync("real.jsonc", join(cwd, NAME));
    const { status, stderr } = await runInProcess(["config", "set", "orgId", "acme2"], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain("symbolic link");
    expect(textOf(cwd)).toBe(soundConfig());
  });

  test("a text with syntax errors is not edited", async () => {
    const cwd = tempDirectory({ [NAME]: '{ "orgId": "acme" "target": "docker" }' });
    expect((await runInProcess(["config", "set", "orgId", "x"], { cwd })).status).toBe(1);
    expect(textOf(cwd)).toBe('{ "orgId": "acme" "target": "docker" }');
  });
});

test.each([
  ["config", "set", "orgId", "other"],
  ["config", "unset", "region"],
  ["secrets", "set", "ANTHROPIC_API_KEY"],
])("%s %s writes nothing where nobody knows which release is pinned", async (...argv) => {
  const text = soundConfig().replace('  "orgId"', '  "region": "sjc",\n  "orgId"');
  const cwd = tempDirectory({ [NAME]: text, "package.json/kept": "" });
  const { status, stderr } = await runInProcess(argv, { cwd, input: "a-value-for-nobody" });
  expect([status, stderr]).toEqual([2, expect.stringContaining("which release of qm it pins")]);
  expect(textOf(cwd)).toBe(text);
  expect(existsSync(join(cwd, ".env"))).toBe(false);
});

describe("config unset", () => {
  test("removes a value with its own comment", async () => {
    const text = soundConfig().replace(
      '  "modelProvider"',
      '  // which models\n  "model": "opus", // the big one\n  "modelProvider"',
    );
    const cwd = tempDirectory({ [NAME]: text });
    expect(await runInProcess(["config", "unset", "model"], { cwd })).toEqual({
      status: 0,
      stdout: `removed \`model\` in ${NAME}, with 2 comments of its own\n`,
      stderr: "",
    });
    expect(textOf(cwd)).toBe(soundConfig());
  });

  test("what the deployment needs is kept; what is not there cannot go", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    expect((await runInProcess(["config", "unset", "orgId"], { cwd })).status).toBe(1);
    expect((await runInProcess(["config", "unset", "region"], { cwd })).status).toBe(1);
    expect(textOf(cwd)).toBe(soundConfig());
  });
});
