import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RELEASES } from "../../../src/catalog/releases/index.ts";
import type { Deployment } from "../../../src/deployment/deployment.ts";
import { renderDeployment } from "../../../src/render/render.ts";
import { HAS_COMPOSE, readCompose, yaml11ToJson } from "../compose-reader.ts";
import { filledEnv } from "../secret-values.ts";
import { example, PLAIN } from "../support.ts";
import { composeText, type Environment, environments, isRefused } from "./random-environments.ts";

/** All files that docker compose reads, secrets included. */
function files(deployment: Deployment): { [name: string]: string } {
  const rendered = renderDeployment(deployment, { ...PLAIN, secrets: true });
  expect(rendered.refusals).toEqual([]);
  return Object.fromEntries(rendered.artifacts.map(({ name, text }) => [name, text]));
}

const addEnv = (env: object) => (text: string) =>
  text.replace(/"HARNESS": "pi"/, () => `"HARNESS": "pi", ${JSON.stringify(env).slice(1, -1)}`);

/** docker-compose reads U+0085 rightly, but `config` prints it raw, and PyYAML then takes it for a line end. */
function withoutNel(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll("\u0085", "")]));
}

describe.skipIf(!HAS_COMPOSE)("docker-compose 1.29.2 (skipped where it is not on PATH)", () => {
  test.each(["docker-boxd", "docker-local"])(
    "%s: reads every environment name for name, and each workload only its own secrets",
    (name) => {
      const deployment = example(name, { env: filledEnv(example(name)) });
      const reading = readCompose(files(deployment), { DOCKER_GID: "1" });
      if (!reading.ok) throw new Error(reading.stderr);
      for (const workload of deployment.workloads) {
        const expected = new Map(workload.environment.map((entry) => [entry.name, entry.value]));
        for (const secret of deployment.secrets) {
          for (const { workload: at, env } of secret.destinations)
            if (at === workload.name && deployment.env?.values.get(secret.name))
              expected.set(env, deployment.env.values.get(secret.name) as string);
        }
        if (workload.name === "core")
          expected.set(
            "DATABASE_URL",
            `postgres://postgres:${encodeURIComponent(deployment.env?.values.get("POSTGRES_PASSWORD") ?? "")}@pg:5432/qm`,
          );
        expect(new Map(Object.entries(reading.services[workload.name]?.environment ?? {}))).toEqual(
          new Map([...expected].sort()),
        );
      }
      expect(reading.services["pg"]?.environment).toEqual({
        POSTGRES_DB: "qm",
        POSTGRES_PASSWORD: deployment.env?.values.get("POSTGRES_PASSWORD"),
      });
    },
  );

  test("refuses to start without the files of secrets", () => {
    const { "core.secrets.env": _gone, ...rest } = files(
      example("docker-boxd", { env: filledEnv(example("docker-boxd")) }),
    );
    expect(readCompose(rest)).toMatchObject({ ok: false, stderr: expect.stringContaining("core.secrets.env") });
  });

  test.each([
    ["a reference", { GREETING: "${HOME} $HOME $$ ${X:?no} $" }],
    [
      "words that YAML 1.1 takes for something else",
      { ON: "on", Y: "1:30", NULL: "~", N: "", NUMBER: "0b101", DATE: "2001-01-01" },
    ],
    ["line ends and controls", { LINES: "a\nb\r\n\tc\u0001\u007f\u0085\u2028\ufeff", EDGE: "  a  " }],
    ["quotes and characters beyond the basic plane", { MIX: `'"\\\`#!&*|>%@ 🚀 – ﷽`, LONG: "word ".repeat(60) }],
  ])("gives %s back as it was written", (_what, env) => {
    const deployment = example("docker-boxd", { config: addEnv(env), env: filledEnv(example("docker-boxd")) });
    const rendered = renderDeployment(deployment, { ...PLAIN, secrets: true });
    const all = Object.fromEntries(rendered.artifacts.map(({ name, text }) => [name, text]));
    expect(readCompose(all)).toMatchObject({ ok: true, services: { core: { environment: env } } });
  });

  test("refuses local sandboxes until the group of the socket is given", () => {
    const all = files(example("docker-local", { env: filledEnv(example("docker-local")) }));
    expect(readCompose(all)).toMatchObject({ ok: false, stderr: expect.stringContaining("DOCKER_GID") });
    expect(readCompose(all, { DOCKER_GID: "998" })).toMatchObject({
      ok: true,
      services: { core: { group_add: ["998"] } },
    });
  });

  test.each(
    ["docker-boxd", "docker-local"].flatMap((name) => RELEASES.map(({ version }) => ({ name, release: version }))),
  )("reads the environment of $name under $release", ({ name, release }) => {
    const deployment = example(name, { release });
    const { artifacts } = renderDeployment(deployment, PLAIN);
    const text = artifacts.find((artifact) => artifact.name === "compose.yaml")?.text;
    // Under 0.1.6 an example without images of its own has no compose.yaml.
    if (text === undefined) return expect(release).toBe("0.1.6");
    const workloads = [...deployment.workloads.map((workload) => workload.name), "pg"];
    const secrets = Object.fromEntries(workloads.map((workload) => [`${workload}.secrets.env`, ""]));
    const reading = readCompose({ ...secrets, "compose.yaml": text }, { DOCKER_GID: "1" });
    if (!reading.ok) throw new Error(reading.stderr);
    for (const { name: workload, environment } of deployment.workloads)
      expect(reading.services[workload]?.environment).toEqual(
        Object.fromEntries(environment.map((entry) => [entry.name, entry.value])),
      );
  });

  describe("any names and values", () => {
    test("come back the same from PyYAML, which reads YAML 1.1", () => {
      fc.assert(
        fc.property(fc.array(environments, { minLength: 60, maxLength: 80 }), (all) => {
          const carried = all.filter((env) => !isRefused(env));
          const { services } = JSON.parse(yaml11ToJson(composeText(carried) ?? "")) as {
            services: { [name: string]: { environment: Environment } };
          };
          for (const [at, env] of carried.entries()) {
            const read = Object.entries(services[`w${at}`]?.environment ?? {}).map(
              ([name, value]) => [name, value.replaceAll("$$", () => "$")] as const,
            );
            expect(new Map(read)).toEqual(new Map(Object.entries(env)));
          }
        }),
        { numRuns: 6, endOnFailure: true },
      );
    });

    test("come back the same from compose", () => {
      fc.assert(
        fc.property(fc.array(environments, { minLength: 30, maxLength: 40 }), (all) => {
          const carried = all.filter((env) => !isRefused(env)).map(withoutNel);
          const reading = readCompose({ "compose.yaml": composeText(carried) ?? "" });
          if (!reading.ok) throw new Error(reading.stderr);
          for (const [at, env] of carried.entries())
            expect(new Map(Object.entries(reading.services[`w${at}`]?.environment ?? {}))).toEqual(
              new Map(Object.entries(env)),
            );
        }),
        { numRuns: 4, endOnFailure: true },
      );
    });
  });
});
