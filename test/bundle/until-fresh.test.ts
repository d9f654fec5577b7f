import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { untilFresh } from "../../scripts/until-fresh.mjs";
import { tempDirectory } from "../workspace/temp.ts";

/** Sources that change while the first `changes` builds run; what is built counts the builds. */
function rig(changes: number) {
  const lock = join(tempDirectory(), "build.lock");
  const said: string[] = [];
  let sources = 0;
  let built = -1;
  const state = { builds: 0, said, lock };
  const options = {
    lock,
    isFresh: () => built === sources,
    build: () => {
      const before = sources;
      state.builds++;
      if (state.builds <= changes) sources++;
      built = before;
      return Promise.resolve();
    },
    say: (text: string) => void said.push(text),
  };
  return { state, options };
}

test.each([
  [0, 1, 0],
  [1, 2, 0],
  [2, 2, 1],
  [1000, 2, 1],
])("sources that change during %i builds are built %i times", async (changes, builds, said) => {
  const { state, options } = rig(changes);
  await untilFresh(options);
  expect([state.builds, state.said.length]).toEqual([builds, said]);
});

test("what is fresh is not built, and a build that fails gives the lock back", async () => {
  const { state, options } = rig(0);
  await expect(untilFresh({ ...options, build: () => Promise.reject(new Error("no")) })).rejects.toThrow("no");
  await untilFresh(options);
  await untilFresh(options);
  expect(state.builds).toBe(1);
});

test("a lock that cannot be taken at all ends it", async () => {
  const { options } = rig(0);
  await expect(untilFresh({ ...options, lock: join(options.lock, "nowhere") })).rejects.toThrow("ENOENT");
});

test("processes that ask at the same time wait for one build", async () => {
  const { state, options } = rig(0);
  const slow = {
    ...options,
    build: () => new Promise<void>((resolve) => setTimeout(resolve, 150)).then(options.build),
  };
  await Promise.all([untilFresh(slow), untilFresh(slow), untilFresh(slow)]);
  expect(state.builds).toBe(1);
});

test("somebody else's build counts as built", async () => {
  const { state, options } = rig(0);
  mkdirSync(state.lock);
  const waiting = untilFresh(options);
  await options.build();
  rmSync(state.lock, { recursive: true });
  await waiting;
  expect(state.builds).toBe(1);
});
