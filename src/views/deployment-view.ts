import type { Deployment, Secret } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { looksSecret } from "../diagnostics/mask.ts";
import { hideOdd, redactor } from "../diagnostics/redact.ts";
import { type DeploymentView, diagnosticView, isFailing, type SecretView } from "../diagnostics/view.ts";

/** A secret without what only `.env.example` and `init` need of it. */
export function secretView(secret: Secret): SecretView {
  const { name, required, managedBy, reason, destinations } = secret;
  return { name, required, managedBy, reason, destinations: destinations.map(({ workload, env }) => ({ workload, env })) };
}

/** Lists of secrets by what they say: deployments of a kind have the same, and thousands of them are kept at once. */
const knownLists = new Map<string, readonly SecretView[]>();
const MAX_KNOWN_LISTS = 256;

function secretViews(secrets: readonly Secret[]): readonly SecretView[] {
  const key = secrets
    .map(({ name, required, managedBy, reason, destinations }) => `${name} ${required} ${managedBy} ${reason} ${destinations.map(({ workload, env }) => `${workload} ${env}`).join(" ")}`)
    .join("\n");
  const known = knownLists.get(key);
  if (known !== undefined) return known;
  if (knownLists.size >= MAX_KNOWN_LISTS) knownLists.clear();
  const views = secrets.map(secretView);
  knownLists.set(key, views);
  return views;
}

/** Takes secret values out of what is said about a deployment; rules never put them there. */
function redacted(deployment: Deployment, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const { env, secrets } = deployment;
  const names = new Set(secrets.map((secret) => secret.name));
  const values = [...(env?.values ?? [])].filter(([name]) => names.has(name) || looksSecret(name)).map(([, value]) => value);
  const redact = redactor(values);
  return diagnostics.map((diagnostic) => ({ ...diagnostic, message: redact(diagnostic.message), help: redact(diagnostic.help) }));
}

function backendName(name: string | undefined): string | null {
  return name === undefined ? null : hideOdd(name);
}

/** What every reporter sees of a judged deployment. `strict`: warnings count against `ok`. */
export function deploymentView(deployment: Deployment, diagnostics: readonly Diagnostic[], strict: boolean): DeploymentView {
  const { release, sandbox } = deployment;
  return {
    config: deployment.inputs.config.file,
    target: deployment.target,
    release: { pinned: release.pinned, resolved: release.resolved, source: release.source },
    sandbox: {
      declared: backendName(sandbox.declared?.name),
      backend: backendName(sandbox.effective?.name),
      selected: sandbox.selected.map((backend) => backend.name),
    },
    ok: !diagnostics.some(({ severity }) => isFailing(severity, strict)),
    secrets: secretViews(deployment.secrets),
    diagnostics: redacted(deployment, diagnostics).map(diagnosticView),
  };
}
