import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDirectory } from "../../workspace/temp.ts";
import { runInProcess } from "../in-process.ts";
import { everything, textOf } from "./directory.ts";

describe("a directory with a deployment", () => {
  test("running again changes nothing", async () => {
    const cwd = tempDirectory();
    await runInProcess(["init", "--org", "acme", "--release", "0.1.6"], { cwd });
    const before = everything(cwd)
      .filter((path) => statSync(join(cwd, path)).isFile())
      .map((path) => [path, textOf(cwd, path), statSync(join(cwd, path)).mtimeMs]);
    const { status, stdout } = await runInProcess(["init"], { cwd });
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/^(created|merged)/m);
    expect(
      everything(cwd)
        .filter((path) => statSync(join(cwd, path)).isFile())
        .map((path) => [path, textOf(cwd, path), statSync(join(cwd, path)).mtimeMs]),
    ).toEqual(before);
  });

  test("the config is kept, and options that say otherwise are said to count for nothing", async () => {
    const cwd = tempDirectory();
    await runInProcess(["init", "--org", "acme"], { cwd });
    const config = textOf(cwd, "qm.config.jsonc");
    const { status, stdout, stderr } = await runInProcess(
      ["init", "--org", "acme", "--target", "fly", "--release", "0.1.6"],
      {
        cwd,
      },
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^kept +qm\.config\.jsonc$/m);
    expect(stderr).toContain("--target is not what the kept qm.config.jsonc says");
    expect(stderr).toContain("--release is not what package.json pins");
    expect(stderr).not.toContain("--org");
    expect(textOf(cwd, "qm.config.jsonc")).toBe(config);
    expect(existsSync(join(cwd, "rendered", "fly"))).toBe(false);
  });

  test.each([
    ["--target", "k8s"],
    ["--org", "ACME Inc"],
    ["--model-provider", "antropic"],
    ["--aws-account", "1"],
  ])("an option that means nothing is refused beside a kept config too: %s %s", async (...option) => {
    const cwd = tempDirectory({ "qm.config.jsonc": "{}" });
    const { status, stderr } = await runInProcess(["init", ...option], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(option[0]);
    expect(everything(cwd)).toEqual(["qm.config.jsonc"]);
  });

  test("a config that is not sound is named, and nothing is rendered", async () => {
    const cwd = tempDirectory({ "qm.config.jsonc": '{ "contract": 1, ' });
    const { status, stderr } = await runInProcess(["init"], { cwd });
    expect(status).toBe(1);
    expect(stderr).toContain("nothing was rendered");
    expect(everything(cwd)).toEqual(["qm.config.jsonc"]);
  });

  test("which may run already: keys that it cannot do without are left to the operator, the others are made", async () => {
    const cwd = tempDirectory();
    await runInProcess(["init", "--org", "acme"], { cwd });
    rmSync(join(cwd, ".env"));
    const { status, stdout } = await runInProcess(["init"], { cwd });
    expect(status).toBe(0);
    const env = textOf(cwd, ".env");
    expect(env).toMatch(/^CONNECTOR_SECRET_KEY=$/m);
    expect(env).toMatch(/^POSTGRES_PASSWORD=$/m);
    expect(env).toMatch(/^CORE_SIGNING_SECRET=[0-9a-f]{64}$/m);
    expect(env).toMatch(
      /^# Encrypts .*: where this deployment runs already, the value that it has; else `qm-deploy secrets set /m,
    );
    expect(stdout).toMatch(/^ {2}CONNECTOR_SECRET_KEY .*where this deployment runs already/m);
  });

  test("with skills or tools of its own: no example comes beside them", async () => {
    const cwd = tempDirectory({
      "sandbox/skills/ours/SKILL.md": "---\nname: ours\ndescription: What we do.\n---\n\nDo it.\n",
    });
    const { status, stdout } = await runInProcess(["init", "--org", "acme"], { cwd });
    expect(status).toBe(0);
    expect(stdout).not.toContain("greet");
    expect(everything(cwd).filter((path) => path.startsWith("sandbox/") && !path.includes("ours"))).toEqual([
      "sandbox/skills",
    ]);
  });
});
