import { checkSync } from "recheck";
import { describe, expect, test } from "vitest";
import { runs } from "../support/runs.ts";
import { OTHER_FORMS, TOKEN_FORMS } from "../../src/base/secret-forms.ts";
import { isPublicName, isSecretName } from "../../src/base/secret-name.ts";
import { findSecrets, secretShape } from "../../src/base/secret-shape.ts";
import forms from "./secret-forms.json" with { type: "json" };
import names from "./secret-names.json" with { type: "json" };

describe("names", () => {
  test.each(names.secret)("%s is a secret", (name) => expect(isSecretName(name)).toBe(true));
  test.each(names.plain)("%s is none", (name) => expect(isSecretName(name)).toBe(false));
});

const SECRETS = forms.secret.map(([what, ...pieces]): [string, string] => [what as string, pieces.join("")]);

const TOKENS = new Set(TOKEN_FORMS.map(([what]) => what));
const BEGINNINGS = forms.secret
  .filter(([what, ...pieces]) => TOKENS.has(what as string) && pieces.length === 2)
  .map(([what, begin]): [string, string] => [what as string, begin as string]);

describe("forms of values", () => {
  test.each(SECRETS)("%s", (what, value) => {
    expect(secretShape(value)).toBe(what);
    // A header and a key as JSON are known as a whole only.
    if (!/^an Authorization header|JSON Web Key$/.test(what))
      expect(secretShape(`see "${value}", please`)).not.toBeNull();
  });
  test.each(forms.plain)("%j says nothing", (value) => expect(findSecrets(value)).toEqual([]));

  test("every form of the catalogue has a value here", () => {
    const known = new Set(SECRETS.map(([what]) => what));
    expect([...TOKEN_FORMS, ...OTHER_FORMS].map(([what]) => what).filter((what) => !known.has(what))).toEqual([]);
  });

  test.each(BEGINNINGS)("what only begins as %s is none", (_what, begin) => {
    for (const rest of ["", "...", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "<key>", "****", "${TOKEN}"])
      expect(secretShape(`${begin}${rest}`), rest).toBeNull();
  });

  test("where it stands", () => {
    const [, token] = SECRETS.find(([what]) => what === "a GitHub token") as [string, string];
    const text = `one ${token}, and postgres://qm:hunter2@db/qm`;
    expect(findSecrets(text).map(({ start, end }) => text.slice(start, end))).toEqual([token, "hunter2"]);
  });

  test("a key for browsers is no secret where its name says so", () => {
    const value = `AI${"zaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"}`;
    expect(secretShape(value, isPublicName("GOOGLE_MAPS_API_KEY"))).toBeNull();
    expect(secretShape(value, isPublicName("GEMINI_API_KEY"))).not.toBeNull();
  });

  test("no form takes more than linear time", () => {
    // A beginning and one run of characters is linear whatever they are.
    const slow = TOKEN_FORMS.filter(([, , rest]) => (rest.match(/[+*]|,\}/g)?.length ?? 0) > 1).filter(
      ([, begin, rest]) =>
        checkSync(`(?<![A-Za-z0-9])(?:${begin.replaceAll(".", "\\.")})${rest}`, "g", { timeout: runs(150, 2_000) })
          .status === "vulnerable",
    );
    expect(slow).toEqual([]);
  });
});
