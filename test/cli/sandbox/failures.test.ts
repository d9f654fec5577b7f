import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { DOCKERFILE, spritesConfig } from "../../publish/deployments.ts";
import { PULLED, StandIns, stateOf } from "../../publish/stand-in.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { BIN, plainEnv } from "../built.ts";
import { ENV, KNOWN, NAME, PINNED, rig, TOKEN } from "./rig.ts";

describe("a publish that fails leaves everything as it was", () => {
  test.each([
    ["the login", { fails: "login" }, "`fly auth docker` failed with status 17", 1],
    ["the pull", { fails: "pull" }, "`docker pull --platform` failed with status 17", 2],
    ["the look at the base", { fails: "inspect" }, "`docker image inspect` failed with status 17", 3],
    [
      "a base that no registry knows",
      { repoDigests: [`other/debian@${PULLED}`] },
      "docker knows no digest of `debian:12-slim`",
      3,
    ],
    ["the push", { fails: "push" }, "`docker buildx build` failed with status 17", 4],
    ["a push without metadata", { metadata: "" }, "did not say under which digest", 4],
    [
      "metadata with a short digest",
      { metadata: '{ "containerimage.digest": "sha256:12" }' },
      "did not say under which digest",
      4,
    ],
    ["metadata of another shape", { metadata: "[]" }, "did not say under which digest", 4],
  ] as const)("%s", (_, behaviour, says, calls) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, behaviour);
    const before = stateOf(one.cwd);
    const { status, stdout, stderr } = one.run("publish");
    expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining(says)]);
    expect(stderr).toContain("nothing was recorded");
    expect(one.standIns.calls).toHaveLength(calls);
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each([
    ["docker", ["fly"], "docker is not on PATH"],
    ["fly", ["docker"], "neither fly nor flyctl is on PATH"],
  ])("without %s", (_, programs, says) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, {}, { programs });
    const before = stateOf(one.cwd);
    expect(one.run("publish")).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("%s during the push", async (signal) => {
    const cwd = tempDirectory({ ...PINNED, [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    const standIns = new StandIns(TOKEN, { repoDigests: KNOWN, hangs: true });
    const temporary = tempDirectory();
    const before = stateOf(cwd);
    const child = spawn(process.execPath, ["--", BIN, "sandbox", "publish"], {
      cwd,
      env: plainEnv({ PATH: standIns.bin, TMPDIR: temporary }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    while (!said.includes("progress of push")) await sleep(20);
    child.kill(signal);
    expect([await ended, said]).toEqual([
      1,
      expect.stringContaining("error: interrupted\n  help: run it again; nothing was recorded"),
    ]);
    expect(said).not.toContain(TOKEN);
    expect(readdirSync(temporary)).toEqual([]);
    expect(stateOf(cwd)).toEqual(before);
  });
});
