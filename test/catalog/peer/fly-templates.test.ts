import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { FLY_TEMPLATES } from "../../../src/catalog/fly-templates.generated.ts";
import { FLY_STACK_KEYS } from "../fly-stack-keys.ts";

const FOLDER = join(import.meta.dirname, "../../../node_modules/@yc-software/qm/templates/fly");

interface Written {
  [table: string]: unknown;
  env: { [name: string]: string };
  vm: { [name: string]: string }[];
}

/** Names whose value in qm's templates is an example that the deployment's own always replaces. */
const DERIVED = [
  "QM_DEPLOYMENT_ID",
  "ORG_ID",
  "CORE_ORG_ID",
  "CORE_API_URL",
  "WEB_UI_PUBLIC_URL",
  "FLY_DEPLOY_APP_PREFIX",
  "ADMIN_BASE_PATH",
  "ADMIN_ENABLED",
  "WEB_UI_UPSTREAM",
  "ADMIN_UPSTREAM",
];

/** qm's template without examples, and with the two keys that stand below `[[vm]]` where flyctl reads them. */
function sound(text: string, service: "core" | "web-ui" | "portal"): object {
  const { app: _app, primary_region: _region, ...rest } = parse(text) as unknown as Written;
  const dropped = new Set([...DERIVED, ...(FLY_STACK_KEYS["0.1.12"]?.[service] ?? [])]);
  const { kill_signal, kill_timeout, ...vm } = rest.vm[0] as { [name: string]: string };
  return {
    ...rest,
    kill_signal,
    kill_timeout,
    vm: [vm],
    env: Object.fromEntries(Object.entries(rest.env).filter(([name]) => !dropped.has(name))),
  };
}

describe("our fly templates of 0.1.12 hold what qm's hold", () => {
  test.each(["core", "web-ui", "portal"] as const)("%s", (service) => {
    expect(FLY_TEMPLATES["0.1.12"]?.[service]).toEqual(
      sound(readFileSync(join(FOLDER, `${service}.toml`), "utf8"), service),
    );
  });
});
