import { describe, expect, test } from "vitest";
import { changeConfig, CHANGES, withChange } from "./changes.ts";
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
