import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { readEnvFile } from "../../src/envfile/index.ts";
import { KEY } from "../references/rows.ts";
import { standIns, type World } from "../references/stand-ins/index.ts";
import { filledEnv } from "../render/secret-values.ts";
import { filesBelow } from "../support/files-below.ts";
import { deploymentFrom, deploymentOf } from "../support/fragment.ts";
import { hangingProgram } from "../support/hanging-program.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { soundConfig } from "./deployments.ts";
import { type FakeIo, fakeIo } from "./fake-io.ts";

const ENV = filledEnv(deploymentFrom(soundConfig(), { release: "0.1.12" }));
const REFERENCE = "op://acme/qm/cap";

/** A sound deployment on docker with this value of CAPABILITY_SECRET. */
function deploymentWith(value: string, config = soundConfig(), env = ENV): string {
  const others = env.replace(/^CAPABILITY_SECRET=.*\n/m, "");
  return tempDirectory({ "qm.config.jsonc": config, ".env": `${others}CAPABILITY_SECRET=${value}\n` });
}

async function run(
  argv: readonly string[],
  cwd: string,
  env: FakeIo["env"] = {},
): Promise<FakeIo & { status: number }> {
  const io = fakeIo(argv, { cwd, env });
  const status = await main(io);
  return Object.assign(io, { status });
}

/** What stands for CAPABILITY_SECRET in what was rendered; null where nothing was. */
function handedOn(cwd: string): string | undefined | null {
  const file = join(cwd, "rendered/docker/core.secrets.env");
  return existsSync(file) ? readEnvFile(readFileSync(file, "utf8")).values.get("CAPABILITY_SECRET") : null;
}

test("with --resolve the secret is judged and written, for its owner alone, and kept nowhere else", async () => {
  const cwd = deploymentWith(REFERENCE);
  const tools = standIns({ op: { [REFERENCE]: KEY } });
  expect(await run(["secrets", "check", "--resolve"], cwd, tools.env)).toMatchObject({ status: 0 });
  const rendered = await run(["render", "--secrets", "--resolve"], cwd, tools.env);
  expect(rendered.status, rendered.out + rendered.err).toBe(0);
  expect(handedOn(cwd)).toBe(KEY);
  expect(statSync(join(cwd, "rendered/docker/core.secrets.env")).mode & 0o777).toBe(0o600);
  const holders = Object.entries(filesBelow(cwd).files).filter(([, text]) => text?.includes(KEY));
  expect(holders.map(([file]) => file)).toEqual(["rendered/docker/core.secrets.env"]);
  expect(rendered.out + rendered.err).not.toContain(KEY);
  // What is committed is the same whether or not the value was read.
  expect(await run(["render", "--check"], cwd)).toMatchObject({ status: 0 });
});

describe("without it, or where the tool fails, the text is handed to nothing", () => {
  const failing: readonly (readonly [string, string, World, readonly string[]])[] = [
    ["not asked", REFERENCE, { op: { [REFERENCE]: KEY } }, []],
    ["nothing there", REFERENCE, {}, ["--resolve"]],
    [
      "a tool that fails",
      REFERENCE,
      { faults: { op: { status: 1, says: "not signed in", printed: KEY } } },
      ["--resolve"],
    ],
    ["another reference", REFERENCE, { op: { [REFERENCE]: "vault:secret/data/x#y" } }, ["--resolve"]],
    ["a placeholder", REFERENCE, { op: { [REFERENCE]: "replace-me" } }, ["--resolve"]],
    ["NUL", REFERENCE, { op: { [REFERENCE]: `${KEY}\0` } }, ["--resolve"]],
    ["a scheme that nothing reads", "vault:secret/data/acme#cap", {}, ["--resolve"]],
    ["a program of the file's choice", "ref+exec://sh/-c/id", {}, ["--resolve"]],
  ];
  test.each(failing)("%s", async (_, value, world, resolve) => {
    const cwd = deploymentWith(value);
    const tools = standIns(world);
    expect(await run(["secrets", "check", ...resolve], cwd, tools.env)).toMatchObject({ status: 1 });
    for (const force of [[], ["--force"]]) {
      const ran = await run(["render", "--secrets", ...force, ...resolve], cwd, tools.env);
      expect(ran.status, ran.out).toBe(1);
      expect(ran.out + ran.err).not.toContain(KEY);
      const texts = existsSync(join(cwd, "rendered")) ? JSON.stringify(filesBelow(join(cwd, "rendered")).files) : "";
      expect(texts).not.toContain(value);
      expect(texts).not.toContain(KEY);
    }
  });
});

