import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filledEnv } from "../render/secret-values.ts";
import { deploymentFrom } from "../support/fragment.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { BIN, plainEnv } from "./built.ts";
import { runInProcess } from "./in-process.ts";
import { soundConfig } from "./deployments.ts";

const NAME = "qm.config.jsonc";

function withLine(env: string, name: string, value: string | null): string {
  const rest = env.replace(new RegExp(`^${name}=.*\n`, "m"), "");
  return value === null ? rest : `${rest}${name}=${value}\n`;
}

const ENV = filledEnv(deploymentFrom(soundConfig(), { release: "0.1.12" }));

describe("secrets check and render --secrets say the same", () => {
  test.each<[string, string, number]>([
    ["of what is filled in", ENV, 0],
    ["without a database on docker", withLine(ENV, "POSTGRES_PASSWORD", null), 1],
    [
      "with one of one's own",
      withLine(
        withLine(ENV, "POSTGRES_PASSWORD", null),
        "DATABASE_URL",
        "postgres://qm:8fJ2kLmQ9r@db.acme-corp.dev/qm",
      ),
      0,
    ],
    ["of a secret that is missing", withLine(ENV, "CAPABILITY_SECRET", null), 1],
    ["of a placeholder", withLine(ENV, "CAPABILITY_SECRET", "<your-key>"), 1],
    ["of a masked key", withLine(ENV, "ANTHROPIC_API_KEY", "sk-ant-api03-****************abcd"), 1],
    ["of a reference that a later release reads", withLine(ENV, "BOXD_API_KEY", "op://acme/boxd/key"), 1],
    ["of one that nothing reads", withLine(ENV, "BOXD_API_KEY", "vault:secret/data/acme#boxd"), 1],
    ["of an encrypted password of the database", withLine(ENV, "POSTGRES_PASSWORD", "ENC[AES256_GCM,data:a,iv:b]"), 1],
  ])("%s", async (_, env, status) => {
    const cwd = tempDirectory({ [NAME]: soundConfig(), ".env": env });
    expect((await runInProcess(["secrets", "check"], { cwd })).status).toBe(status);
    for (const force of [[], ["--force"]]) {
      expect((await runInProcess(["render", "--secrets", ...force], { cwd })).status).toBe(status);
      const file = join(cwd, "rendered/docker/core.secrets.env");
      if (existsSync(file)) expect(readFileSync(file, "utf8")).not.toMatch(/op:\/\/|vault:|ENC\[|\*{4}|<your/);
      rmSync(join(cwd, "rendered"), { recursive: true, force: true });
    }
  });
});

test("a reference is a warning of check where a later release reads it, and an error where none does", async () => {
  const status = async (value: string): Promise<number | null> => {
    const cwd = tempDirectory({ [NAME]: soundConfig(), ".env": withLine(ENV, "BOXD_API_KEY", value) });
    return (await runInProcess(["check"], { cwd })).status;
  };
  expect(await status("op://acme/boxd/key")).toBe(0);
  expect(await status("infisical://acme/boxd")).toBe(1);
});

describe.skipIf(process.platform === "win32")("an env file from a pipe", () => {
  function bash(script: string, cwd: string) {
    return spawnSync("bash", ["-c", script], {
      cwd,
      env: plainEnv({ QM: BIN, NODE: process.execPath }),
      encoding: "utf8",
    });
  }

  test.each([
    ["secrets check", 'exec "$NODE" "$QM" secrets check -e <(cat filled)'],
    ["render --secrets", 'exec "$NODE" "$QM" render --secrets -e <(cat filled)'],
    ["a pipe on stdin", 'cat filled | "$NODE" "$QM" secrets check -e /dev/stdin'],
    ["a named pipe", 'mkfifo pipe; (sleep 0.5; cat filled > pipe) & exec "$NODE" "$QM" secrets check -e pipe'],
    ["several deployments", '"$NODE" "$QM" check . other -e <(cat filled) | grep -q "passed  2 deployments"'],
  ])("%s", (_, script) => {
    const cwd = tempDirectory({
      [NAME]: soundConfig(),
      filled: ENV,
      [`other/${NAME}`]: soundConfig({ env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme2" } } }),
    });
    const { status, stdout, stderr } = bash(script, cwd);
    expect(status, stdout + stderr).toBe(0);
  });

  test("Node empties one that --env-file names, and the help says what to write", () => {
    const cwd = tempDirectory({ [NAME]: soundConfig(), filled: ENV });
    const { status, stderr, stdout } = bash('exec "$NODE" "$QM" secrets check --env-file <(cat filled)', cwd);
    expect(status).toBe(2);
    expect(stdout + stderr).toContain("-e <(");
  });
});
