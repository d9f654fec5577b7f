import { expect, test } from "vitest";
import { Latest } from "../../playground/src/latest.ts";

test("what is asked for in quick succession is done once, and what is asked for meanwhile once more", async () => {
  let [state, isRunning] = [0, false];
  const done: number[] = [];
  const latest = new Latest(async () => {
    expect(isRunning).toBe(false);
    isRunning = true;
    const seen = state;
    await Promise.resolve();
    done.push(seen);
    isRunning = false;
    if (seen === 3) {
      state = 4;
      latest.request();
    }
  }, 0);
  for (state = 1; state < 3; state++) latest.request();
  await latest.settled();
  expect(done).toEqual([3, 4]);
  await latest.settled();
  expect(done).toEqual([3, 4]);
});

test("a task that failed stands in the way of none after it", async () => {
  let runs = 0;
  const latest = new Latest(async () => {
    runs++;
    if (runs === 1) throw new Error("once");
  }, 0);
  latest.request();
  await expect(latest.settled()).rejects.toThrow("once");
  latest.request();
  await latest.settled();
  expect(runs).toBe(2);
});
