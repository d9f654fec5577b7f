import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { renderFlyTomls, tomlText } from "../../src/render/fly-toml.ts";
import { example, renderWith } from "./support.ts";

type Toml = { readonly [key: string]: unknown } & { readonly env: { readonly [name: string]: string } };

function tomllib(texts: readonly string[]): readonly unknown[] {
  const run = spawnSync("python3", [join(import.meta.dirname, "../support/read-toml.py")], {
    input: JSON.stringify(texts),
    encoding: "utf8",
  });
  return JSON.parse(run.stdout) as unknown[];
}

function tomls(name: string, change: Parameters<typeof example>[1] = {}): Map<string, Toml> {
  const rendered = renderWith(renderFlyTomls, example(name, change));
  expect(rendered.refusals).toEqual([]);
  const read = tomllib(rendered.artifacts.map((artifact) => artifact.text));
  rendered.artifacts.forEach((artifact, at) => expect(parse(artifact.text)).toEqual(read[at]));
  return new Map(rendered.artifacts.map((artifact, at) => [artifact.name, read[at] as Toml]));
}

const core = (map: Map<string, Toml>): Toml => map.get("core.fly.toml") as Toml;

describe("a boxd deployment", () => {
  test("names boxd, and no app or image of Sprites", () => {
    const { env } = core(tomls("fly-boxd"));
    expect(env["SANDBOX_BACKEND"]).toBe("boxd");
    expect(Object.keys(env)).not.toContain("FLY_SANDBOX_APP_NAME");
    expect(Object.keys(env)).not.toContain("FLY_BASE_IMAGE");
  });

  test("has an app for every service that has a process", () => {
    expect([...tomls("fly-boxd").keys()].sort()).toEqual(
      ["admin", "auth", "core", "portal", "web-ui"].map((name) => `${name}.fly.toml`),
    );
  });

  test("hosts admin and auth in other apps under 0.1.12", () => {
    expect([...tomls("fly-boxd", { release: "0.1.12" }).keys()].sort()).toEqual([
      "core.fly.toml",
      "portal.fly.toml",
      "web-ui.fly.toml",
    ]);
  });
});

test("kill_signal and kill_timeout stand where flyctl reads them", () => {
  for (const [name, toml] of tomls("fly-boxd")) {
    expect(toml["kill_signal"], name).toBe("SIGTERM");
    expect(toml["kill_timeout"], name).toBe(name === "core.fly.toml" ? "300s" : "10s");
    for (const vm of toml["vm"] as object[]) expect(Object.keys(vm).sort(), name).toEqual(["memory", "size"]);
  }
});

test("Sprites get their app and image", () => {
  const { env } = core(tomls("fly-sprites"));
  expect(env).toMatchObject({
    SANDBOX_BACKEND: "sprites",
    FLY_SANDBOX_APP_NAME: "acme-sandboxes",
    FLY_RESIDENT_ENV_ACME_API_URL: "https://api.example.com",
  });
  expect(env["FLY_BASE_IMAGE"]).toMatch(/^registry\.fly\.io\/acme-sandboxes@sha256:/);
});

/** What qm's own acme stack has for Sprites (docs/contract/qm-rendering.md#fly): the values that a rendered file must keep. */
test("the acme stack keeps the values of qm's own files", () => {
  const map = tomls("fly-sprites");
  expect(core(map)).toMatchObject({
    app: "acme-core",
    primary_region: "sjc",
    deploy: { strategy: "bluegreen" },
    vm: [{ size: "shared-cpu-1x", memory: "2gb" }],
    checks: {
      health: {
        type: "http",
        port: 8080,
        method: "get",
        path: "/healthz",
        interval: "15s",
        timeout: "2s",
        grace_period: "20s",
      },
    },
    env: {
      PORT: "8080",
      HARNESS: "pi",
      PI_SYSTEM_CACHE_SPLIT: "1",
      SESSION_STORE: "postgres",
      RUN_STORE: "postgres",
      SNAPSHOT_STORE: "s3",
      TRANSFER_STORE: "s3",
      DATA_DIR: "/data",
      REQUIRE_SIGNED_PORTAL_IDENTITY: "1",
      FLY_ORG: "acme-inc",
      FLY_DEPLOY_APP_PREFIX: "acme-d",
      QM_DEPLOYMENT_ID: "qm-v2:acme-inc:acme:acme",
    },
  });
  expect(map.get("web-ui.fly.toml")).toMatchObject({
    http_service: {
      internal_port: 8080,
      force_https: false,
      auto_start_machines: true,
      min_machines_running: 1,
      concurrency: { type: "requests", soft_limit: 200, hard_limit: 250 },
    },
    env: { CORE_API_URL: "http://acme-core.internal:8080", CORE_ORG_ID: "acme" },
  });
  expect(map.get("portal.fly.toml")?.env).toMatchObject({
    WEB_UI_UPSTREAM: "http://acme-web-ui.flycast",
    PORTAL_PUBLIC_URL: "https://acme-portal.fly.dev",
  });
});

test("vms override size and memory", () => {
  const sized = tomls("fly-boxd", {
    config: (text) =>
      text.replace(
        '"region": "sjc",',
        '"region": "sjc", "vms": { "core": { "size": "performance-2x", "memory": "4gb" }, "web-ui": { "memory": "1gb" } },',
      ),
  });
  expect(core(sized)["vm"]).toEqual([{ size: "performance-2x", memory: "4gb" }]);
  expect(sized.get("web-ui.fly.toml")?.["vm"]).toEqual([{ size: "shared-cpu-1x", memory: "1gb" }]);
});

test("a service without an image is refused by name", () => {
  const rendered = renderWith(
    renderFlyTomls,
    example("fly-boxd", { config: (text) => text.replace(/"imageOverrides": \{[^}]*\},/, "") }),
  );
  expect(rendered.artifacts).toEqual([]);
  expect(rendered.refusals.map((one) => `${one.artifact} ${one.rule}`)).toContain("core.fly.toml render/image-missing");
});

test("half a surrogate pair is refused by name, never by value", () => {
  const sound = example("fly-boxd");
  // The config reader refuses such text already, so it is put behind it.
  const workloads = sound.workloads.map((workload) => ({
    ...workload,
    environment: workload.environment.map((entry) =>
      entry.name === "HARNESS" ? { ...entry, value: "hid\ud800den" } : entry,
    ),
  }));
  const rendered = renderWith(renderFlyTomls, { ...sound, workloads });
  expect(rendered.refusals).toMatchObject([
    {
      artifact: "core.fly.toml",
      rule: "render/value-not-carried",
      message: expect.stringContaining("`HARNESS`") as string,
    },
  ]);
  expect(JSON.stringify(rendered)).not.toContain('den"');
});

test("any name and value read back the same by tomllib and smol-toml", () => {
  const text = fc.string({ unit: "binary" }).filter((value) => value.isWellFormed());
  const samples = fc.sample(fc.dictionary(text, text, { noNullPrototype: true }), { numRuns: 300, seed: 11 });
  const documents = samples.map((env) => ({ kill_signal: "SIGTERM", env, vm: [{ memory: "2gb" }] }));
  const texts = documents.map((document) => tomlText(document));
  expect(tomllib(texts)).toEqual(documents);
  expect(texts.map((one) => parse(one))).toEqual(documents);
});
