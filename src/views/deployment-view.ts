import type { Deployment, Secret } from "../deployment/deployment.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { redactKeys, redactText } from "../base/redact.ts";
import {
  type DeploymentView,
  type DiagnosticView,
  diagnosticView,
  isFailing,
  type SecretView,
} from "../diagnostics/view.ts";
import { howToGet } from "../rules/envfile/how-to-get.ts";
import { redactorFor } from "./value-mask.ts";

/** Entries of the catalogue that deployments share, as they are shown. */
const VIEWS = new WeakMap<Secret, SecretView>();

/** A secret without what only `.env.example` and `init` need of it. Where a key stands in the place of its name, it is hidden. */
export function secretView(secret: Secret): SecretView {
  const known = VIEWS.get(secret);
  if (known !== undefined) return known;
  const { required, managedBy, destinations } = secret;
  const view = {
    name: redactText(secret.name),
    required,
    managedBy,
    reason: redactText(secret.reason),
    destinations: destinations.map(({ workload, env }) => ({ workload: redactText(workload), env: redactText(env) })),
  };
  VIEWS.set(secret, view);
  return view;
}

/** The catalogue of a deployment, with what each secret is for. */
export function describedSecrets({ secrets }: Deployment): readonly (SecretView & { readonly description: string })[] {
  return secrets.map((secret) => ({ ...secretView(secret), description: secret.description }));
}

/** How the value of a secret comes into being, in a few words. */
export function supplyText(secret: Secret, deployment: Deployment): string {
  return secret.managedBy === "operator"
    ? howToGet(secret, deployment).help
    : `${secret.managedBy} puts it into the target's store`;
}

/** Takes secret values out of what is said about a deployment; rules never put them there, and authors of suppressions should not. */
function redacted(redact: (text: string) => string, view: DiagnosticView): DiagnosticView {
  const { message, help, command, related, suppression } = view;
  return {
    ...view,
    message: redact(message),
    help: redact(help),
    related: related.map((place) => ({ ...place, message: redact(place.message) })),
    // A command with a part hidden runs nothing.
    command: command === null || redact(command) !== command ? null : command,
    suppression: suppression && { ...suppression, reason: redact(suppression.reason) },
  };
}

/** What every reporter sees of a judged deployment. `strict`: warnings count against `ok`. */
export function deploymentView(
  deployment: Deployment,
  diagnostics: readonly Diagnostic[],
  strict: boolean,
): DeploymentView {
  const { release, sandbox } = deployment;
  const redact = redactorFor(deployment);
  const shown = diagnostics.map((diagnostic) => redacted(redact, diagnosticView(diagnostic)));
  const named = (name: string | undefined): string | null => (name === undefined ? null : redact(name));
  return {
    config: redactKeys(deployment.inputs.config.file),
    target: deployment.target,
    release: { pinned: release.pinned, resolved: release.resolved, source: release.source },
    sandbox: {
      declared: named(sandbox.declared?.name),
      backend: named(sandbox.effective?.name),
      selected: sandbox.selected.map((backend) => backend.name),
    },
    ok: !shown.some((diagnostic) => isFailing(diagnostic, strict)),
    secrets: deployment.secrets.map(secretView),
    diagnostics: shown,
  };
}
