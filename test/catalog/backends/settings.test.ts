import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BACKENDS, findBackend } from "../../../src/catalog/backends/index.ts";
import { settingOf } from "../../../src/catalog/settings/index.ts";
import type { ReadingContext } from "../../../src/catalog/settings/setting.ts";
import { RELEASES } from "../../../src/catalog/releases/index.ts";
import type { Release } from "../../../src/catalog/releases/release.ts";

const LONGEST = findBackend("boxd")?.machineNames?.longestPrefix ?? 0;
const SETTINGS = [settingOf("core.sandboxTimeout"), ...BACKENDS.flatMap((backend) => backend.settings)];
const CONTEXT: ReadingContext = { release: RELEASES[0] as Release, production: true, other: () => null };

function judge(name: string, value: string): "boot" | "error" | "warning" | "fine" {
  const setting = SETTINGS.find((one) => one.name === name);
  if (setting === undefined) throw new Error(`no setting ${name}`);
  return setting.reading.judge(value, CONTEXT)?.severity ?? "fine";
}

/** By setting: values that are fine, that may work, that cannot. */
const VALUES: { readonly [name: string]: readonly [fine: string[], warning: string[], error: string[]] } = {
  BOXD_VCPU: [["1", "2", "4", "8"], [], ["3", "16", "0", "02", "2.0", "two", "-1", "toString"]],
  BOXD_DISK_GB: [["100"], ["50", "200"], ["0", "-5", "1.5", "100G", "1e2", "0100"]],
  BOXD_NAME_PREFIX: [["qm", "acme-qm", "a", "qm7"], [], ["acme-aws", "Acme", "7qm", "qm-", "-qm", "q_m", "q.m"]],
  BOXD_BASE_URL: [
    [
      "https://boxd.sh:9443",
      "https://boxd.example",
      "http://localhost:9443",
      "http://127.0.0.1:9443",
      "http://[::1]:9443",
    ],
    [],
    [
      "https://boxd.sh/",
      "https://boxd.sh/api",
      "https://u:p@boxd.sh",
      "http://boxd.sh",
      "http://10.0.0.5:9443",
      "boxd.sh:9443",
      "ftp://boxd.sh",
      "https://boxd.sh?x",
      "https://boxd.sh#x",
      "https://",
    ],
  ],
  BOXD_ORG: [["acme", "acme-2"], [], ["Acme", "acme inc", "-acme", "acme/qm"]],
  BOXD_EGRESS_PROXY_URL: [
    ["https://egress.acme.dev:8443", "http://10.0.0.4:3128", "https://egress.acme.dev/"],
    [],
    ["egress.acme.dev:3128", "socks5://egress.acme.dev", "https://u:p@egress.acme.dev", "https://@egress.acme.dev"],
  ],
};

describe.each(Object.entries(VALUES))("%s", (name, [fine, warning, error]) => {
  test.each([
    ...fine.map((value) => [value, "fine"]),
    ...warning.map((value) => [value, "warning"]),
    ...error.map((value) => [value, "error"]),
  ])("%j: %s", (value, verdict) => {
    expect(judge(name, value)).toBe(verdict);
  });
});

test("every setting of boxd is in the table", () => {
  expect((findBackend("boxd")?.settings ?? []).map(({ name }) => name).sort()).toEqual(Object.keys(VALUES).sort());
});

test("every setting's own example and default are fine", () => {
  for (const { example, default: standard, reading } of SETTINGS) {
    for (const value of [example, standard]) expect(reading.judge(value ?? "", CONTEXT)).toBeNull();
  }
});

test("the longest prefix makes the longest machine name exactly one DNS label", () => {
  const longest = `${"p".repeat(LONGEST)}-scratch-${"s".repeat(40)}-${"0".repeat(6)}`;
  expect(longest).toHaveLength(63);
  expect(judge("BOXD_NAME_PREFIX", "p".repeat(LONGEST))).toBe("fine");
  expect(judge("BOXD_NAME_PREFIX", "p".repeat(LONGEST + 1))).toBe("error");
});

test("credentials in a value are not repeated in what is said about it", () => {
  for (const name of ["BOXD_BASE_URL", "BOXD_EGRESS_PROXY_URL"]) {
    const problem = findBackend("boxd")
      ?.settings.find((one) => one.name === name)
      ?.reading.judge("https://opsuser77:hunter2@boxd.sh/path", CONTEXT);
    expect(problem).not.toBeNull();
    expect(JSON.stringify(problem)).not.toMatch(/hunter2|opsuser77/);
  }
});

test("no text makes a judge throw or speak in more than one line", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...SETTINGS),
      fc.oneof(fc.string({ unit: "binary" }), fc.webUrl(), fc.string()),
      (setting, value) => {
        const problem = setting.reading.judge(value, CONTEXT);
        if (problem !== null) expect(problem.message + problem.help).not.toContain("\n");
      },
    ),
  );
});
