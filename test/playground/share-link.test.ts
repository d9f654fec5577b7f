/** What a link of the page holds. */
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeState, encodeState, type SharedState } from "../../playground/src/share-link.ts";
import { runs } from "../support/runs.ts";

const STATE: SharedState = {
  config: '{ "contract": 1 }',
  example: "docker-boxd",
  target: "fly",
  release: "0.1.6",
  strict: true,
  tab: "tab-files",
  file: "core.env",
};

const name = fc.option(fc.string({ unit: "binary" }));
const states: fc.Arbitrary<SharedState> = fc.record({
  config: fc.string({ unit: "binary" }),
  example: name,
  target: name,
  release: name,
  strict: fc.boolean(),
  tab: fc.string(),
  file: name,
});

describe("a link", () => {
  test("gives back every state that it was made of, and is of characters that an address keeps", async () => {
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        const fragment = await encodeState(state);
        expect(fragment).toMatch(/^[\w-]+$/);
        expect(await decodeState(fragment)).toEqual(state);
      }),
      { numRuns: runs(60, 2000) },
    );
  });

  test("is read by a browser that has no compression, and made by one", async () => {
    const plain = `p${Buffer.from(JSON.stringify(STATE)).toString("base64url")}`;
    expect(await decodeState(plain)).toEqual(STATE);
    const { CompressionStream } = globalThis;
    try {
      Reflect.deleteProperty(globalThis, "CompressionStream");
      expect(await encodeState(STATE)).toBe(plain);
    } finally {
      globalThis.CompressionStream = CompressionStream;
    }
  });

  test("holds the fields of a state and nothing else, whatever else there is", async () => {
    const fragment = await encodeState({ ...STATE, env: "BOXD_API_KEY=bx-canary" } as SharedState);
    expect(fragment).toBe(await encodeState(STATE));
  });

  test("that is cut, no link of ours, or inflates to too much is none", async () => {
    const whole = await encodeState(STATE);
    const bomb = `z${deflateRawSync(Buffer.alloc(3 * 1024 * 1024, 32)).toString("base64url")}`;
    const none = ["", "z", "p", "x", "section", whole.slice(0, -9), `${whole}!`, bomb, "pbnVsbA", "pe30", "pWzFd"];
    for (const fragment of none) expect(await decodeState(fragment), fragment.slice(0, 20)).toBeNull();
  });

  test("of an older or newer page keeps what is known of it", async () => {
    const other = { config: "{}", target: 7, strict: "yes", more: true };
    const fragment = `p${Buffer.from(JSON.stringify(other)).toString("base64url")}`;
    const empty = { example: null, target: null, release: null, strict: false, tab: "", file: null };
    expect(await decodeState(fragment)).toEqual({ config: "{}", ...empty });
  });
});
