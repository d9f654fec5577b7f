import { describe, expect, test } from "vitest";
import { findReference, findStandIn } from "../../src/base/stand-in.ts";
import { STAND_IN_FORMS } from "../../src/base/stand-in-forms.ts";
import { findSecretPlaceholder } from "../../src/config/placeholder.ts";
import values from "./stand-in-forms.json" with { type: "json" };

const { secret, ...standIns } = values;

describe.each(Object.entries(standIns))("a %s", (kind, texts) => {
  test.each(texts)("%j", (text) => expect(findStandIn(text)?.kind).toBe(kind));
});

test.each(secret)("%j may be a secret", (text) => {
  expect(findStandIn(text)).toBeNull();
  expect(findSecretPlaceholder(text)).toBeNull();
});

test.each([...standIns.reference, ...standIns.ciphertext])(
  "%j is a reference, whatever the quick look makes of it",
  (text) => expect(findReference(text)).toBe(findStandIn(text)),
);

test("every form of the catalogue has a value here", () => {
  const all = Object.values(standIns).flat();
  const unseen = STAND_IN_FORMS.filter((form) => !all.some((text) => form.pattern.test(text)));
  expect(unseen.map(({ what, pattern }) => `${what}: ${pattern}`)).toEqual([]);
});
