import type { Deployment, Secret } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type DeploymentView, diagnosticView, isFailing, type SecretView } from "../diagnostics/view.ts";

/** A secret without what only `.env.example` and `init` need of it. */
export function secretView(secret: Secret): SecretView {
  const { name, required, managedBy, reason, destinations } = secret;
  return { name, required, managedBy, reason, destinations: destinations.map(({ workload, env }) => ({ workload, env })) };
}

/** What every reporter sees of a judged deployment. `strict`: warnings count against `ok`. */
export function deploymentView(deployment: Deployment, diagnostics: readonly Diagnostic[], strict: boolean): DeploymentView {
  const { release, sandbox } = deployment;
  return {
    config: deployment.inputs.config.file,
    target: deployment.target,
    release: { pinned: release.pinned, resolved: release.resolved, source: release.source },
    sandbox: {
      declared: sandbox.declared?.name ?? null,
      backend: sandbox.effective?.name ?? null,
      selected: sandbox.selected.map((backend) => backend.name),
    },
    ok: !diagnostics.some(({ severity }) => isFailing(severity, strict)),
    secrets: deployment.secrets.map(secretView),
    diagnostics: diagnostics.map(diagnosticView),
  };
}
