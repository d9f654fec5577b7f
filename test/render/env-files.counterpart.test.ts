import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FakeDockerDaemon, hasDockerClient } from "../support/fake-docker-daemon/index.ts";
import { example } from "./support.ts";
import { envFile, environments, withEnvironment } from "./workload-env.ts";

describe.skipIf(!hasDockerClient())("<workload>.env on docker (skipped where no docker client is on PATH)", () => {
  const directory = mkdtempSync(join(tmpdir(), "qm-env-"));
  let daemon: FakeDockerDaemon;
  beforeAll(async () => void (daemon = await FakeDockerDaemon.start()));
  afterAll(async () => {
    await daemon.stop();
    rmSync(directory, { recursive: true });
  });

  test.each(["docker-boxd", "docker-local"])(
    "%s: the client sends the environment of every workload to the daemon",
    async (name) => {
      const deployment = example(name);
      for (const workload of deployment.workloads) {
        const path = join(directory, "x.env");
        writeFileSync(path, envFile(deployment, workload.name).text ?? "");
        expect(await daemon.envOf(path)).toEqual(
          new Map(workload.environment.map((entry) => [entry.name, entry.value])),
        );
      }
    },
  );

  test("any names and values reach the daemon the same, or are left out or refused", async () => {
    const deployment = example("docker-boxd");
    await fc.assert(
      fc.asyncProperty(environments, async (env) => {
        const { text, refusals, notes } = envFile(withEnvironment(deployment, env), "core");
        expect(text === null).toBe(refusals.length > 0);
        if (text === null) return;
        const path = join(directory, "y.env");
        writeFileSync(path, text);
        const sent = (await daemon.envOf(path)) ?? new Map<string, string>();
        expect(sent.size).toBe(Object.keys(env).length - notes.length);
        for (const [name, value] of sent) expect(value).toBe(env[name]);
      }),
      { numRuns: 40 },
    );
  });
});
