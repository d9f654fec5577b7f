import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { fakeIo } from "../fake-io.ts";

/** A password as people make them: nothing but what stands before it gives it away. */
const PASSWORD = "summer-quokka-26";

/** Lines of `env.core` that are broken or of a wrong shape. */
const LINES = [
  `DB_PASSWORD: ${PASSWORD},`,
  `DB_PASSWORD=${PASSWORD}`,
  `DB_PASSWORD = '${PASSWORD}'`,
  `password: ${PASSWORD}`,
  `"DB_PASSWORD" "${PASSWORD}"`,
  `"DB_PASSWORD": ${PASSWORD}`,
  `"DB_PASSWORD": { "value": "${PASSWORD}" }`,
  `"DB_PASSWORD": ["${PASSWORD}"]`,
  `"HOOK": "https://api.acme-corp.dev/?token=${PASSWORD}"`,
];

const FIELDS = [
  `"env": { "core": {\n    "A": "shown-as-it-is",\n    `,
  `"imageOverrides": { "core": "bot:${PASSWORD}@ghcr.io/acme/core:1" }, "x": {"y": {`,
  `"secretEnv": { "core": { "FOO": "${PASSWORD}" } }, "x": {"y": {`,
];

const CONFIGS = [
  ...LINES.map((line) => `${FIELDS[0]}${line}\n  } }`),
  ...FIELDS.slice(1).map((field) => `${field} } }`),
].map((fields) => `{\n  "contract": 1,\n  "target": "docker",\n  ${fields}\n}\n`);

const COMMANDS = [
  ["check", "--all"],
  ["check", "--format", "json"],
  ["check", "--fix", "--dry-run"],
  ["render"],
  ["upgrade", "0.1.12"],
  ["explain", "env"],
  ["config", "get", "env"],
  ["config", "get", "env.core.DB_PASSWORD"],
];

async function printed(argv: readonly string[], cwd: string): Promise<string> {
  const io = fakeIo(argv, { cwd, env: { PATH: "" } });
  await main(io);
  return io.out + io.err;
}

describe.each(CONFIGS)("%j", (text) => {
  test("shows no password", async () => {
    const cwd = tempDirectory({ "qm.config.jsonc": text });
    for (const argv of COMMANDS) expect(await printed(argv, cwd), argv.join(" ")).not.toContain(PASSWORD);
  });
});

test.each([
  `root:${PASSWORD}:1\nann:${PASSWORD}:2\n`,
  `machine x login ann password ${PASSWORD}\n`,
  `a:\n  b: ${PASSWORD}\n`,
])("no line of a file that is no config is shown, which a link may lead to: %j", async (text) => {
  const cwd = tempDirectory({ "d/package.json": "{}", "other.txt": text });
  symlinkSync("../other.txt", join(cwd, "d/qm.config.jsonc"));
  for (const argv of COMMANDS.slice(0, 5)) {
    const said = await printed(argv, join(cwd, "d"));
    expect(said, argv.join(" ")).toContain("syntax/");
    expect(said, argv.join(" ")).not.toContain(PASSWORD);
  }
});
