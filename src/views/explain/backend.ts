import type { Backend } from "../../catalog/backends/backend.ts";
import { findBackend } from "../../catalog/backends/index.ts";
import { declarableTargets, inStockCore } from "../../catalog/backends/index.ts";
import type { Release } from "../../catalog/releases/release.ts";
import type { TargetName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { BackendExplanation } from "./explanation.ts";

function roleIn({ sandbox }: Deployment, name: string): string {
  if (sandbox.effective?.name === name) return "primary";
  if (sandbox.secondary?.name === name) return "secondary";
  return sandbox.scopes.some((scope) => scope.name === name) ? "scope" : "not selected";
}

function publishText(backend: Backend, release: Release, target: TargetName): string {
  const plan = backend.publish(release, target);
  return plan.kind === "layer-image"
    ? `builds and pushes a layer image on ${target}`
    : `refused: ${plan.why}; ${plan.instead}`;
}

/** The sandbox backend of this name, under a release; with its role in a deployment where there is one. */
export function explainBackend(name: string, release: Release, deployment: Deployment | null): BackendExplanation[] {
  const backend = findBackend(name);
  if (backend === undefined) return [];
  return [
    {
      kind: "backend",
      name,
      title: backend.title,
      summary: backend.summary,
      declarableOn: declarableTargets(backend, release),
      inStockCore: inStockCore(backend, release),
      fields: backend.fields(release),
      secrets: [...new Set(backend.secrets.map((secret) => secret.name))],
      settings: backend.settings.map((setting) => ({
        name: `env.core.${setting.name}`,
        description: setting.description,
        example: setting.example,
        required: setting.required === true,
      })),
      role: deployment === null ? null : roleIn(deployment, name),
      publish: publishText(backend, release, deployment?.target ?? "docker"),
    },
  ];
}
