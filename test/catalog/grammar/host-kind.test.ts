import fc from "fast-check";
import { expect, test } from "vitest";
import { hostKind, readWebUrl, urlHostKind } from "../../../src/catalog/grammar/host.ts";
import { runs } from "../../support/runs.ts";

const label = fc.constantFrom(
  "a",
  "qm",
  "x-1",
  "xn--bcher-kva",
  "xn--a",
  "0x7f",
  "127",
  "1",
  "example",
  "EXAMPLE",
  "-",
  "a_b",
  "",
);
const end = fc.constantFrom(
  "com",
  "dev",
  "local",
  "internal",
  "home.arpa",
  "test",
  "localhost",
  "localdomain",
  "1",
  "0x1",
  "c",
  "xn--p1ai",
  "xn--",
  "com.",
  "",
);
const url = fc
  .tuple(
    fc.constantFrom("http://", "https://", "HTTPS://", "ftp://", "https:/"),
    fc.array(label, { maxLength: 4 }),
    end,
    fc.constantFrom("", "/", "/a?b#c", ":80", ":99999", "?q", "#f", "\\x", "@b.com", " "),
  )
  .map(([scheme, labels, last, rest]) => scheme + [...labels, last].join(".") + rest);

test("the kind of a host is that of the host that the URL parser finds", () => {
  fc.assert(
    fc.property(url, (text) => {
      const parsed = readWebUrl(text);
      expect(urlHostKind(text), text).toBe(parsed === null ? null : hostKind(parsed.hostname));
    }),
    { numRuns: runs(300, 3_000) },
  );
});
