import { describe, expect, test } from "vitest";
import type { PackageFile } from "../../src/deployment/inputs.ts";
import { DEPLOYMENT_RULES } from "../../src/deployment/release/rules.ts";
import { BASE, resolve } from "./resolving.ts";

function own(content: unknown): PackageFile {
  return {
    relation: "own",
    file: "package.json",
    text: typeof content === "string" ? content : JSON.stringify(content),
  };
}

function parent(content: unknown): PackageFile {
  return { relation: "parent", file: "../package.json", text: JSON.stringify(content) };
}

function pin(specifier: unknown): PackageFile {
  return own({ devDependencies: { "@yc-software/qm": specifier } });
}

interface Case {
  readonly name: string;
  readonly flag?: string;
  readonly files?: readonly PackageFile[];
  readonly pinned: string | null;
  readonly resolved: string;
  readonly source: string;
  readonly rules?: readonly string[];
}

const CASES: readonly Case[] = [
  { name: "nothing pins it", pinned: null, resolved: "0.1.12", source: "default", rules: ["release/assumed"] },
  { name: "an exact pin", files: [pin("0.1.12")], pinned: "0.1.12", resolved: "0.1.12", source: "package.json" },
  {
    name: "dependencies before devDependencies",
    files: [own({ devDependencies: { "@yc-software/qm": "0.1.6" }, dependencies: { "@yc-software/qm": "0.1.12" } })],
    pinned: "0.1.12",
    resolved: "0.1.12",
    source: "package.json",
  },
  {
    name: "the flag before the pin",
    flag: "0.1.6",
    files: [pin("0.1.12")],
    pinned: "0.1.6",
    resolved: "0.1.6",
    source: "flag",
  },
  {
    name: "a flag between",
    flag: "0.1.9",
    pinned: "0.1.9",
    resolved: "0.1.6",
    source: "flag",
    rules: ["release/unknown-version"],
  },
  {
    name: "a flag that is no version",
    flag: "banana",
    pinned: null,
    resolved: "0.1.12",
    source: "default",
    rules: ["release/unreadable-pin"],
  },
  {
    name: "a parent's pin",
    files: [own({ name: "x" }), parent({ dependencies: { "@yc-software/qm": "0.1.12" } })],
    pinned: "0.1.12",
    resolved: "0.1.12",
    source: "parent package.json",
  },
  {
    name: "the toolkit's own pin",
    files: [parent({ name: "qm-deploy", devDependencies: { "@yc-software/qm": "0.1.6" } })],
    pinned: null,
    resolved: "0.1.12",
    source: "default",
    rules: ["release/assumed"],
  },
  {
    name: "a range",
    files: [pin("^0.1.12")],
    pinned: "^0.1.12",
    resolved: "0.1.12",
    source: "package.json",
    rules: ["release/range"],
  },
  {
    name: "a range between",
    files: [pin("~0.1.7")],
    pinned: "~0.1.7",
    resolved: "0.1.6",
    source: "package.json",
    rules: ["release/range", "release/unknown-version"],
  },
  {
    name: "anything",
    files: [pin("*")],
    pinned: null,
    resolved: "0.1.12",
    source: "default",
    rules: ["release/unreadable-pin"],
  },
  {
    name: "anything, in other words",
    files: [pin("x.X.*")],
    pinned: null,
    resolved: "0.1.12",
    source: "default",
    rules: ["release/unreadable-pin"],
  },
  {
    name: "anything up to a version",
    files: [pin("<0.1.10")],
    pinned: "<0.1.10",
    resolved: "0.1.6",
    source: "package.json",
    rules: ["release/range", "release/unknown-version"],
  },
  {
    name: "newer",
    files: [pin("9.0.0")],
    pinned: "9.0.0",
    resolved: "0.1.12",
    source: "package.json",
    rules: ["release/unknown-version"],
  },
  {
    name: "older",
    files: [pin("0.0.3")],
    pinned: "0.0.3",
    resolved: "0.1.6",
    source: "package.json",
    rules: ["release/unknown-version"],
  },
  {
    name: "a pre-release is before its release",
    files: [pin("0.1.12-rc.1")],
    pinned: "0.1.12-rc.1",
    resolved: "0.1.6",
    source: "package.json",
    rules: ["release/unknown-version"],
  },
  {
    name: "an alias of the same package",
    files: [pin("npm:@yc-software/qm@0.1.12")],
    pinned: "npm:@yc-software/qm@0.1.12",
    resolved: "0.1.12",
    source: "package.json",
  },
  ...[
    "latest",
    "workspace:*",
    "file:../qm",
    "git+https://user:s3cret-t0ken@git.example.com/qm.git",
    "npm:other@0.1.12",
    12,
    null,
  ].map((specifier): Case => ({
    name: `pin ${String(specifier)}`,
    files: [pin(specifier)],
    pinned: null,
    resolved: "0.1.12",
    source: "default",
    rules: ["release/unreadable-pin"],
  })),
  {
    name: "not JSON",
    files: [own("{ // no\n}")],
    pinned: null,
    resolved: "0.1.12",
    source: "default",
    rules: ["release/package-json", "release/assumed"],
  },
  {
    name: "an empty package.json",
    files: [own("")],
    pinned: null,
    resolved: "0.1.12",
    source: "default",
    rules: ["release/package-json", "release/assumed"],
  },
  {
    name: "a package.json that is a list",
    files: [own("[1]")],
    pinned: null,
    resolved: "0.1.12",
    source: "default",
    rules: ["release/assumed"],
  },
  {
    name: "a byte order mark",
    files: [own(`\uFEFF${pin("0.1.12").text}`)],
    pinned: "0.1.12",
    resolved: "0.1.12",
    source: "package.json",
  },
  {
    name: "a pin in __proto__",
    files: [own('{"__proto__":{"dependencies":{"@yc-software/qm":"0.1.6"}}}')],
    pinned: null,
    resolved: "0.1.12",
    source: "default",
    rules: ["release/assumed"],
  },
];

describe("chooseRelease", () => {
  test.each(CASES)("$name", (each) => {
    const { release } = resolve(BASE, {
      packageFiles: each.files ?? [],
      flags: { release: each.flag ?? null, target: null },
    });
    expect({ pinned: release.pinned, resolved: release.resolved, source: release.source }).toEqual({
      pinned: each.pinned,
      resolved: each.resolved,
      source: each.source,
    });
    expect(release.release.version).toBe(each.resolved);
    expect(release.notices.map((notice) => notice.rule)).toEqual(each.rules ?? []);
    expect(JSON.stringify(release.notices)).not.toContain("s3cret");
  });

  test("a notice points at the pin", () => {
    const file = pin("^0.1.12");
    const [notice] = resolve(BASE, { packageFiles: [file] }).release.notices;
    expect(file.text.slice(notice?.range?.start.offset, notice?.range?.end.offset)).toBe('"^0.1.12"');
    expect(notice?.file).toBe("package.json");
  });

  test("each rule fires somewhere above", () => {
    expect(new Set(CASES.flatMap((each) => each.rules ?? []))).toEqual(
      new Set(DEPLOYMENT_RULES.map((rule) => rule.id)),
    );
  });
});
