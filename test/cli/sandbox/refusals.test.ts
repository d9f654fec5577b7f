import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DOCKERFILE, REFUSED, SHA, spritesConfig, TOOL } from "../../publish/deployments.ts";
import { stateOf } from "../../publish/stand-in.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { ENV, NAME, rig } from "./rig.ts";

describe("publish is refused before anything is run or written", () => {
  test.each(REFUSED)("$name", async ({ config, args = [], says, isFaulty }) => {
    const one = rig({ [NAME]: config, ...DOCKERFILE, ...ENV });
    const before = stateOf(one.cwd);
    const { status, stdout, stderr } = await one.runInProcess("publish", ...args);
    expect([status, stdout]).toEqual([1, ""]);
    for (const text of ["error: publish is refused", ...says]) expect(stderr).toContain(text);
    expect(stderr.startsWith("error: publish is refused")).toBe(isFaulty !== true);
    expect((await one.runInProcess("publish", "--dry-run", "--app", "other", "--tag", "x", ...args)).status).toBe(1);
    expect(one.standIns.calls).toEqual([]);
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each([
    [
      "an error of check",
      { [NAME]: spritesConfig().replace('"orgId"', '"orgid"'), ...DOCKERFILE, ...ENV },
      [],
      "`qm-deploy check` refuses the deployment",
    ],
    [
      "a fault in a tool",
      { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, "sandbox/tools/acme/tool.json": '{ "id": "Acme!" }' },
      [],
      "`qm-deploy check` refuses the deployment",
    ],
    [
      "text that does not parse",
      { [NAME]: `${spritesConfig()} }`, ...DOCKERFILE, ...ENV },
      [],
      "`qm-deploy check` refuses the deployment",
    ],
    [
      "sprites without an app",
      { [NAME]: spritesConfig().replace('"app": "acme-sandboxes"', '"env": {}'), ...DOCKERFILE, ...ENV },
      [],
      "sandbox/app-missing",
    ],
    ["nothing to build", { [NAME]: spritesConfig(), ...ENV }, [], "`sandbox/` holds nothing to build"],
    ["no base image", { [NAME]: spritesConfig(), ...TOOL, ...ENV }, [], "nothing says what to build on"],
    [
      "a base that is no image",
      { [NAME]: spritesConfig(), ...TOOL, ...ENV },
      ["--from", "Debian"],
      "the base image has upper-case letters",
    ],
    [
      "a base that is an option",
      { [NAME]: spritesConfig(), ...TOOL, ...ENV },
      ["--from=--privileged"],
      "the base image",
    ],
    [
      "a Dockerfile with a variable base",
      { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, "sandbox/Dockerfile": "ARG X\nFROM $X\n" },
      [],
      "line 2 builds on a variable",
    ],
    [
      "a final stage for another platform",
      { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, "sandbox/Dockerfile": "FROM --platform=linux/arm64 a\n" },
      [],
      "another platform than linux/amd64",
    ],
    [
      "a Dockerfile that is not text",
      { [NAME]: spritesConfig(), ...TOOL, ...ENV, "sandbox/Dockerfile": "FROM a\0\n" },
      [],
      "cannot be read as a text file",
    ],
    ["no token", { [NAME]: spritesConfig(), ...DOCKERFILE }, [], "`FLY_SANDBOX_API_TOKEN` has no value"],
    [
      "a blank token",
      { [NAME]: spritesConfig(), ...DOCKERFILE, ".env": "FLY_SANDBOX_API_TOKEN= \n" },
      [],
      "`FLY_SANDBOX_API_TOKEN` has no value",
    ],
    [
      "a placeholder token",
      { [NAME]: spritesConfig(), ...DOCKERFILE, ".env": "FLY_SANDBOX_API_TOKEN=replace-me\n" },
      [],
      "`FLY_SANDBOX_API_TOKEN` is still a placeholder",
    ],
    [
      "a repository with a tag",
      { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV },
      ["--app", "registry.acme-corp.dev/a:b"],
      "--app names an image, not a repository",
    ],
    [
      "an app that is none",
      { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV },
      ["--app", "Acme"],
      "--app is not the name of a Fly app",
    ],
    ["a tag that is none", { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, ["--tag", "a b"], "--tag is not a tag"],
    [
      "a tag with a digest",
      { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV },
      ["--tag", `a@sha256:${SHA}`],
      "--tag is not a tag",
    ],
  ] as const)("%s", async (_, files, args, says) => {
    const one = rig(files);
    const before = stateOf(one.cwd);
    const { status, stderr } = await one.runInProcess("publish", ...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(stderr).not.toContain("publish is refused");
    expect(one.standIns.calls).toEqual([]);
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each([
    ["to a file outside", "../secret"],
    ["to a directory outside", "/etc"],
    ["to nothing outside", "../../nothing"],
  ])("a link %s", async (_, target) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, secret: "x" });
    symlinkSync(target, join(one.cwd, "sandbox", "link"));
    const { status, stderr } = await one.runInProcess("publish");
    expect([status, stderr]).toEqual([1, expect.stringContaining("the link `sandbox/link` leads out of `sandbox/`")]);
    expect(one.standIns.calls).toEqual([]);
  });

  test.skipIf(process.platform === "win32")("a sandbox/ that is a link, and not as one that is empty", async () => {
    const one = rig({ [NAME]: spritesConfig(), ...ENV });
    symlinkSync(tempDirectory({ Dockerfile: "FROM debian:12\n" }), join(one.cwd, "sandbox"));
    for (const verb of ["publish", "build"] as const) {
      const { status, stderr } = await one.runInProcess(verb);
      expect(status).toBe(1);
      expect(stderr).toContain("`sandbox` is a link to a directory");
    }
    expect(one.standIns.calls).toEqual([]);
  });

  test("a config that is a link, so that no image is pushed for nothing", async () => {
    const one = rig({ "real.jsonc": spritesConfig(), ...DOCKERFILE, ...ENV });
    symlinkSync("real.jsonc", join(one.cwd, NAME));
    const { status, stderr } = await one.runInProcess("publish");
    expect([status, stderr]).toEqual([1, expect.stringContaining("the config is a link")]);
    expect(one.standIns.calls).toEqual([]);
  });

  test.each([
    [["publish", "-"], "a config on stdin has no `sandbox/`"],
    [["publish", "nowhere"], "input/missing"],
    [["publish", "--push"], "unknown option"],
  ])("a wrong command line: %j", async (args, says) => {
    const one = rig({ [NAME]: spritesConfig() });
    expect(await one.runInProcess(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(says) });
    expect(one.standIns.calls).toEqual([]);
  });
});
