import { describe, expect, test } from "vitest";
import { BACKENDS } from "../../src/catalog/backends/index.ts";
import { declarableTargets } from "../../src/catalog/backends/index.ts";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { deploymentOf } from "../support/fragment.ts";

function found(config: unknown, release: string, rule: string): Diagnostic[] {
  return runRules(deploymentOf(JSON.stringify(config), { release })).filter((each) => each.rule === rule);
}

const FIELDS = {
  app: "acme",
  image: `r.dev/a@sha256:${"a1".repeat(32)}`,
  baseImage: `r.dev/b@sha256:${"b2".repeat(32)}`,
  env: { A_URL: "b" },
  secretEnv: ["A_PASSWORD"],
};

describe("fields of sandbox, under every backend, target and release", () => {
  const combinations = RELEASES.flatMap((release) =>
    BACKENDS.flatMap((backend) =>
      declarableTargets(backend, release).map(
        (target) => [backend.name, target, release.version, backend, release] as const,
      ),
    ),
  );

  test.each(combinations)("%s on %s under %s", (name, target, version, backend, release) => {
    const config = { target, sandbox: { backend: name, ...FIELDS } };
    const taken = [...backend.fields(release), ...backend.idleFields(release)];
    const expected = Object.keys(FIELDS).filter((field) => !(taken as string[]).includes(field));
    const refused = found(config, version, "sandbox/fly-only-field").map(
      ({ message }) => /^`sandbox\.(\w+)`/.exec(message)?.[1],
    );
    expect(refused).toEqual(expected);
    expect(found(config, version, "sandbox/idle-field")).toHaveLength(backend.idleFields(release).length);
    // A backend that can be declared is never said to be unavailable.
    for (const rule of ["sandbox/unknown-backend", "sandbox/backend-not-available", "sandbox/env-only-backend"])
      expect(found(config, version, rule)).toEqual([]);
  });

  test("there are many", () => expect(combinations.length).toBeGreaterThan(12));

  test("are removed safely unless they hold what people wrote for their agents", () => {
    const safety = (sandbox: unknown) =>
      found({ sandbox }, "0.1.12", "sandbox/fly-only-field").map(({ fix }) => fix?.safety);
    expect(safety({ backend: "boxd", ...FIELDS })).toEqual(["safe", "safe", "safe", "suggested", "suggested"]);
    expect(safety({ backend: "boxd", env: {}, secretEnv: [] })).toEqual(["safe", "safe"]);
  });

  test("are not judged while the environment names another backend than the declared one", () => {
    const config = { env: { core: { SANDBOX_BACKEND: "boxd" } }, sandbox: { backend: "sprites", ...FIELDS } };
    expect(found(config, "0.1.6", "sandbox/backend-mismatch")).toHaveLength(1);
    expect(found(config, "0.1.6", "sandbox/fly-only-field")).toEqual([]);
  });

  test("are taken when the secondary backend takes them", () => {
    const config = { env: { core: { SANDBOX_SECONDARY_BACKEND: "sprites" } }, sandbox: { backend: "boxd", ...FIELDS } };
    expect(found(config, "0.1.6", "sandbox/fly-only-field")).toEqual([]);
  });
});

describe("no backend", () => {
  test.each([
    ["docker", "0.1.6", "error"],
    ["fly", "0.1.6", "error"],
    ["docker", "0.1.12", "warning"],
    ["fly", "0.1.12", "warning"],
  ])("on %s under %s is an %s that names boxd", (target, release, severity) => {
    const [none] = found({ target, sandbox: {} }, release, "sandbox/no-backend");
    expect(none).toMatchObject({ severity });
    expect(none?.help).toContain("`boxd`");
  });

  test("does not exist on aws, which has a default", () =>
    expect(found({ target: "aws", sandbox: {} }, "0.1.12", "sandbox/no-backend")).toEqual([]));

  test.each(["docker", "fly", "aws"])("boxd on %s never asks for sandbox.app", (target) => {
    const config = { target, sandbox: { backend: "boxd" } };
    for (const rule of [
      "sandbox/no-backend",
      "sandbox/inert-app",
      "sandbox/app-missing",
      "sandbox/image-not-published",
    ])
      expect(found(config, "0.1.6", rule)).toEqual([]);
  });
});

describe("an assumed release is said where it matters", () => {
  test("and only there", () => {
    const pinned = deploymentOf('{ "sandbox": {} }', { release: "0.1.6" });
    const assumed = { ...pinned, release: { ...pinned.release, source: "default" as const, pinned: null } };
    const help = (deployment: typeof pinned) =>
      runRules(deployment).find(({ rule }) => rule === "sandbox/no-backend")?.help ?? "";
    expect(help(assumed)).toContain("qm 0.1.6 is assumed");
    expect(help(pinned)).not.toContain("assumed");
  });
});

describe("an address of core for agents on remote machines", () => {
  const reported = (address: string) =>
    found(
      { env: { core: { PUBLIC_API_URL: address } }, sandbox: { backend: "boxd" } },
      "0.1.12",
      "sandbox/api-url-unreachable",
    ).map(({ message }) => message);

  test("with plain http is refused although it can be reached", () => {
    expect(reported("http://core.acme-corp.dev")).toEqual([
      "`env.core.PUBLIC_API_URL` uses plain http, so agents on `boxd` cannot work with core",
    ]);
  });

  test.each([
    ["http://localhost:8080", "loopback"],
    ["https://10.0.0.7", "private network"],
  ])("of nobody else's network, %s, is refused for that", (address, why) => {
    expect(reported(address)).toEqual([expect.stringContaining(why)]);
  });

  test("with https and a public name is fine", () => expect(reported("https://core.acme-corp.dev")).toEqual([]));
});
