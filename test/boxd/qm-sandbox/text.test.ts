import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inside, isBelow, relative } from "../../../src/boxd/qm-sandbox/paths.ts";
import { boxdProfile } from "../../../src/boxd/qm-sandbox/profile.ts";
import { handleEnv } from "../../../src/boxd/qm-sandbox/handle.ts";
import { supports, type Sandbox } from "../../../src/boxd/qm-sandbox/index.ts";
import { wholeCharacters } from "../../../src/boxd/qm-sandbox/process-sessions.ts";

describe("reading text in pieces", () => {
  test("pieces of any size of 4 bytes or more join to the text, and each is text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 4, max: 9 }), (text, size) => {
        const bytes = Buffer.from(text, "utf8");
        let [joined, at] = ["", 0];
        while (at < bytes.length) {
          const piece = bytes.subarray(at, at + size);
          const taken = wholeCharacters(piece);
          expect(taken).toBeGreaterThan(0);
          joined += piece.subarray(0, taken).toString("utf8");
          at += taken;
        }
        expect(joined).toBe(bytes.toString("utf8"));
      }),
    );
  });

  test.each([
    ["c3", 1],
    ["e697", 2],
    ["f09f98", 3],
    ["61c3", 1],
    ["61e697", 1],
    ["61e697a5", 4],
    ["80", 1],
    ["", 0],
  ])("%s: %i bytes are taken", (hex, taken) => {
    expect(wholeCharacters(Buffer.from(hex, "hex"))).toBe(taken);
  });

  test("bytes that are no text at all are passed on, never held back for ever", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (bytes) => {
        const taken = wholeCharacters(bytes);
        expect(taken).toBeGreaterThan(0);
        expect(bytes.length - taken).toBeLessThan(4);
      }),
    );
  });
});

describe("paths of an agent", () => {
  test("end up below the root or are refused", () => {
    const segment = fc.oneof(
      fc.constantFrom("", ".", "..", "a", "-b", "c d", "...", "..x"),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const path = segments.join("/");
        const leadsOut = path.split("/").includes("..") || path.includes("\0");
        if (leadsOut) {
          expect(() => inside("/root", path)).toThrow();
          return;
        }
        const found = inside("/root", path);
        expect(isBelow(found, "/root")).toBe(true);
        expect(
          found
            .split("/")
            .slice(1)
            .every((part) => part !== "" && part !== "." && part !== ".."),
        ).toBe(true);
        expect(inside("/root", relative(path))).toBe(found);
      }),
    );
  });

  test.each([
    ["/etc/passwd", "/r/etc/passwd"],
    ["./a//b/", "/r/a/b"],
    ["", "/r"],
    ["/", "/r"],
  ])("%j is %s", (path, expected) => {
    expect(inside("/r/", path).replace(/\/$/, "")).toBe(expected);
  });

  test("a prefix is a directory, not the beginning of a name", () => {
    expect([
      isBelow(".config/gh", ".config/gh"),
      isBelow(".config/gh/x", ".config/gh"),
      isBelow(".config/ghost", ".config/gh"),
    ]).toEqual([true, true, false]);
  });
});

test("Q23 a token that would break the address is encoded", () => {
  expect(handleEnv({}, "http://proxy:3128/", "a/b@c")["HTTPS_PROXY"]).toBe("http://x:a%2Fb%40c@proxy:3128");
  expect(handleEnv({ A: "1", NO_PROXY: "*" }, "http://proxy", "")).toEqual({ A: "1" });
});

test("Q24 a capability needs every method, and sessions the word of the profile", () => {
  const nothing = (): Promise<never> => Promise.reject(new Error("not called"));
  const methods = {
    startProcess: nothing,
    readProcess: nothing,
    writeStdin: nothing,
    signalProcess: nothing,
    listProcesses: nothing,
    stageIn: nothing,
    stageOut: nothing,
  };
  const sandbox = {
    profile: { ...boxdProfile({}, "/home/boxd"), processSessions: false },
    ...methods,
  } as unknown as Sandbox;
  expect([
    supports(sandbox, "process sessions"),
    supports(sandbox, "blob staging"),
    supports(sandbox, "backup"),
  ]).toEqual([false, false, false]);
});
