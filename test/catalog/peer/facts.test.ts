import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BACKENDS } from "../../../src/catalog/backends/index.ts";
import { PROVIDER_HARNESSES } from "../../../src/catalog/services.ts";
import { wordsOf } from "../../../src/catalog/settings/index.ts";
import { findRelease } from "../../../src/catalog/releases/index.ts";
import type { Release } from "../../../src/catalog/releases/release.ts";
import { MANAGED_SETTINGS, SERVICE_PORT, START_ORDER } from "../../../src/catalog/services.ts";
import { nameOf } from "../../../src/catalog/settings/index.ts";
import { FARGATE_MEMORY } from "../../../src/catalog/targets/aws.ts";
import { DOCKER_PORT_OFFSET } from "../../../src/catalog/targets/docker.ts";
import { FLYCAST_SERVICES } from "../../../src/catalog/targets/fly.ts";
import { RUNNABLE_SERVICE_NAMES, SERVICE_NAMES, TARGET_NAMES } from "../../../src/config/written-config.ts";
import { FLY_STACK_KEYS } from "../fly-stack-keys.ts";
import { deployment, loadWithPeer, peerModule } from "./peer.ts";

const release = findRelease("0.1.12") as Release;
const services = await peerModule("services.js");
const providers = await peerModule("providers.js");
const config = await peerModule("config.js");

describe("facts about qm 0.1.12 are those of the installed qm", () => {
  test("images", () => {
    const manifest = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../../node_modules/@yc-software/qm/manifest.json"), "utf8"),
    ) as object;
    expect({ sandboxBase: release.sandboxBase, services: release.images }).toEqual(manifest);
  });

  test("which service runs in which", () => {
    expect(release.host).toEqual(
      Object.fromEntries(
        SERVICE_NAMES.map((name) => [name, name === "slack" ? "core" : services["serviceHost"](name)]),
      ),
    );
  });

  test.each(TARGET_NAMES)("backends that may be declared on %s", (target) => {
    expect([...release.backendPolicy[target]].sort()).toEqual(
      [...providers["SANDBOX_BACKEND_POLICY"][target].allowed].sort(),
    );
  });

  test.each(RUNNABLE_SERVICE_NAMES)("order, ports, flycast and stack keys of %s", (name) => {
    const theirs = services["serviceDef"](name);
    expect(START_ORDER[name]).toBe(theirs.order);
    expect(SERVICE_PORT).toBe(theirs.docker.internalPort);
    expect(DOCKER_PORT_OFFSET[name]).toBe(theirs.docker.hostPortOffset);
    expect(FLYCAST_SERVICES.includes(name)).toBe(theirs.fly.flycast === true);
    // admin and auth are hosted in others and have no Fly app of their own.
    if (release.host[name] === name)
      expect([...(FLY_STACK_KEYS["0.1.12"]?.[name] ?? [])].sort()).toEqual([...theirs.fly.stackKeys].sort());
    else expect(FLY_STACK_KEYS["0.1.12"]?.[name]).toBeUndefined();
  });

  test("harnesses of each model provider", () => {
    expect(PROVIDER_HARNESSES).toEqual(config["MODEL_PROVIDER_HARNESSES"]);
    expect([...wordsOf("core.harness", release)].sort()).toEqual(
      [...new Set(Object.values(PROVIDER_HARNESSES).flat())].sort(),
    );
  });

  test("every backend with a secret of qm's is known to the release", () => {
    expect(BACKENDS.filter((backend) => backend.proposedOn.length === 0).map((backend) => backend.name)).toEqual(
      [...release.coreBackends].sort(),
    );
  });
});

describe("qm refuses in `env` and `secretEnv` what we call managed", () => {
  const all = { services: [...SERVICE_NAMES] };
  const cases = MANAGED_SETTINGS.flatMap((managed) =>
    (managed.services ?? SERVICE_NAMES).flatMap((service) =>
      managed.blocks.flatMap((block) =>
        managed.keys
          .map((key) => nameOf(release, key))
          .map((name) => ({ target: managed.target ?? ("docker" as const), service, block, name })),
      ),
    ),
  );

  test.each(cases)("$block.$service.$name on $target", ({ target, service, block, name }) => {
    const sound = loadWithPeer(deployment(target, all));
    const faulty = loadWithPeer(
      block === "env"
        ? deployment(target, all, { [service]: { [name]: "https://a.acme.dev" } })
        : deployment(target, { ...all, secretEnv: { [service]: { [name]: "SOME_SECRET" } } }),
    );
    expect(sound.ok).toBe(true);
    expect(faulty).toEqual({ ok: false, message: expect.stringContaining(name) as string });
  });
});

describe("Fargate's pairs", () => {
  const pair = (cpu: number, memory: number): boolean => {
    const plain = deployment("aws");
    const aws = plain["aws"] as { services: { core: object } };
    return loadWithPeer({
      ...plain,
      aws: { ...aws, services: { ...aws.services, core: { ...aws.services.core, cpu, memory } } },
    }).ok;
  };

  test.each([...FARGATE_MEMORY])("%i CPU units", (cpu, memories) => {
    const [first = 0, second = 0] = memories;
    const last = memories.at(-1) as number;
    for (const memory of memories) expect(pair(cpu, memory), `${cpu}/${memory}`).toBe(true);
    for (const memory of [first / 2, first + 1, (first + second) / 2, last + 1, last * 2])
      expect(pair(cpu, memory), `${cpu}/${memory}`).toBe(false);
  });

  test("no other number of CPU units", () => {
    for (const cpu of [128, 1025, 3072, 32768]) expect(pair(cpu, 8192)).toBe(false);
  });
});
