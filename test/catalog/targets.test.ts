import { closestName } from "../../src/base/closest-name.ts";
import { expect, test } from "vitest";
import { DISTINCT_SECRETS, LONG_SECRETS, namesCommandsRead } from "../../src/catalog/secrets.ts";
import { findRelease, NEWEST, RELEASES } from "../../src/catalog/releases/index.ts";
import { secretRows } from "../../src/catalog/secrets.ts";
import { AWS_REGIONS } from "../../src/catalog/targets/aws.ts";
import { CLOSED_FLY_REGIONS, FLY_REGIONS, FLY_VM_SIZES, readFlyMemory } from "../../src/catalog/targets/fly.ts";
import { targetOwnedEnv } from "../../src/catalog/services.ts";

test("releases stand oldest first, and the default is one of them", () => {
  expect(RELEASES.map((release) => release.version)).toEqual(["0.1.6", "0.1.12"]);
  expect(NEWEST.version).toBe("0.1.12");
  expect(findRelease("0.1.7")).toBeUndefined();
});

test("a secret with a rule about its value is in the catalogue", () => {
  const names = new Set(RELEASES.flatMap((release) => secretRows(release).map((row) => row.name)));
  for (const name of [...LONG_SECRETS, ...DISTINCT_SECRETS]) expect(names).toContain(name);
});

test("only docker takes a database from `.env`", () => {
  expect(namesCommandsRead("docker")).toEqual([
    "BOXD_API_KEY",
    "FLY_SANDBOX_API_TOKEN",
    "DATABASE_URL",
    "POSTGRES_PASSWORD",
  ]);
  expect(namesCommandsRead("fly")).toEqual(["BOXD_API_KEY", "FLY_SANDBOX_API_TOKEN"]);
});

test("0.1.6 decides two names more than its target does", () => {
  const [august, newer] = RELEASES;
  if (august === undefined || newer === undefined) throw new Error("two releases");
  expect(targetOwnedEnv("fly", august, "core")).toEqual(["FLY_DEPLOY_BASE_IMAGE", "FLY_ORG", "QM_DEPLOYMENT_ID"]);
  expect(
    targetOwnedEnv("aws", august, "core").filter((name) => !targetOwnedEnv("aws", newer, "core").includes(name)),
  ).toEqual(["DEPLOY_PROVIDER"]);
  expect(targetOwnedEnv("docker", newer, "slack")).toEqual([]);
});

test.each([
  ["us-wst-2", "us-west-2"],
  ["eu-cental-1", "eu-central-1"],
  ["mars-north-1", null],
])("aws region %s probably means %s", (region, meant) => {
  expect(closestName(region, AWS_REGIONS)).toBe(meant);
  expect(AWS_REGIONS).not.toContain(region);
});

test("no fly region is both open and closed, and no aws region stands twice", () => {
  expect(FLY_REGIONS.filter((region) => CLOSED_FLY_REGIONS.includes(region))).toEqual([]);
  expect(new Set(AWS_REGIONS).size).toBe(AWS_REGIONS.length);
  expect(closestName("siin", FLY_REGIONS)).toBe("sin");
});

test.each([
  ["512", 512],
  ["512mb", 512],
  ["512MiB", 512],
  ["2gb", 2048],
  ["2G", 2048],
  ["0", null],
  ["2tb", null],
  ["two", null],
  ["1.5gb", null],
  ["", null],
  [" 2gb", null],
])("fly memory %j is %j MB", (text, megabytes) => {
  expect(readFlyMemory(text)).toBe(megabytes);
});

test("fly machine sizes grow with their CPUs", () => {
  expect(FLY_VM_SIZES.get("shared-cpu-1x")).toEqual({ least: 256, most: 2048, step: 256 });
  expect(FLY_VM_SIZES.get("performance-16x")).toEqual({ least: 32768, most: 131072, step: 1024 });
  expect(FLY_VM_SIZES.has("toString")).toBe(false);
  expect(closestName("shared-cpu1x", [...FLY_VM_SIZES.keys()])).toBe("shared-cpu-1x");
});
