import * as fc from "fast-check";
import semver from "semver";
import { describe, expect, test } from "vitest";
import {
  compareVersions,
  formatVersion,
  lowestVersion,
  parseVersion,
  type Version,
} from "../../src/deployment/release/version.ts";
import { runs } from "../support/runs.ts";

function lowest(range: string): string | null {
  const found = lowestVersion(range);
  return found === null ? null : formatVersion(found.version);
}

describe("lowestVersion", () => {
  test.each([
    ["0.1.12", "0.1.12", true],
    ["v0.1.12", "0.1.12", true],
    ["=0.1.12", "0.1.12", true],
    [" 0.1.12 ", "0.1.12", true],
    ["^0.1.6", "0.1.6", false],
    ["~0.1.6", "0.1.6", false],
    [">=0.1.6 <0.2", "0.1.6", false],
    [">0.1.6", "0.1.7", false],
    ["0.1", "0.1.0", false],
    ["0.1.x", "0.1.0", false],
    ["*", "0.0.0", false],
    ["", "0.0.0", false],
    ["0.1.6 - 0.1.12", "0.1.6", false],
    ["^0.1.12 || ^0.1.6", "0.1.6", false],
    [">= 0.1.6", "0.1.6", false],
    ["<0.2.0", "0.0.0", false],
  ])("%s starts at %s", (range, version, exact) => {
    expect(lowest(range)).toBe(version);
    expect(lowestVersion(range)?.exact).toBe(exact);
  });

  test.each([
    "latest",
    "workspace:*",
    "file:../qm",
    "git+https://u:p@host/x.git",
    "1.2.3.4",
    "0.1.6 banana",
    ">",
    "github:acme/qm#v1",
  ])("%s is no range", (range) => {
    expect(lowestVersion(range)).toBeNull();
  });

  const number = fc.integer({ min: 0, max: 20 });
  const version = fc
    .tuple(number, number, number, fc.option(fc.constantFrom("alpha", "rc.1", "0", "beta.11"), { nil: undefined }))
    .map(([major, minor, patch, pre]) => `${major}.${minor}.${patch}${pre === undefined ? "" : `-${pre}`}`);
  const partial = fc.oneof(
    version,
    fc.tuple(number, number).map(([a, b]) => `${a}.${b}`),
    number.map(String),
    fc.constantFrom("*", "1.x", "0.1.X"),
  );
  const comparator = fc
    .tuple(fc.constantFrom("", "=", "^", "~", ">=", ">", "<", "<="), partial)
    .map(([operator, text]) => operator + text);
  const range = fc
    .array(
      fc.oneof(
        fc.array(comparator, { minLength: 1, maxLength: 3 }).map((all) => all.join(" ")),
        fc.tuple(partial, partial).map(([from, to]) => `${from} - ${to}`),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((all) => all.join(" || "));

  test("agrees with npm's own semver wherever that finds a lowest version of each alternative", () => {
    let compared = 0;
    fc.assert(
      fc.property(range, (text) => {
        const alternatives = text.split("||").map((alternative) => semver.minVersion(alternative.trim()));
        // semver gives null where an alternative lets nothing in; upper bounds are not ours to judge.
        if (alternatives.includes(null)) return;
        compared++;
        const theirs = semver.minVersion(text)?.version;
        // semver tries 0.0.0 before what comes before it.
        if (theirs === "0.0.0")
          expect(semver.satisfies(lowest(text) ?? "", text, { includePrerelease: true }), text).toBe(true);
        else expect(lowest(text)).toBe(theirs);
      }),
      { numRuns: runs(200, 2_000) },
    );
    expect(compared).toBeGreaterThan(runs(40, 400));
  });

  test("orders versions as semver does", () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(Math.sign(compareVersions(parseVersion(a) as Version, parseVersion(b) as Version))).toBe(
          semver.compare(a, b),
        );
      }),
    );
  });

  test("never throws, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => void lowestVersion(text)));
  });
});
