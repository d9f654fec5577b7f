import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMachineName, scopeName, uniqueName } from "../../../src/boxd/driver/names.ts";

describe("machine names", () => {
  test.each(["a", "box-1", "a".repeat(63), "a1-b2"])("%s is one", (name) => expect(isMachineName(name)).toBe(true));
  test.each(["", "1a", "-a", "a-", "A", "a_b", "a.b", "a".repeat(64), "a b", "a\n"])("%j is none", (name) =>
    expect(isMachineName(name)).toBe(false),
  );

  test("a unique name carries 48 random bits after the prefix", () => {
    const names = Array.from({ length: 50 }, () => uniqueName("openenv"));
    expect(new Set(names).size).toBe(50);
    for (const name of names) expect(name).toMatch(/^openenv-[0-9a-f]{12}$/);
  });

  test.each(["Openenv", "1x", "x".repeat(51), ""])("prefix %j is refused before anything is called", (prefix) => {
    expect(() => uniqueName(prefix)).toThrow(/machine name/);
  });

  const scopes: [string, string, string][] = [
    ["qm", "slack:C123", "qm-slack-c123"],
    ["qm", "***", "qm-scope"],
    // Many characters in a row that no name takes are one hyphen, and the cut leaves none at the end.
    ["qm", "a::b", "qm-a-b"],
    ["qm", `${"a".repeat(39)}:bc`, `qm-${"a".repeat(39)}`],
    ["qm-scratch", "a".repeat(80), `qm-scratch-${"a".repeat(40)}`],
  ];
  test.each(scopes)("%s and %s", (prefix, scope, expected) => {
    const hash = createHash("sha256").update(scope).digest("hex").slice(0, 6);
    expect(scopeName(prefix, scope)).toBe(`${expected}-${hash}`);
  });

  test("every scope gives a name that boxd takes, and other scopes other names", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        expect(isMachineName(scopeName("qm-scratch", a))).toBe(true);
        // Six hex digits may collide, but then the readable parts tell the two apart unless they are equal too.
        if (a !== b && a.toLowerCase() === b.toLowerCase()) expect(scopeName("qm", a)).not.toBe(scopeName("qm", b));
      }),
    );
  });
});