test("what a store gives is judged like what is written", async () => {
  const rulesOf = async (value: string): Promise<string[]> => {
    const tools = standIns({ op: { [REFERENCE]: value } });
    const { out } = await run(
      ["secrets", "check", "--resolve", "--format", "json"],
      deploymentWith(REFERENCE),
      tools.env,
    );
    return JSON.parse(out).deployments[0].diagnostics.map(({ rule }: { rule: string }) => rule);
  };
  const other = readEnvFile(ENV).values.get("CORE_SIGNING_SECRET") as string;
  expect(await rulesOf(KEY)).not.toContain("env-file/read-otherwise");
  expect(await rulesOf("short")).toContain("env-file/too-short");
  expect(await rulesOf("replace-me")).toContain("env-file/placeholder");
  expect(await rulesOf(other)).toContain("env-file/reused-value");
  expect(await rulesOf(`${KEY}\u200b`)).toContain("env-file/invisible-character");
  expect(await rulesOf(`${KEY}\u0007`)).toContain("env-file/control-character");
  expect(await rulesOf(REFERENCE)).toContain("env-file/reference");
});

test("check starts nothing: it warns of what --resolve reads, and errs for the rest", async () => {
  const tools = standIns({ op: { [REFERENCE]: "short" } });
  const severityOf = async (value: string): Promise<string> => {
    const { out } = await run(["check", "--format", "json"], deploymentWith(value), tools.env);
    const [found] = JSON.parse(out).deployments[0].diagnostics.filter(
      ({ rule }: { rule: string }) => rule === "env-file/reference",
    );
    return found.severity;
  };
  for (const value of [REFERENCE, "ref+vault://x", "arn:aws:ssm:eu-west-1:210987654321:parameter/x"])
    expect(await severityOf(value)).toBe("warning");
  for (const value of ["infisical://x/y", "ref+exec://sh", "arn:aws:ssm:eu-west-1:210987654321:document/x"])
    expect(await severityOf(value)).toBe("error");
  expect(tools.starts()).toEqual([]);
});

test.each([
  ["render", "--resolve"],
  ["render", "--check", "--resolve"],
  ["render", "--secrets", "--resolve", "--only", "core.env", "--stdout"],
])("%s %s is a wrong command line", async (...argv) => {
  expect(await run(argv, deploymentWith(REFERENCE))).toMatchObject({ status: 2, out: "" });
});

test("an interrupt ends the tool and the run, and is no finding", async () => {
  const tool = hangingProgram("op");
  const cwd = deploymentWith(REFERENCE);
  const io = fakeIo(["render", "--secrets", "--resolve"], {
    cwd,
    env: { PATH: tool.path },
    interrupted: () => tool.started().then(() => "SIGINT"),
  });
  expect(await main(io)).toBe(130);
  await tool.ended();
  expect(readdirSync(cwd).sort()).toEqual([".env", "qm.config.jsonc"]);
});

