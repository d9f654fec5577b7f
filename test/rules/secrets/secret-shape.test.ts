import { describe, expect, test } from "vitest";
import { isPublicName, isSecretName } from "../../../src/base/secret-name.ts";
import { isPlainValue, secretShape } from "../../../src/rules/secrets/secret-shape.ts";
import names from "./names.json" with { type: "json" };
import values from "./values.json" with { type: "json" };

describe("names", () => {
  test.each(names.secret)("%s is a secret", (name) => expect(isSecretName(name)).toBe(true));
  test.each(names.plain)("%s is none", (name) => expect(isSecretName(name)).toBe(false));
});

describe("forms of values", () => {
  test.each(values.secret.map(([what, ...pieces]) => [what as string, pieces.join("")]))("%s", (what, value) => {
    expect(secretShape(value)).toBe(what);
    expect(isPlainValue(value)).toBe(false);
  });
  test.each(values.plain)("%j says nothing", (value) => expect(secretShape(value)).toBeNull());
  test.each(values.notSecretWhateverTheName)("%j is none under any name", (value) =>
    expect(isPlainValue(value)).toBe(true),
  );
  test.each(values.secretUnderASecretName)("%j may be one", (value) => expect(isPlainValue(value)).toBe(false));

  test("a key for browsers is no secret where its name says so", () => {
    const value = `AI${"zaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"}`;
    expect(secretShape(value, isPublicName("GOOGLE_MAPS_API_KEY"))).toBeNull();
    expect(secretShape(value, isPublicName("GEMINI_API_KEY"))).not.toBeNull();
  });
});
