import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Deployment } from "../../src/deployment/deployment.ts";
import type { RenderContext, Renderer, RenderOptions } from "../../src/render/artifact.ts";
import { renderContext, sortOutputs } from "../../src/render/render.ts";
import { secretsWithValue } from "../../src/render/secrets.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";

export const EXAMPLES = join(import.meta.dirname, "../../examples");

/** What `render` uses when the operator asks for nothing special. */
export const PLAIN: RenderOptions = {
  secrets: false,
  withOptional: false,
  bind: "127.0.0.1",
  toDeployment: "../..",
  place: "rendered/target",
  secretsWithValue: new Set(),
  existingTfvars: null,
};

/** An example as resolved, optionally with other text for its config or `.env`, or for another release. */
export function example(
  name: string,
  change: { config?: (text: string) => string; env?: string; release?: string } = {},
): Deployment {
  const directory = mkdtempSync(join(tmpdir(), "qm-render-"));
  cpSync(join(EXAMPLES, name), directory, { recursive: true });
  const file = join(directory, "qm.config.jsonc");
  const loaded = loadDeployment(file, { cwd: directory });
  if (loaded.problem !== undefined) throw new Error(loaded.problem.message);
  if (change.config !== undefined) writeFileSync(file, change.config(loaded.deployment.document.text));
  if (change.env !== undefined) writeFileSync(join(directory, ".env"), change.env, { mode: 0o600 });
  const outcome = loadDeployment(file, { cwd: directory, release: change.release });
  if (outcome.problem !== undefined) throw new Error(outcome.problem.message);
  return outcome.deployment;
}

/** What one renderer makes of a deployment, by kind. */
export function renderWith(renderer: Renderer, deployment: Deployment, options: Partial<RenderOptions> = {}) {
  return sortOutputs(renderer(contextOf(deployment, options)));
}

/** What a renderer is called with. */
export function contextOf(deployment: Deployment, options: Partial<RenderOptions> = {}): RenderContext {
  if (deployment.target === null) throw new Error("a deployment to render has a target");
  return renderContext(deployment, deployment.target, {
    ...PLAIN,
    secretsWithValue: new Set(secretsWithValue(deployment)),
    ...options,
  });
}
