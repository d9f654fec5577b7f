import fc from "fast-check";
import type { Deployment, Workload } from "../../../src/deployment/deployment.ts";
import { renderDeployment } from "../../../src/render/render.ts";
import { envNames, envValues } from "../../envfile/arbitrary-texts.ts";
import { example, PLAIN } from "../support.ts";

export type Environment = { readonly [name: string]: string };

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
  return { ...BASE, services: [], workloads, secrets: [] };
}

/** The compose.yaml of workloads that have these environments, one each; null where it is refused. */
export function composeText(environments: readonly Environment[]): string | null {
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
export const environments = fc
  .uniqueArray(fc.tuple(names, values), { selector: ([name]) => name, maxLength: 8 })
  .map((pairs): Environment => Object.fromEntries(pairs));

/** What no environment or no text can hold. */
export function isRefused(env: Environment): boolean {
  return Object.values(env).some((value) => value.includes("\0") || !value.isWellFormed());
}
