import { describe, expect, test } from "vitest";
import { readEnvFile } from "../../src/envfile/index.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { runInProcess } from "./in-process.ts";
import { soundConfig } from "./deployments.ts";

const NAME = "qm.config.jsonc";

async function catalogue(cwd: string): Promise<
  {
    name: string;
    required: boolean;
    managedBy: string;
    reason: string;
    destinations: { workload: string; env: string }[];
    description: string;
  }[]
> {
  return JSON.parse((await runInProcess(["secrets", "--format", "json"], { cwd })).stdout).secrets;
}

describe("secrets", () => {
  test("json and the table list the same, sorted by name, with reasons", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    const rows = await catalogue(cwd);
    const names = rows.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    expect(rows.find(({ name }) => name === "BOXD_API_KEY")).toMatchObject({
      required: true,
      managedBy: "operator",
      destinations: [{ workload: "core", env: "BOXD_API_KEY" }],
    });
    const table = (await runInProcess(["secrets"], { cwd })).stdout.split("\n");
    expect(
      table
        .slice(3)
        .filter(Boolean)
        .map((line) => line.split(/\s/)[0]),
    ).toEqual(names);
    for (const { reason } of rows) expect(reason).not.toBe("");
  });

  test("are those that `check --format json` lists", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    const [deployment] = JSON.parse((await runInProcess(["check", "--format", "json"], { cwd })).stdout).deployments;
    expect(deployment.secrets).toEqual(
      (await catalogue(cwd)).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([key]) => key !== "description")),
      ),
    );
  });

  test("a path that is not there ends with 2, as data on stdout for programs", async () => {
    const cwd = tempDirectory();
    const text = await runInProcess(["secrets", "none"], { cwd });
    expect([text.status, text.stdout]).toEqual([2, ""]);
    const json = await runInProcess(["secrets", "none", "--format", "json"], { cwd });
    expect(json.status).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ version: 1, ok: false });
  });
});

describe("secrets example", () => {
  test("is an env file of every operator secret: the required ones blank, the optional ones commented out", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig() });
    const { status, stdout } = await runInProcess(["secrets", "example"], { cwd });
    expect(status).toBe(0);
    const operators = (await catalogue(cwd)).filter(({ managedBy }) => managedBy === "operator");
    const document = readEnvFile(stdout);
    expect(document.problems).toEqual([]);
    expect([...document.values]).toEqual(operators.filter(({ required }) => required).map(({ name }) => [name, ""]));
    for (const { name } of operators.filter(({ required }) => !required)) expect(stdout).toContain(`\n# ${name}=\n`);
    expect(stdout).toContain("openssl rand -hex 32");
  });
});

describe("where the config does not say which secrets there are", () => {
  test.each([
    ["services that are no list", { services: "core" }],
    ["a list without core", { services: ["web-ui"] }],
    ["a service that nobody knows", { services: ["core", "wbe-ui"] }],
    ["no services", { services: undefined }],
    ["a target that nobody knows", { target: "dokcer" }],
    ["a syntax error", null],
  ])("%s: no secret is called unused, and nothing passes", async (_, more) => {
    const env = `CONNECTOR_SECRET_KEY=${"3e".repeat(32)}\nCAPABILITY_SECRET=${"4f".repeat(32)}\nACME_KEY=acme\n`;
    const text = more === null ? soundConfig().replace(/\}\s*$/, "") : soundConfig(more);
    const cwd = tempDirectory({ [NAME]: text, ".env": env });
    for (const argv of [["check"], ["secrets", "check"], ["secrets"], ["secrets", "example"]]) {
      const { status, stdout, stderr } = await runInProcess(argv, { cwd });
      expect([argv, status]).toEqual([argv, 1]);
      expect(stdout + stderr).not.toContain("env-file/unused-name");
    }
    expect((await runInProcess(["status"], { cwd })).stdout).not.toMatch(/secrets +all/);
  });
});

describe("secrets check", () => {
  test("is strict on every target where check is not", async () => {
    const cwd = tempDirectory({
      [NAME]: soundConfig({ target: "fly", region: "iad", flyOrg: "acme" }),
      ".env": "CAPABILITY_SECRET=replace-me\n",
    });
    const rules = async (argv: string[]) => {
      const [deployment] = JSON.parse((await runInProcess([...argv, "--format", "json"], { cwd })).stdout).deployments;
      return deployment.diagnostics
        .filter(({ rule }: any) => rule === "env-file/missing-secret" || rule === "env-file/placeholder")
        .map(({ severity }: any) => severity);
    };
    expect(new Set(await rules(["check"]))).toEqual(new Set(["info"]));
    expect(new Set(await rules(["secrets", "check"]))).toEqual(new Set(["error"]));
    expect((await runInProcess(["secrets", "check"], { cwd })).status).toBe(1);
  });

  test("without an env file fails, and says nothing of the config", async () => {
    const cwd = tempDirectory({ [NAME]: soundConfig({ nonsense: 1 }) });
    const { status, stdout } = await runInProcess(["secrets", "check"], { cwd });
    expect(status).toBe(1);
    expect(stdout).toContain("env-file/none");
    expect(stdout).not.toContain("nonsense");
  });
});
