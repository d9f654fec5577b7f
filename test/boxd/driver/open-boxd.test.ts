import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { baseUrlProblem, cleanBaseURL, openBoxd, SDK_PACKAGE, SDK_RANGE } from "../../../src/boxd/driver/index.ts";
import { TEST_KEY } from "../../support/boxd-fake/index.ts";
import { makeStandIn, type StandIn } from "../../support/boxd-sdk-stand-in/stand-in.ts";
import { needsProcesses, skipWithoutProcesses } from "./rig.ts";

test.each([
  ["https://boxd.sh:9443/", "https://boxd.sh:9443"],
  ["https://boxd.sh:9443///", "https://boxd.sh:9443"],
  [" boxd.sh ", "boxd.sh"],
  ["  ", undefined],
  [undefined, undefined],
])("base URL %j becomes %j", (given, expected) => expect(cleanBaseURL(given)).toBe(expected));

test.each([
  ["https://boxd.sh:9443", null],
  ["https://boxd.sh/", null],
  ["HTTPS://boxd.example", null],
  ["http://localhost:9443", null],
  ["http://127.0.0.1:1", null],
  ["http://127.1", null],
  ["http://[::1]:9", null],
  ["http://boxd.sh", "must be https"],
  ["http://127.evil.example", "must be https"],
  ["http://localhost.evil.example:9443", "must be https"],
  ["HTTP://10.0.0.1", "must be https"],
  ["https://boxd.sh/api", "must have no path"],
  ["https://boxd.sh\\api", "must have no path"],
  ["https://boxd.sh/?token=s3cret-word", "must have no path"],
  ["https://boxd.sh?", "must have no path"],
  ["http://user:s3cret-word@boxd.sh/x?token=s3cret-word", "must not contain credentials"],
  ["https://@boxd.sh", "must not contain credentials"],
  ["ftp://boxd.sh", "is not an http or https URL"],
  ["https:boxd.sh", "is not an http or https URL"],
  ["boxd.sh:9443", "is not an http or https URL"],
  ["not a url", "is not an http or https URL"],
  ["https://", "is not an http or https URL"],
])("the key may go to %j: %j", async (baseURL, problem) => {
  expect(baseUrlProblem(baseURL)).toEqual(problem === null ? null : expect.stringContaining(problem));
  if (problem === null) return;
  const refused = openBoxd({ apiKey: TEST_KEY, baseURL });
  await expect(refused).rejects.toMatchObject({ kind: "invalid", message: expect.stringContaining(problem) });
  await expect(refused).rejects.not.toThrow("s3cret-word");
});

test.each(["BOXD_BASE_URL", "BOXD_API_URL"])("what the SDK would read from %s is judged as well", async (name) => {
  vi.stubEnv(name, "http://boxd.example");
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openBoxd({ apiKey: TEST_KEY })).rejects.toThrow(`${name} must be https`);
});

test("a blank key is refused before the SDK is loaded", async () => {
  await expect(openBoxd({ apiKey: "  " })).rejects.toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("blank"),
  });
});

const ROOT = join(import.meta.dirname, "../../..");

test("the range of versions is the same wherever it stands", () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    peerDependencies: Record<string, string>;
  };
  expect(peerDependencies).toEqual({ [SDK_PACKAGE]: SDK_RANGE });
  for (const page of ["docs/boxd.md", "docs/contract/boxd.md"])
    expect(readFileSync(join(ROOT, page), "utf8"), page).toContain(`\`${SDK_RANGE}\``);
});

describe.skipIf(skipWithoutProcesses)(`openBoxd in a process of its own${needsProcesses}`, () => {
  let dir: string;
  let standIn: StandIn;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "open-boxd-"));
    standIn = await makeStandIn();
    // A bundle, as it is shipped: the import of the SDK must survive it.
    await build({
      input: join(import.meta.dirname, "../../../src/boxd/driver/index.ts"),
      platform: "node",
      output: { file: join(dir, "boxd.mjs"), format: "esm" },
      logLevel: "warn",
    });
  });
  afterAll(() => {
    standIn.dispose();
    rmSync(dir, { recursive: true, force: true });
  });

  function run(body: string, nodeArgs: readonly string[], env: Record<string, string> = {}) {
    const file = join(dir, "program.mjs");
    writeFileSync(file, `import { openBoxd } from "./boxd.mjs";\nconst key = ${JSON.stringify(TEST_KEY)};\n${body}\n`);
    const { stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, file], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });
    return { stdout, stderr };
  }

  test("without the package the error says how to install it, and nothing of the key", () => {
    const { stdout } = run(
      "await openBoxd({ apiKey: key }).catch((error) => console.log(error.name, error.kind, error.message));",
      [],
    );
    expect(stdout).toContain("BoxdDriverError invalid the package @boxd-sh/sdk is not installed");
    expect(stdout).toContain(`npm install "@boxd-sh/sdk@${SDK_RANGE}"`);
    expect(stdout).not.toContain(TEST_KEY);
  });

  test.each([
    ["0.2.19", "0.2.19 is installed, but qm-deploy needs >=0.2.20 <0.4"],
    ["0.4.0", "0.4.0 is installed, but qm-deploy needs >=0.2.20 <0.4"],
    ["1.0.0", "1.0.0 is installed"],
    ["0.2.20", "opened 0.2.20"],
    ["0.3.17", "opened 0.3.17"],
    ["0.3.0-beta.1", "opened 0.3.0-beta.1"],
  ])("of an installed %s it says: %s", (version, says) => {
    install(version, "export class Boxd { async close() {} }");
    const body = `
      const say = ({ sdkVersion, close }) => { console.log("opened", sdkVersion); return close(); };
      await openBoxd({ apiKey: key }).then(say, (error) => console.log(error.kind, error.message));`;
    expect(run(body, [])).toEqual({ stdout: expect.stringContaining(says), stderr: "" });
  });

  test.each([
    ["export const nothing = 1;", "0.2.20 has no `Boxd` class"],
    ['import "not-there";', "0.2.20 could not be loaded"],
  ])("of an installed package that holds %s it says: %s", (code, says) => {
    install("0.2.20", code);
    const body = "await openBoxd({ apiKey: key }).catch((error) => console.log(error.kind, error.message));";
    expect(run(body, []).stdout).toContain(`invalid the package @boxd-sh/sdk ${says}`);
  });

  /** A package of that name beside the program, whose `exports` hide package.json, as the vendor's may. */
  function install(version: string, code: string) {
    const folder = join(dir, "node_modules", SDK_PACKAGE);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "sdk.js"), code);
    const manifest = { name: SDK_PACKAGE, version, type: "module", exports: { ".": { import: "./sdk.js" } } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    onTestFinished(() => rmSync(join(dir, "node_modules"), { recursive: true }));
  }

  test("one client for a key and a base URL, closed with its last share", () => {
    const body = `
      const [a, b] = await Promise.all([openBoxd({ apiKey: key }), openBoxd({ apiKey: key })]);
      const c = await openBoxd({ apiKey: key, baseURL: "https://boxd.sh:9443/" });
      console.log(a.client === b.client, a.client === c.client);
      console.log((await c.client.machines.list()).length);
      await a.close(); await a.close();
      console.log((await b.client.machines.list()).length);
      await b.close(); await c.close();
      const again = await openBoxd({ apiKey: key });
      console.log(again.client === a.client);
      await again.close();`;
    expect(run(body, standIn.nodeArgs, standIn.env())).toEqual({ stdout: "true false\n0\n0\nfalse\n", stderr: "" });
    expect(standIn.report()).toMatchObject({ clients: { opened: 3, closed: 3 }, violations: [] });
  });
});
