import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { createReferenceReader } from "../../src/references/read-references.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { soundConfig } from "../cli/deployments.ts";
import { plainEnv } from "../cli/built.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { KEY } from "./rows.ts";

const DOTENVX = process.env["QM_DEPLOY_DOTENVX"] ?? "";
const needs = DOTENVX === "" ? " (skipped without QM_DEPLOY_DOTENVX)" : "";

/** What a deployment reads of an env file that the real dotenvx encrypts; what `$(…)` in it would make is in `made`. */
async function roundTrip(
  env: string,
  { keepsKeys = true, more = "" } = {},
): Promise<{ deployment: Deployment; root: string }> {
  const root = tempDirectory({ "qm.config.jsonc": soundConfig(), ".env": env, "bin/none": "" });
  symlinkSync(DOTENVX, join(root, "bin/dotenvx"));
  const path = [join(root, "bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  const how = { cwd: root, env: { ...plainEnv(), PATH: path } };
  execFileSync(DOTENVX, ["encrypt", "-f", ".env"], { ...how, stdio: "ignore" });
  const written = readFileSync(join(root, ".env"), "utf8");
  expect(written).toMatch(/CAPABILITY_SECRET=["']?encrypted:/);
  const keys = readFileSync(join(root, ".env.keys"), "utf8");
  const [, key = ""] = /^DOTENV_PRIVATE_KEY=["']?(\w+)/m.exec(keys) ?? [];
  const files = { ".env": `${written}\n${more}`, ...(keepsKeys ? { ".env.keys": keys } : {}) };
  const place = tempDirectory({ "qm.config.jsonc": soundConfig(), ...files });
  const { deployment } = loadDeployment(place, { cwd: place });
  const given = keepsKeys ? {} : { DOTENV_PRIVATE_KEY: key };
  const reader = createReferenceReader({
    cwd: place,
    env: { ...how.env, ...given, CAPABILITY_SECRET: "of the environment" },
  });
  return { deployment: await reader(deployment as Deployment), root: place };
}

describe.skipIf(needs !== "")(`dotenvx itself${needs}`, () => {
  test.each([
    ["a key", `CAPABILITY_SECRET=${KEY}\n`, KEY],
    ["quotes and blanks", `CAPABILITY_SECRET="it's a 'key' # of words"\n`, "it's a 'key' # of words"],
    ["a line break that is written out", 'CAPABILITY_SECRET="a\\nb"\n', "a\nb"],
    ["the same in single quotes", "CAPABILITY_SECRET='a\\nb'\n", "a\\nb"],
    ["JSON", `CAPABILITY_SECRET='{"kty":"EC","d":"a\\\\b"}'\n`, '{"kty":"EC","d":"a\\\\b"}'],
    ["lines", 'CAPABILITY_SECRET="a\nb"\n', "a\nb"],
    ["dollars", "CAPABILITY_SECRET='a$HOME${HOME}'\n", "a$HOME${HOME}"],
    ["more than ASCII", "CAPABILITY_SECRET=schlüssel-\u{1f511}\n", "schlüssel-\u{1f511}"],
  ])("%s", async (_, env, value) => {
    const { deployment } = await roundTrip(env);
    expect(deployment.inputs.readings?.get("CAPABILITY_SECRET")).toEqual({ value });
  });

  test("the key may be in the environment", async () => {
    const { deployment } = await roundTrip(`CAPABILITY_SECRET=${KEY}\n`, { keepsKeys: false });
    expect(deployment.env?.values.get("CAPABILITY_SECRET")).toBe(KEY);
  });

  test("no program that the file names is started, encrypted or not", async () => {
    const made = join(tempDirectory(), "made");
    const more = `ANTHROPIC_API_KEY=$(touch ${made})\nOTHER="$(touch ${made})"\n`;
    const { deployment } = await roundTrip(`CAPABILITY_SECRET='$(touch ${made})'\n`, { more });
    expect(deployment.env?.values.get("CAPABILITY_SECRET")).toBe(`$(touch ${made})`);
    expect(existsSync(made)).toBe(false);
  });

  test("without the key, and with another one, it is said in words of dotenvx", async () => {
    const other = `encrypted:${Buffer.alloc(120, 4).toString("base64")}`;
    const { deployment } = await roundTrip(`CAPABILITY_SECRET=${KEY}\n`, { more: `ANTHROPIC_API_KEY=${other}\n` });
    expect(deployment.env?.values.get("CAPABILITY_SECRET")).toBe(KEY);
    expect(deployment.inputs.readings?.get("ANTHROPIC_API_KEY")).toMatchObject({
      problem: expect.stringMatching(
        /^was not given by `dotenvx`: it says: \[(?:DECRYPTION_FAILED|MISSING_PRIVATE_KEY)\]$/,
      ),
    });
  });
});
