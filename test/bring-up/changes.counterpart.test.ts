import { describe, expect, test } from "vitest";
import { changeConfig, CHANGES, withChange } from "./changes.ts";
import { forOldRelease } from "./old-release.ts";
import { bringUp, follow } from "./walk.ts";

describe.each(["docker", "fly", "aws"] as const)("what diff says to do on %s", (target) => {
  test.each(CHANGES[target])("$what", ({ example, before, after, isDone }) => {
    const config = before === undefined ? undefined : withChange(before);
    const stage = bringUp({ example, release: "0.1.12", shell: "bash", config }, false);
    expect(isDone(stage.world)).toBe(false);
    const commands = changeConfig(stage, after);
    expect(commands.length).toBeGreaterThan(1);
    follow(stage, commands);
    expect(isDone(stage.world)).toBe(true);
  });
});

describe("what upgrade says to do", () => {
  test.each(["docker-boxd", "fly-boxd", "aws-boxd"])("%s from 0.1.6 to 0.1.12", (example) => {
    const stage = bringUp({ example, release: "0.1.6", shell: "bash", config: forOldRelease }, false);
    stage.run("git add . && git commit --quiet --allow-empty --message before");
    const upgrade = JSON.parse(stage.run("qm-deploy upgrade 0.1.12 --format json || test $? = 1")) as {
      steps: { commands: string[] }[];
    };
    follow(stage, ["qm-deploy upgrade 0.1.12 --write", ...upgrade.steps.flatMap(({ commands }) => commands)]);
    expect(stage.world.release).toBe("0.1.12");
  });
});
