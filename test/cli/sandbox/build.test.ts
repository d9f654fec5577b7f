import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DOCKERFILE, REFUSED, SHA, spritesConfig } from "../../publish/deployments.ts";
import { PULLED, stateOf } from "../../publish/stand-in.ts";
import { argsOf, BASE, ENV, NAME, rig } from "./rig.ts";

describe("--dry-run", () => {
  test("prints what publish would run and record, and does none of it", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    const before = stateOf(one.cwd);
    const { status, stdout, stderr } = one.run("publish", "--dry-run");
    expect([status, stderr]).toEqual([0, ""]);
    expect(one.standIns.calls).toEqual([]);
    expect(stateOf(one.cwd)).toEqual(before);
    expect(one.run("publish").status).toBe(0);
    const shell = (arg: string): string => (/^[\w./:@%+,=-]+$/.test(arg) ? arg : `'${arg}'`);
    const commands = argsOf(one).map((args) => `  ${args.map(shell).join(" ")}\n`);
    expect(stdout).toContain(`:\n${commands.join("")}fly gets`);
    expect(stdout).toContain(
      '  sandbox.image = "registry.fly.io/acme-sandboxes@sha256:<digest of the pushed image>"\n  sandbox.baseImage = "debian:12-slim@sha256:<digest of the pulled image>"\n',
    );
    const dockerfile =
      one.standIns.calls.at(-1)?.dockerfile?.replace(PULLED, "sha256:<digest of the pulled image>") ?? "";
    expect(stdout).toContain(dockerfile.replace(/^(?=.)/gm, "  "));
  });

  test("prints what build would run", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE });
    const { status, stdout } = one.run("build", "--dry-run");
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(
        `  docker buildx build --platform linux/amd64 --load -t acme-sandbox:local --file temporary/Dockerfile ${join(one.cwd, "sandbox")}\n`,
      ),
    ]);
    expect(one.standIns.calls).toEqual([]);
  });
});

describe("build", () => {
  test("builds into this host's docker, with no login and no pin, and writes nothing", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE });
    const before = stateOf(one.cwd);
    const { status, stdout, stderr } = one.run("build", "--tag", "acme/x:1");
    expect([status, stdout, stderr]).toEqual([0, "built acme/x:1\n", "progress of build\n"]);
    expect(argsOf(one)).toEqual([
      [
        "docker",
        "buildx",
        "build",
        "--platform",
        "linux/amd64",
        "--load",
        "-t",
        "acme/x:1",
        "--file",
        "temporary/Dockerfile",
        join(one.cwd, "sandbox"),
      ],
    ]);
    expect(one.standIns.calls[0]?.dockerfile).toContain("FROM debian:12-slim\n");
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each(["build", "publish"])("%s takes the Dockerfile's own ignore file along", (command) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, "sandbox/Dockerfile.dockerignore": "*.md\n" });
    expect(one.run(command).status).toBe(0);
    expect(one.standIns.calls.at(-1)?.ignore).toBe("*.md\n");
    const two = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    expect(two.run(command).status).toBe(0);
    expect(two.standIns.calls.at(-1)?.ignore).toBe(null);
  });

  test("uses the recorded base", () => {
    const one = rig({ [NAME]: spritesConfig(`, "baseImage": "${BASE}"`), ...DOCKERFILE });
    expect(one.run("build").status).toBe(0);
    expect(one.standIns.calls[0]?.dockerfile).toContain(`FROM ${BASE}\n`);
  });

  test("says where agents never boot the image", () => {
    const { config } = REFUSED[0] as (typeof REFUSED)[number];
    const one = rig({ [NAME]: config, ...DOCKERFILE });
    expect(one.run("build")).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("warning: agents on `boxd` never boot this image"),
    });
  });

  test.each([
    ["a failing build", {}, { fails: "build" }, [], "`docker buildx build` failed with status 17"],
    ["an error of check", { [NAME]: spritesConfig().replace('"orgId"', '"orgid"') }, {}, [], "nothing was built"],
    ["a tag that is none", {}, {}, ["--tag", "Acme"], "the name of the image has upper-case letters"],
    ["a tag that is an option", {}, {}, ["--tag=--push"], "the name of the image"],
    ["a tag with a digest", {}, {}, ["--tag", `a@sha256:${SHA}`], "--tag names a digest"],
  ])("%s is refused", (_, files, behaviour, args, says) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...files }, behaviour);
    expect(one.run("build", ...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
  });
});
