import { describe, expect, test } from "vitest";
import { changeConfig, CHANGES, withChange } from "./changes.ts";
import { mendDrifts } from "./drifts.ts";
import { bringUp, follow } from "./walk.ts";

/** One change of each; aws stands in bring-up.test.ts, where it is up anyway, and all others in changes.counterpart.test.ts. */
describe.each(["docker", "fly"] as const)("on %s", (target) => {
  test("the commands of diff's steps and of drift's findings run in order", () => {
    const [{ example, before, after, isDone }] = CHANGES[target];
    const config = before === undefined ? undefined : withChange(before);
    const stage = bringUp({ example, release: "0.1.12", shell: "bash", config }, false);
    follow(stage, changeConfig(stage, after));
    expect(isDone(stage.world)).toBe(true);
    mendDrifts(stage, target);
    expect(stage.refusals).toBe("");
  });
});
