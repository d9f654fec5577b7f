import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { tempDirectory } from "../workspace/temp.ts";
import { BIN, plainEnv } from "./built.ts";
import { runInProcess } from "./in-process.ts";
import { soundConfig } from "./deployments.ts";

const SECRET = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx0123456789";

// Only where a word is a path it is repeated: nobody could find the file otherwise.
test.each([
  [SECRET],
  ["help", SECRET],
  ["check", "--format", SECRET],
  ["check", "--release", SECRET],
  ["check", "--target", SECRET],
  ["check", `--${SECRET}`],
  ["check", `--${SECRET}=x`],
  ["explain", SECRET],
  ["config", SECRET],
  ["config", "get", SECRET],
  ["config", "unset", SECRET],
  ["config", "set", "sandbox.backend", SECRET],
  ["render", "--only", SECRET],
  ["secrets", "set", SECRET],
  ["secrets", "set", "BOXD_API_KEY", SECRET],
  ["completion", SECRET],
  ["dev-env", "--sandbox", SECRET],
  ["boxd", "rm", SECRET],
  ["schema", SECRET],
  ["init", "x", "--yes", "--org", SECRET, "--target", "docker"],
  ["init", "x", "--yes", "--org", "acme", "--target", SECRET],
  ["init", "x", "--yes", "--org", "acme", "--target", "docker", "--backend", SECRET],
  ["init", "x", "--yes", "--org", "acme", "--target", "docker", "--public-url", `https://u:${SECRET}@acme.dev`],
])("a secret in the place of another word is not repeated: %s %s %s", async (...argv) => {
  const cwd = tempDirectory({ "qm.config.jsonc": soundConfig() });
  const { stdout, stderr } = await runInProcess(argv, { cwd });
  expect(stdout + stderr).not.toContain("AbCdEfGh");
});

test("what was probably meant is still said", async () => {
  expect((await runInProcess(["chekc"])).stderr).toContain("unknown command 'chekc'\n(Did you mean check?)");
  expect((await runInProcess(["check", "--formta", "json"])).stderr).toContain(
    "unknown option '--formta'\n(Did you mean --format?)",
  );
  expect((await runInProcess(["explain", "CAPABILITY_SECRE"])).stderr).toContain(
    "`CAPABILITY_SECRE`; did you mean `CAPABILITY_SECRET`",
  );
});

test("without a working directory and anywhere to say so, the status says it", () => {
  const cwd = tempDirectory({ "gone/x": "" });
  const { status } = spawnSync(
    "bash",
    ["-c", `cd gone && rm -r ../gone && exec "${process.execPath}" "${BIN}" check / 2>&-`],
    { cwd, env: plainEnv() },
  );
  expect(status).toBe(2);
});
