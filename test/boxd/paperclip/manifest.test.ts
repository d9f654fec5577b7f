import { pluginManifestV1Schema } from "@paperclipai/shared";
import { expect, test } from "vitest";
import manifest from "../../../src/boxd/paperclip/manifest.ts";
import packageJson from "../../../package.json" with { type: "json" };

test("P01 the manifest passes the host's own validator, which keeps all of it", () => {
  const parsed = pluginManifestV1Schema.parse(manifest);
  expect(parsed).toEqual(manifest);
  expect(parsed.environmentDrivers?.[0]?.sandboxCapabilities).toEqual({ reusableLeases: true });
});

test("P01 the validator does refuse: a driver field that it does not know", () => {
  const [driver] = manifest.environmentDrivers ?? [];
  expect(
    pluginManifestV1Schema.safeParse({ ...manifest, environmentDrivers: [{ ...driver, reusable: true }] }).success,
  ).toBe(false);
});

test("P01 the version is the package's, and the entries are where package.json says", () => {
  expect(manifest.version).toBe(packageJson.version);
  expect(packageJson.paperclipPlugin).toEqual({
    manifest: "./dist/paperclip/manifest.js",
    worker: "./dist/paperclip/worker.js",
  });
  // The host counts from the root of the package.
  expect(manifest.entrypoints).toEqual({ worker: packageJson.paperclipPlugin.worker });
});

test("E-15 (#11463): every capability that is declared is served, and none else is declared", () => {
  const declared = manifest.environmentDrivers?.map(({ driverKey, kind, sandboxCapabilities, ...rest }) => [
    driverKey,
    kind,
    sandboxCapabilities,
    Object.keys(rest).sort(),
  ]);
  expect(declared).toEqual([
    ["boxd", "sandbox_provider", { reusableLeases: true }, ["configSchema", "description", "displayName"]],
  ]);
});
