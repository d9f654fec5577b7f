import fc from "fast-check";

/** Documents with the texts that readers of YAML have ideas of their own about, as keys and as values. */
export function oddDocuments(): { [key: string]: string | string[] }[] {
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
  ];
  const value = fc.oneof(text, fc.constantFrom(...odd), fc.array(text));
  return fc.sample(fc.dictionary(fc.oneof(text, fc.constantFrom(...odd)), value, { noNullPrototype: true }), {
    numRuns: 300,
    seed: 3,
  });
}
