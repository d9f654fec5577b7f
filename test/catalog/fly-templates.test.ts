import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FLY_TEMPLATES } from "../../src/catalog/fly-templates.generated.ts";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { FLY_VM_SIZES, readFlyMemory } from "../../src/catalog/targets/fly.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../src/config/written-config.ts";
import { FLY_STACK_KEYS } from "./fly-stack-keys.ts";

const TEMPLATES = RELEASES.flatMap((release) =>
  Object.entries(FLY_TEMPLATES[release.version] ?? {}).map(([service, template]) => ({
    release,
    service: service as (typeof RUNNABLE_SERVICE_NAMES)[number],
    template,
  })),
);

test.each(RELEASES)("$version has a template for every service that is an app of its own", (release) => {
  const own = RUNNABLE_SERVICE_NAMES.filter((service) => release.host[service] === service);
  expect(Object.keys(FLY_TEMPLATES[release.version] ?? {})).toEqual([...own].sort());
});

describe.each(TEMPLATES)("$release.version $service", ({ release, service, template }) => {
  test("stops gracefully: the two keys stand at the top level", () => {
    expect(template.kill_signal).toBe("SIGTERM");
    expect(template.kill_timeout).toBe(service === "core" ? "300s" : "10s");
    expect(template.vm.map((vm) => Object.keys(vm))).toEqual([["size", "memory"]]);
  });

  test("holds only strings in `[env]`, and no example of what a deployment must supply", () => {
    for (const [name, value] of Object.entries(template.env)) {
      expect(value).toBeTypeOf("string");
      expect(FLY_STACK_KEYS[release.version]?.[service] ?? []).not.toContain(name);
    }
    expect(template.env["PORT"]).toBe("8080");
  });

  test("asks for a machine that Fly has", () => {
    const [vm] = template.vm;
    const range = FLY_VM_SIZES.get(vm?.size ?? "");
    const memory = readFlyMemory(vm?.memory ?? "") ?? 0;
    expect(range).toBeDefined();
    expect(memory >= (range?.least ?? 0) && memory <= (range?.most ?? 0) && memory % (range?.step ?? 1) === 0).toBe(
      true,
    );
  });

  test("is checked on the port that the service listens on", () => {
    expect(template.checks["health"]).toEqual({
      type: "http",
      port: 8080,
      method: "get",
      path: "/healthz",
      interval: "15s",
      timeout: "2s",
      grace_period: service === "core" ? "20s" : "10s",
    });
  });

  test("leaves to rendering what the deployment decides", () => {
    for (const key of ["app", "primary_region", "build"]) expect(template).not.toHaveProperty(key);
  });
});

/** `[http_service]` of 0.1.6 (docs/contract/qm-rendering.md#fly): force_https, auto_stop, soft and hard limit. */
const HTTP = { "web-ui": [false, "stop", 200, 250], auth: [false, false, 100, 150], portal: [true, false, 200, 250] };

test("0.1.6: http services, deploy strategy and machine sizes are those of qm's checked-in files", () => {
  const templates = FLY_TEMPLATES["0.1.6"] ?? {};
  const http = Object.entries(templates).flatMap(([service, template]) => {
    const found = template["http_service"] as
      | { force_https: boolean; auto_stop_machines: unknown; concurrency: { soft_limit: number; hard_limit: number } }
      | undefined;
    return found === undefined
      ? []
      : [
          [
            service,
            [found.force_https, found.auto_stop_machines, found.concurrency.soft_limit, found.concurrency.hard_limit],
          ],
        ];
  });
  expect(Object.fromEntries(http)).toEqual(HTTP);
  expect(templates.core?.["deploy"]).toEqual({ strategy: "bluegreen" });
  expect(
    Object.fromEntries(
      Object.entries(templates).map(([service, { vm }]) => [service, `${vm[0]?.size} ${vm[0]?.memory}`]),
    ),
  ).toEqual({
    core: "shared-cpu-1x 2gb",
    "web-ui": "shared-cpu-1x 2gb",
    admin: "shared-cpu-1x 2gb",
    portal: "shared-cpu-1x 1gb",
    auth: "shared-cpu-1x 512mb",
  });
});

test("each file starts with a comment and ends with a line end", () => {
  for (const { release, service } of TEMPLATES) {
    const text = readFileSync(
      join(import.meta.dirname, `../../templates/fly/${release.version}/${service}.fly.toml`),
      "utf8",
    );
    expect(text).toMatch(/^# /);
    expect(text).not.toMatch(/\r|[^\n]$/);
  }
});