describe("on aws", () => {
  const aws = deploymentOf('{ "target": "aws" }');
  const config = aws.document.text;
  const env = filledEnv(aws).replace(/^PUBLIC_API_URL=.*$/m, `PUBLIC_API_URL=${aws.publicOrigin}`);
  const own = "arn:aws:secretsmanager:us-west-2:210987654321:secret:acme-qm/CAPABILITY_SECRET";

  test.each([own, `${own}-AbCdEf`, `${own}-AbCdEf::AWSCURRENT:`])(
    "%s is where the tasks read it: nothing is to be copied",
    async (arn) => {
      const cwd = deploymentWith(arn, config, env);
      const ran = await run(["render", "--secrets", "--format", "json"], cwd);
      expect(ran.status, ran.out + ran.err).toBe(0);
      const written = Object.keys(filesBelow(join(cwd, "rendered/aws")).files);
      expect(written).toContain("secrets/CORE_SIGNING_SECRET.secrets.json");
      expect(written).not.toContain("secrets/CAPABILITY_SECRET.secrets.json");
      const { containerDefinitions } = JSON.parse(
        readFileSync(join(cwd, "rendered/aws/core.task-definition.json"), "utf8"),
      );
      expect(containerDefinitions[0].secrets).toContainEqual({ name: "CAPABILITY_SECRET", valueFrom: own });
    },
  );

  test.each([
    ["another name", "arn:aws:secretsmanager:us-west-2:210987654321:secret:acme-qm/CAPABILITY_SECRETS"],
    ["another region", own.replace("us-west-2", "eu-west-1")],
    ["another account", own.replace("210987654321", "110987654321")],
  ])("%s is copied from, where --resolve says so", async (_, arn) => {
    const cwd = deploymentWith(arn, config, env);
    const region = arn.split(":")[3];
    const tools = standIns({ aws: { [`${region} ${arn}`]: { AWSCURRENT: { SecretString: KEY } } } });
    expect((await run(["render", "--secrets"], cwd, tools.env)).status).toBe(1);
    const ran = await run(["render", "--secrets", "--resolve"], cwd, tools.env);
    expect(ran.status, ran.out + ran.err).toBe(0);
    const file = join(cwd, "rendered/aws/secrets/CAPABILITY_SECRET.secrets.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      SecretId: "acme-qm/CAPABILITY_SECRET",
      SecretString: KEY,
    });
  });
});

describe("other commands hand on no reference, and lose none", () => {
  test("secrets set --generate replaces one only where --force says so", async () => {
    const cwd = deploymentWith(REFERENCE);
    const text = readFileSync(join(cwd, ".env"), "utf8");
    const argv = ["secrets", "set", "CAPABILITY_SECRET", "--generate"];
    const refused = await run(argv, cwd);
    expect(refused).toMatchObject({
      status: 1,
      err: expect.stringContaining("only says where the secret is in 1Password"),
    });
    expect(readFileSync(join(cwd, ".env"), "utf8")).toBe(text);
    expect(await run([...argv, "--force"], cwd)).toMatchObject({ status: 0 });
    expect(readFileSync(join(cwd, ".env"), "utf8")).not.toContain(REFERENCE);
  });

  test("dev-env prints none in the place of a value, and warns of one in the place of the key", async () => {
    const cwd = tempDirectory({ ".env": "BOXD_API_KEY=op://acme/boxd/key\nPUBLIC_API_URL=op://acme/qm/url\n" });
    const ran = await run(["dev-env", "--sandbox", "boxd"], cwd);
    expect(ran).toMatchObject({ status: 1, out: "" });
    expect(ran.err).toMatch(/`PUBLIC_API_URL` only says where the secret is in 1Password/);
    expect(ran.err).toMatch(/warning: `BOXD_API_KEY` only says where the secret is in 1Password/);
    expect(ran.err).not.toContain("op://");
  });

  test("doctor does not take one for an address", async () => {
    const value = readEnvFile(ENV).values.get("CAPABILITY_SECRET") as string;
    const cwd = deploymentWith(`${value}\nPUBLIC_API_URL=op://acme/qm/url`);
    const { out } = await run(["doctor"], cwd, { PATH: "/nonexistent" });
    expect(out).toContain("PUBLIC_API_URL: its value is in another store");
  });
});
