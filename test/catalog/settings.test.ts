import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AUTH } from "../../src/catalog/settings/auth.ts";
import { CORE } from "../../src/catalog/settings/core.ts";
import { nameOf, serviceOf } from "../../src/catalog/settings/index.ts";
import { ADMIN, ALL, SLACK, WEB_UI } from "../../src/catalog/settings/others.ts";
import { PORTAL } from "../../src/catalog/settings/portal.ts";
import type { Setting } from "../../src/catalog/settings/setting.ts";
import { SERVICE_NAMES } from "../../src/config/written-config.ts";

const SETTINGS: { readonly [key: string]: Setting } = {
  ...CORE,
  ...PORTAL,
  ...AUTH,
  ...WEB_UI,
  ...ADMIN,
  ...SLACK,
  ...ALL,
};
const SRC = join(import.meta.dirname, "../../src");

/** Store names of secrets, which happen to be what a service calls them too. */
const STORE_NAMES = new Set(["CORE_SIGNING_SECRET", "DATABASE_URL"]);

/** A rule's text without its examples, which show the names of today. */
function withoutExamples(text: string): string {
  return text.replace(/^\s*(?:bad|good):.*$/gm, "");
}

test("a key begins with the service that reads the setting, which reads no name twice", () => {
  const read = Object.entries(SETTINGS).map(([key, { name }]) => `${key.slice(0, key.indexOf("."))} ${name}`);
  expect(new Set(read).size).toBe(read.length);
  for (const key of Object.keys(SETTINGS))
    expect([...SERVICE_NAMES, "all"]).toContain(serviceOf(key as Parameters<typeof serviceOf>[0]));
});

test("a release's own name wins over the one of the catalogue", () => {
  expect(nameOf({ renamed: {} }, "portal.principalClaim")).toBe("OIDC_PRINCIPAL_CLAIM");
  expect(nameOf({ renamed: { "portal.principalClaim": "OTHER" } }, "portal.principalClaim")).toBe("OTHER");
});

// A name that is written out beside its key would not follow a release that has renamed the setting.
test.each(["deployment", "rules/portal", "catalog/backends"])("src/%s asks for settings by their keys", (folder) => {
  const files = readdirSync(join(SRC, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  expect(files.length).toBeGreaterThan(1);
  const names = new Set(
    Object.values(SETTINGS)
      .map(({ name }) => name)
      .filter((name) => !STORE_NAMES.has(name)),
  );
  const written = files.flatMap((file) =>
    [...withoutExamples(readFileSync(join(SRC, folder, file), "utf8")).matchAll(/(["'])([A-Z][A-Z0-9_]*)\1/g)]
      .filter(([, , name]) => names.has(name as string))
      .map(([, , name]) => `${file}: ${name}`),
  );
  expect(written).toEqual([]);
});
