import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanBaseURL, openBoxd } from "../../../src/boxd/driver/index.ts";
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

test("a blank key is refused before the SDK is loaded", async () => {
  await expect(openBoxd({ apiKey: "  " })).rejects.toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("blank"),
  });
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
    expect(stdout).toContain("npm install @boxd-sh/sdk");
    expect(stdout).not.toContain(TEST_KEY);
  });

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
