import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeEnv } from "../../src/envfile/index.ts";
import { FakeDockerDaemon, hasDockerClient } from "../support/fake-docker-daemon/index.ts";
import { readWith } from "./readers/index.ts";
import { envNames, envTexts, envValues } from "./arbitrary-texts.ts";

const SKIP = !hasDockerClient();

describe.skipIf(SKIP)("the docker client (skipped where it is not on PATH)", () => {
  const directory = mkdtempSync(join(tmpdir(), "envfile-docker-"));
  const path = join(directory, "x.env");
  let daemon: FakeDockerDaemon;
  beforeAll(async () => void (daemon = await FakeDockerDaemon.start()));
  afterAll(async () => {
    await daemon.stop();
    rmSync(directory, { recursive: true });
  });

  test("reads what our port reads", async () => {
    await fc.assert(
      fc.asyncProperty(envTexts, async (written) => {
        const text = written.toWellFormed();
        writeFileSync(path, text);
        const read = readWith("docker", text);
        expect(await daemon.envOf(path)).toEqual(read.ok ? read.values : null);
      }),
      { numRuns: 60 },
    );
  });

  test("gets from `--env-file` every value that the docker dialect carries", async () => {
    const pairs = fc.uniqueArray(fc.record({ name: envNames, value: envValues }), {
      selector: (pair) => pair.name,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(pairs, async (all) => {
        const carried = all.filter((pair) => writeEnv("docker", [pair]).ok);
        const written = writeEnv("docker", carried, { header: "of a test" });
        writeFileSync(path, written.ok ? written.text : "=");
        expect(await daemon.envOf(path)).toEqual(new Map(carried.map(({ name, value }) => [name, value])));
      }),
      { numRuns: 40 },
    );
  });
});
