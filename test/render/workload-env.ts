import fc from "fast-check";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { renderDeployment } from "../../src/render/render.ts";
import { envNames, envValues } from "../envfile/arbitrary-texts.ts";
import { PLAIN } from "./support.ts";

/** The deployment with other values in core's environment, as if the config held them. */
export function withEnvironment(deployment: Deployment, env: { readonly [name: string]: string }): Deployment {
  const entries = Object.entries(env).map(([name, value]) => ({
    name,
    value,
    provenance: { kind: "config", path: ["env", "core", name] } as const,
    shadowed: [],
  }));
  return {
    ...deployment,
    workloads: deployment.workloads.map((workload) =>
      workload.name === "core" ? { ...workload, environment: entries } : workload,
    ),
  };
}

/** The text of a workload's env file (null where it is refused), the refusals, and what is left out. */
export function envFile(deployment: Deployment, workload: string) {
  const { artifacts, refusals, notes } = renderDeployment(deployment, PLAIN);
  const name = `${workload}.env`;
  return {
    text: artifacts.find((artifact) => artifact.name === name)?.text ?? null,
    refusals: refusals.filter((refusal) => refusal.artifact === name),
    notes: notes.filter((note) => note.artifact === name),
  };
}

export const environments = fc
  .uniqueArray(fc.tuple(envNames, envValues), { selector: ([name]) => name, maxLength: 8 })
  .map((pairs) => Object.fromEntries(pairs));
