import { describe, expect, test } from "vitest";
import { scopeName, isMachineName } from "../../../src/boxd/driver/index.ts";
import { readBackends, readBoxdSettings, SandboxEnvironmentError } from "../../../src/boxd/qm-sandbox/index.ts";

const KEY = { BOXD_API_KEY: "bxd_key" };

/** The problems of an environment that cannot be used. */
function problems(read: () => unknown): Record<string, string> {
  try {
    read();
  } catch (error) {
    if (!(error instanceof SandboxEnvironmentError)) throw error;
    return Object.fromEntries(error.problems.map(({ variable, problem }) => [variable, problem]));
  }
  throw new Error("it was accepted");
}

describe("settings of the boxd backend", () => {
  test("everything that may be set, trimmed, blank being unset", () => {
    expect(readBoxdSettings(KEY)).toEqual({ apiKey: "bxd_key" });
    expect(
      readBoxdSettings({ ...KEY, BOXD_ORG: " ", BOXD_VCPU: "", BOXD_DISK_GB: "0", SANDBOX_TIMEOUT_SEC: "  " }),
    ).toEqual({ apiKey: "bxd_key" });
    expect(
      readBoxdSettings({
        BOXD_API_KEY: " bxd_key ",
        BOXD_BASE_URL: "https://boxd.sh:9443/",
        BOXD_ORG: "acme-1",
        BOXD_NAME_PREFIX: "qmdev",
        BOXD_VCPU: "8",
        BOXD_DISK_GB: "100",
        BOXD_EGRESS_PROXY_URL: "http://proxy:3128",
        SANDBOX_TIMEOUT_SEC: "1.5",
        UNRELATED: "x",
      }),
    ).toEqual({
      apiKey: "bxd_key",
      baseURL: "https://boxd.sh:9443",
      org: "acme-1",
      namePrefix: "qmdev",
      vcpu: 8,
      diskGb: 100,
      egressProxyUrl: "http://proxy:3128",
      defaultTimeoutSec: 1.5,
    });
  });

  test.each<[string, string, string]>([
    ["BOXD_VCPU", "many", '="many" is not a number'],
    ["BOXD_VCPU", "3", '="3" is none of the sizes 1, 2, 4 and 8'],
    ["BOXD_DISK_GB", "10x", '="10x" is not a number'],
    ["BOXD_DISK_GB", "-1", "is not a whole number"],
    ["BOXD_DISK_GB", "Infinity", "is not a number"],
    ["SANDBOX_TIMEOUT_SEC", "ten", "is not a number"],
    ["SANDBOX_TIMEOUT_SEC", "0", "must be above 0"],
    ["BOXD_NAME_PREFIX", "Qm", "lowercase DNS label"],
    ["BOXD_NAME_PREFIX", "3qm", "starts with a letter"],
    ["BOXD_NAME_PREFIX", "qm-", "lowercase DNS label"],
    ["BOXD_NAME_PREFIX", "eightlet", "longer than 7"],
    ["BOXD_BASE_URL", "boxd.sh", "not an http or https URL"],
    ["BOXD_BASE_URL", "http://boxd.sh", "must be https"],
    ["BOXD_BASE_URL", "http://127.evil.example", "must be https"],
    ["BOXD_BASE_URL", "https://boxd.sh/api", "no path"],
    ["BOXD_BASE_URL", "https://u:p@boxd.sh", "must not contain credentials"],
    ["BOXD_BASE_URL", "https:boxd.sh", "not an http or https URL"],
    ["BOXD_EGRESS_PROXY_URL", "socks5://proxy", "not an http or https URL"],
    ["BOXD_EGRESS_PROXY_URL", "http://u:p@proxy", "must not contain credentials"],
    ["BOXD_ORG", "Acme Inc", "is not an org slug"],
  ])("%s=%s is an error that names the variable", (variable, value, expected) => {
    const found = problems(() => readBoxdSettings({ ...KEY, [variable]: value }));
    expect(Object.keys(found)).toEqual([variable]);
    expect(found[variable]).toContain(expected);
  });

  test.each([undefined, "", "  ", "replace-me", "CHANGEME"])("Q01 a key of %j is missing", (key) => {
    expect(problems(() => readBoxdSettings({ BOXD_API_KEY: key }))["BOXD_API_KEY"]).toContain(
      "SANDBOX_BACKEND=boxd requires BOXD_API_KEY",
    );
  });

  test.each([
    ["5", ["BOXD_DISK_GB is not 100: newer servers of boxd then refuse to make a machine; leave it out"]],
    ["100", []],
    ["0", []],
  ])("a disk of %s GB warns where boxd may refuse it", (size, expected) => {
    const warnings: string[] = [];
    readBoxdSettings({ ...KEY, BOXD_DISK_GB: size }, (warning) => warnings.push(warning));
    expect(warnings).toEqual(expected);
  });

  test("everything wrong is said at once", () => {
    expect(Object.keys(problems(() => readBoxdSettings({ BOXD_VCPU: "x", BOXD_ORG: "?" })))).toEqual([
      "BOXD_API_KEY",
      "BOXD_ORG",
      "BOXD_VCPU",
    ]);
  });

  test("http to this machine itself is fine, and the longest prefix makes names that fit", () => {
    for (const url of ["http://localhost:9443", "http://127.0.0.1:1", "http://[::1]:9"])
      expect(readBoxdSettings({ ...KEY, BOXD_BASE_URL: url }).baseURL).toBe(url);
    const { namePrefix = "" } = readBoxdSettings({ ...KEY, BOXD_NAME_PREFIX: "sevenle" });
    expect(isMachineName(scopeName(`${namePrefix}-scratch`, "x".repeat(60)))).toBe(true);
  });
});

describe("the choice of backend", () => {
  test("is local by default, must be made in production, and the second must be another", () => {
    expect(readBackends({})).toEqual({ primary: "local" });
    expect(
      readBackends({ SANDBOX_BACKEND: " boxd ", SANDBOX_SECONDARY_BACKEND: "sprites", NODE_ENV: "production" }),
    ).toEqual({ primary: "boxd", secondary: "sprites" });
    expect(problems(() => readBackends({ NODE_ENV: "production", SANDBOX_BACKEND: " " }))).toEqual({
      SANDBOX_BACKEND: "must be one of aws, local, sprites, smolmachines, boxd in production",
    });
    expect(problems(() => readBackends({ SANDBOX_BACKEND: "box", SANDBOX_SECONDARY_BACKEND: "Boxd" }))).toEqual({
      SANDBOX_BACKEND: '"box" is none of aws, local, sprites, smolmachines, boxd',
      SANDBOX_SECONDARY_BACKEND: '"Boxd" is none of aws, local, sprites, smolmachines, boxd',
    });
    expect(problems(() => readBackends({ SANDBOX_BACKEND: "boxd", SANDBOX_SECONDARY_BACKEND: "boxd" }))).toEqual({
      SANDBOX_SECONDARY_BACKEND: "must differ from SANDBOX_BACKEND",
    });
  });
});
