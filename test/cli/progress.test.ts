import { afterEach, describe, expect, test, vi } from "vitest";
import { progressOf } from "../../src/cli/progress.ts";
import { fakeIo } from "./fake-io.ts";

afterEach(() => void vi.restoreAllMocks());

const FOR_PEOPLE = { format: "pretty", detail: "normal" } as const;

/** What is drawn on stderr by steps at these times, in ms. */
function drawn(
  times: readonly number[],
  env = {},
  isTTY = true,
  report: Parameters<typeof progressOf>[2] = FOR_PEOPLE,
): string[] {
  const written: string[] = [];
  const stderr = { write: ({ text }: { text: string }) => written.push(text), isTTY, columns: 40 };
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const progress = progressOf(fakeIo([], { env, stderr }), "checking", report);
  for (const [at, time] of times.entries()) {
    now.mockReturnValue(time);
    progress.step(at + 1, times.length, `deployments/with-a-long-name/${at + 1}`);
  }
  progress.clear();
  return written;
}

describe("progress", () => {
  test("is silent for a second, then drawn ten times a second at most, within the line, and taken away", () => {
    expect(drawn([10, 500, 999])).toEqual([]);
    expect(drawn([10, 1_000, 1_050, 1_099, 1_100])).toEqual([
      "\rchecking 2 of 5: deployments/with-a-lon\u001b[K",
      "\rchecking 5 of 5: deployments/with-a-lon\u001b[K",
      "\r\u001b[K",
    ]);
  });

  test("is silent in a log, in CI, on a dumb terminal, for programs and where quiet was asked for", () => {
    const late = [2_000, 3_000];
    expect(drawn(late)).not.toEqual([]);
    expect(drawn(late, {}, false)).toEqual([]);
    expect(drawn(late, { CI: "true" })).toEqual([]);
    expect(drawn(late, { TERM: "dumb" })).toEqual([]);
    expect(drawn(late, {}, true, { format: "json", detail: "normal" })).toEqual([]);
    expect(drawn(late, {}, true, { format: "pretty", detail: "quiet" })).toEqual([]);
  });
});
