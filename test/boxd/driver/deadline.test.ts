import { describe, expect, test } from "vitest";
import { Deadline, KeyedQueue } from "../../../src/boxd/driver/index.ts";
import { ManualClock } from "../../support/boxd-fake/index.ts";

describe("a deadline", () => {
  test("is one for all steps of an operation", async () => {
    const clock = new ManualClock();
    const deadline = new Deadline(clock, 1_000);
    const first = deadline.sleep(400, "first");
    await clock.advance(400);
    await first;
    expect(deadline.remaining()).toBe(600);
    expect(deadline.cap(5_000)).toBe(600);
    expect(deadline.part(100, "x").totalMs).toBe(100);
    expect(deadline.part(5_000, "x").totalMs).toBe(600);
  });

  test("ends work that never answers, and says what it was", async () => {
    const clock = new ManualClock();
    const race = new Deadline(clock, 250).race("create machine a", () => new Promise(() => undefined));
    const ended = expect(race).rejects.toMatchObject({
      kind: "timeout",
      message: "create machine a: timed out after 250ms",
    });
    await clock.advance(250);
    await ended;
  });

  test("does not start work when it is used up", async () => {
    const clock = new ManualClock();
    const deadline = new Deadline(clock, 10);
    await clock.advance(10);
    let started = false;
    await expect(deadline.race("x", async () => void (started = true))).rejects.toMatchObject({ kind: "timeout" });
    expect(started).toBe(false);
  });

  test("an abort ends a sleep and a race at once, and is told apart from the deadline", async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const deadline = new Deadline(clock, 1_000, abort.signal);
    const race = deadline.race("x", () => new Promise(() => undefined));
    const sleep = deadline.sleep(500, "y");
    abort.abort();
    await expect(race).rejects.toMatchObject({ kind: "aborted", message: "x: aborted by the caller" });
    await expect(sleep).rejects.toMatchObject({ kind: "aborted" });
  });

  test("keeps no timer and no listener after work has answered", async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    expect(await new Deadline(clock, 1_000, abort.signal).race("x", async () => 7)).toBe(7);
    expect(clock.waiting).toBe(0);
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("%d ms is no deadline", (ms) => {
    expect(() => new Deadline(new ManualClock(), ms)).toThrow(/positive/);
  });
});

describe("a keyed queue", () => {
  test("runs one key in order, also after a failure, and other keys beside it", async () => {
    const queue = new KeyedQueue();
    const log: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = queue.run("a", async () => {
      await held;
      log.push("a1");
      throw new Error("a1 failed");
    });
    const second = queue.run("a", async () => log.push("a2"));
    await queue.run("b", async () => log.push("b"));
    release();
    await expect(first).rejects.toThrow("a1 failed");
    await second;
    expect(log).toEqual(["b", "a1", "a2"]);
  });
});
