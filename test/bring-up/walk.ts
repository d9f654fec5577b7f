import { expect } from "vitest";
import { envValue, Stage, type StageOptions } from "./stage.ts";

/**
 * Does what a reader does: pastes each block in order, and runs what shows that it worked, but where another test does that. The
 * page may be rendered again on the way.
 */
export function bringUp(options: StageOptions, isChecked = true): Stage {
  const stage = new Stage(options);
  const count = stage.steps.length;
  for (let at = 0; at < count; at++) {
    const step = stage.steps[at];
    if (step === undefined) throw new Error(`the page lost its step ${at + 1}`);
    stage.run([step.block, ...(isChecked ? step.check : [])].join("\n"));
  }
  expect(stage.steps).toHaveLength(count);
  return stage;
}

/** Goes all the way back, from the last step to the first. Nothing that runs or costs is left. */
export function takeDown(stage: Stage): void {
  for (const { undo } of stage.steps.toReversed()) for (const command of undo) stage.run(command);
  const { fly, aws, docker } = stage.world;
  expect({ ...fly, clusters: fly.clusters }).toEqual({ apps: {}, clusters: {}, buckets: [] });
  expect([aws.clusters, aws.secrets, aws.providers]).toEqual([{}, {}, []]);
  expect([docker.containers, docker.networks]).toEqual([{}, {}]);
}

/** Runs commands one by one, as a report of `diff` or `drift` lists them; a secret that is asked for is typed. */
export function follow(stage: Stage, commands: readonly string[]): void {
  for (const command of commands) {
    const asked = /^qm-deploy secrets set (\w+)$/.exec(command)?.[1];
    stage.run(command, asked === undefined ? "yes\n" : envValue(asked));
  }
}
