import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";

/** Documents with the texts that readers of YAML have ideas of their own about, as keys and as values, in lists and objects of each other. */
export function oddDocuments(): JsonObject[] {
  const text = fc.string({ unit: "binary" }).filter((value) => value.isWellFormed());
  const odd = [
    "<<",
    "=",
    "on",
    "Y",
    "no",
    "~",
    "1_000",
    "0b1",
    "22:22",
    "2001-01-01",
    "\u007f",
    "\u0085",
    "\ufeff",
    "- a",
    "? b",
    "&a",
    "*a",
    "!t",
    "%x",
    "@",
    "`",
    // Longer than a key may be that nothing announces.
    "k".repeat(1_025),
  ];
  const anyText = fc.oneof(text, fc.constantFrom(...odd));
  const { object } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(anyText, fc.boolean(), fc.integer(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("object"),
    ),
    object: fc.dictionary(anyText, tie("value"), { noNullPrototype: true, maxKeys: 4 }),
  }));
  return fc.sample(object, { numRuns: 300, seed: 3 });
}
