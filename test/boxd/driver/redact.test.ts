import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact, redactedTail } from "../../../src/boxd/driver/redact.ts";

describe("redaction", () => {
  test("the longest secret goes first, so none leaves its tail behind", () => {
    expect(redact("url is https://box-1.boxd.sh/x", ["box-1", "https://box-1.boxd.sh"])).toBe("url is [redacted]/x");
  });

  test("short values are left alone", () => {
    expect(redact("exit 1 after abc", ["1", "abc"])).toBe("exit 1 after abc");
  });

  const secret = `p@ss w"or'd+/=${"\n"}ü`;
  const encodings: [string, string][] = [
    ["plain", secret],
    ["json", JSON.stringify({ a: secret })],
    ["url", `https://x/?q=${encodeURIComponent(secret)}`],
    ["form", new URLSearchParams({ q: secret }).toString()],
    ["base64", Buffer.from(secret).toString("base64")],
    ["base64url", Buffer.from(secret).toString("base64url")],
    ["hex", Buffer.from(secret).toString("hex")],
    ["basic authorization", Buffer.from(`user:${secret}`).toString("base64")],
    ["inside a longer base64", Buffer.from(`ab${secret}and more`).toString("base64")],
    ["shell quoted", `'${secret.replaceAll("'", `'"'"'`)}'`],
  ];
  test.each(encodings)("%s is masked", (title, text) => {
    const clean = redact(text, [secret]);
    expect(clean).toContain("[redacted]");
    // What is left of an encoding must not decode to a recognisable piece.
    if (title !== "form")
      expect(clean.replaceAll("[redacted]", "").length).toBeLessThan(text.length - secret.length / 2);
  });

  test("redaction comes before the cut, so no half secret survives it", () => {
    const tail = redactedTail(`start ${"x".repeat(10)}hunter2hunter2`, ["hunter2hunter2"], 14);
    expect(tail).not.toContain("hunter2");
    expect(tail.length).toBeLessThanOrEqual(14);
  });

  test("no secret of four characters or more survives, whatever surrounds it", () => {
    const piece = fc.string({ minLength: 4, maxLength: 12, unit: "grapheme" });
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 4 }),
        fc.array(fc.string(), { maxLength: 5 }),
        (secrets, between) => {
          fc.pre(secrets.every((secret) => !"[redacted]".includes(secret)));
          const text = secrets.flatMap((secret, index) => [between[index] ?? "", secret]).join(" ");
          const clean = redact(text, secrets).split("[redacted]");
          for (const rest of clean) for (const secret of secrets) expect(rest).not.toContain(secret);
        },
      ),
    );
  });
});
