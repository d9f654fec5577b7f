import { describe, expect, test } from "vitest";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { blockingDiagnostics } from "../../src/rules/blocking.ts";
import { checkPublishable } from "../../src/publish/publish.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentOf } from "../support/fragment.ts";

function deployed(target: string, release: string, sandbox: unknown): Deployment {
  return deploymentOf(JSON.stringify({ target, sandbox }), { release });
}

function coreNames({ workloads }: Deployment): Map<string, string> {
  return new Map(workloads.find(({ name }) => name === "core")?.environment.map(({ name, value }) => [name, value]));
}

const requires = ({ secrets }: Deployment, name: string): boolean =>
  secrets.some((secret) => secret.name === name && secret.required);

const FLY_FIELDS = {
  app: "acme-sandboxes",
  image: `r.dev/a@sha256:${"a1".repeat(32)}`,
  baseImage: `r.dev/b@sha256:${"b2".repeat(32)}`,
  env: { ACME_MODE: "1" },
  secretEnv: ["ACME_LOGIN"],
};

describe.each(RELEASES.map(({ version }) => version))("under %s", (release) => {
  describe.each(["docker", "fly", "aws"])("on %s", (target) => {
    const boxd = deployed(target, release, { backend: "boxd" });

    test("Q25 boxd is accepted without an app, and core is told of it", () => {
      expect(blockingDiagnostics("sandbox build", runRules(boxd), boxd)).toEqual([]);
      const names = coreNames(boxd);
      expect(names.get("SANDBOX_BACKEND")).toBe("boxd");
      for (const name of ["FLY_SANDBOX_APP_NAME", "FLY_BASE_IMAGE"]) expect(names.has(name), name).toBe(false);
    });

    test.each(Object.keys(FLY_FIELDS) as (keyof typeof FLY_FIELDS)[])("Q25 boxd takes no `sandbox.%s`", (field) => {
      const refused = runRules(deployed(target, release, { backend: "boxd", [field]: FLY_FIELDS[field] })).filter(
        ({ severity }) => severity === "error",
      );
      expect(refused.map(({ rule }) => rule)).toContain("sandbox/fly-only-field");
    });

    test("Q25 each backend's key is required exactly when it is selected", () => {
      const sprites = deployed(target, release, { backend: "sprites", app: "acme-sandboxes" });
      expect([
        requires(boxd, "BOXD_API_KEY"),
        requires(boxd, "SPRITES_TOKEN"),
        requires(boxd, "FLY_SANDBOX_API_TOKEN"),
      ]).toEqual([true, false, false]);
      expect([requires(sprites, "BOXD_API_KEY"), requires(sprites, "SPRITES_TOKEN")]).toEqual([false, true]);
      expect(requires(sprites, "FLY_SANDBOX_API_TOKEN")).toBe(target === "fly" && release === "0.1.6");
    });

    test("Q25 publish is refused by the deployment alone", () => {
      expect(() => checkPublishable(boxd)).toThrow(/^publish is refused for `boxd`/);
    });
  });
});
