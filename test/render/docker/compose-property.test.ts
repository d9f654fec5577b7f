import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { Deployment, Workload } from "../../../src/deployment/deployment.ts";
import { renderDeployment } from "../../../src/render/render.ts";
import { envNames, envValues } from "../../envfile/arbitrary-texts.ts";
import { HAS_COMPOSE, readCompose, yaml11ToJson } from "../compose-reader.ts";
import { example, PLAIN } from "../support.ts";

type Environment = { readonly [name: string]: string };

const BASE = example("docker-boxd");
const IMAGE = {
  reference: `ghcr.io/acme/x@sha256:${"ab".repeat(32)}`,
  provenance: { kind: "config", path: ["plugins", 0, "image"] },
} as const;

/** One deployment of which each workload has one of the environments, so that the slow reader is started once for all. */
function deploymentOf(environments: readonly Environment[]): Deployment {
  const workloads = environments.map((env, at): Workload => ({
    name: `w${at}`,
    kind: "plugin",
    hosts: [],
    path: ["plugins", at],
    environment: Object.entries(env).map(([name, value]) => ({
      name,
      value,
      provenance: { kind: "config", path: ["plugins", at, "env", name] },
      shadowed: [],
    })),
    image: IMAGE,
    sourceDirectory: null,
  }));
  return { ...BASE, workloads, secrets: [] };
}

function composeText(environments: readonly Environment[]): string | null {
  return (
    renderDeployment(deploymentOf(environments), PLAIN).artifacts.find((artifact) => artifact.name === "compose.yaml")
      ?.text ?? null
  );
}

/** Names that YAML 1.1 has another idea of, values that compose and YAML have another idea of, and anything else. */
const names = fc.oneof(
  envNames,
  fc.constantFrom("ON", "Y", "n", "NULL", "_", "True", "NaN", "__proto__", "constructor"),
);
const values = fc.oneof(
  envValues,
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "${HOME}",
    "$HOME",
    "$$",
    "$",
    "$${X}",
    "<<",
    "=",
    "on",
    "1:30",
    "0o7",
    "1_000",
    "~",
    "null",
    "2001-01-01",
    "!!str x",
    "&a",
    "*a",
    "- x",
    "a: b",
    "#",
    "\u0085",
    "\u2028",
    "\ufeff",
    "\u007f",
    "\u009f",
    "\ufffe",
    "\r\n",
    "\ud83d",
  ),
);
const environment = fc
  .uniqueArray(fc.tuple(names, values), { selector: ([name]) => name, maxLength: 8 })
  .map((pairs): Environment => Object.fromEntries(pairs));

/** docker-compose reads U+0085 rightly, but `config` prints it raw, and PyYAML then takes it for a line end. */
function withoutNel(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll("\u0085", "")]));
}

/** What no environment or no text can hold. */
function isRefused(env: Environment): boolean {
  return Object.values(env).some((value) => value.includes("\0") || !value.isWellFormed());
}

describe("any names and values in compose.yaml", () => {
  test("come back the same from a YAML 1.2 reader, or are refused", () => {
    fc.assert(
      fc.property(environment, (env) => {
        const text = composeText([env]);
        expect(text === null).toBe(isRefused(env));
        if (text === null) return;
        const read = parse(text, { logLevel: "error" }).services.w0.environment as Environment;
        expect(new Map(Object.entries(read).map(([name, value]) => [name, value.replaceAll("$$", () => "$")]))).toEqual(
          new Map(Object.entries(env)),
        );
      }),
      { numRuns: 300 },
    );
  });

  test.skipIf(!HAS_COMPOSE)(
    "come back the same from PyYAML, which reads YAML 1.1 (skipped where docker-compose is not on PATH)",
    () => {
      fc.assert(
        fc.property(fc.array(environment, { minLength: 60, maxLength: 80 }), (environments) => {
          const carried = environments.filter((env) => !isRefused(env));
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
    },
    60_000,
  );

  test.skipIf(!HAS_COMPOSE)(
    "come back the same from docker-compose 1.29.2 (skipped where it is not on PATH)",
    () => {
      fc.assert(
        fc.property(fc.array(environment, { minLength: 30, maxLength: 40 }), (environments) => {
          const carried = environments.filter((env) => !isRefused(env)).map(withoutNel);
          const reading = readCompose({ "compose.yaml": composeText(carried) ?? "" });
          if (!reading.ok) throw new Error(reading.stderr);
          for (const [at, env] of carried.entries())
            expect(new Map(Object.entries(reading.services[`w${at}`]?.environment ?? {}))).toEqual(
              new Map(Object.entries(env)),
            );
        }),
        { numRuns: 4, endOnFailure: true },
      );
    },
    60_000,
  );
});
