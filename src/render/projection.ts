import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { shellWord } from "../base/shell-word.ts";
import { acceptedByQm, findBackend } from "../catalog/backends/index.ts";
import { nameOf } from "../catalog/settings/index.ts";
import { hasNestedComment } from "../config/node.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { PROJECTION } from "../deployment/rendered-names.ts";
import { generatedHeader, jsonText, publicArtifact, type RenderContext, type RenderOutput } from "./artifact.ts";

/** A config that qm's own command line accepts, where this deployment uses what it refuses. */
export function renderProjection({ deployment, options }: RenderContext): readonly RenderOutput[] {
  const config = needsProjection(deployment) ? configForQm(deployment) : null;
  if (config === null) return [];
  const header = generatedHeader(
    "//",
    "For qm's own command line, which refuses some of what the deployment's config says. From the deployment directory:",
    qmCommand("status", options.place),
  );
  return [publicArtifact(PROJECTION, header + jsonText(withSkillsFrom(config, options.toDeployment)))];
}

/**
 * The config as qm's own command line can be told it: without `$schema`, nested comment keys, and a backend that qm does
 * not know as `sandbox.backend`. That moves to `env.core.SANDBOX_BACKEND` and its required secrets are routed by
 * `secretEnv.core`, which qm's core reads the same (docs/contract/qm-rendering.md#a-config-that-qm-reads). Null where the document is no object.
 */
export function configForQm(deployment: Deployment): JsonObject | null {
  const written = deployment.document.value([]);
  if (!isJsonObject(written)) return null;
  const { $schema: _schema, ...config } = written;
  return movesBackend(deployment) ? moveBackend(deployment, config) : config;
}

/** A call of qm's own command line on the projection, from the deployment directory. `--no`: a package of the name `qm` that is nobody's here is never fetched. */
export function qmCommand(command: string, place: string): string {
  return `npx --no qm ${command} --config ${shellWord(`${place}/${PROJECTION}`)} --env-file .env --sandbox-dir sandbox`;
}

/** True when qm's own command line refuses the deployment's config as it is. */
export function needsProjection(deployment: Deployment): boolean {
  const root = deployment.document.root;
  if (root?.kind !== "object") return false;
  return movesBackend(deployment) || root.members.some(({ key }) => key === "$schema") || hasNestedComment(root);
}

/** True for a backend that is only proposed to qm. Any other that it refuses `check` refuses too, and qm is to say so as well. */
function movesBackend({ sandbox, release, target }: Deployment): boolean {
  const backend = findBackend(sandbox.declared?.name ?? "");
  return (
    backend !== undefined &&
    target !== null &&
    backend.proposedOn.includes(target) &&
    !acceptedByQm(backend.name, release.release, target)
  );
}

function moveBackend(deployment: Deployment, config: JsonObject): JsonObject {
  const { sandbox: _moved, ...rest } = config;
  const { sandbox, release, target, secrets } = deployment;
  // Secrets that exist because of the backend alone are in no catalogue of qm's, so it must be told of them.
  const ofBackends = new Set(sandbox.selected.flatMap((backend) => backend.secrets.map(({ name }) => name)));
  const routed = secrets.filter(
    ({ name, required, destinations }) =>
      required && ofBackends.has(name) && destinations.some(({ workload }) => workload === "core"),
  );
  // qm 0.1.6 wants a sandbox app on docker and fly whatever the backend; the name reaches no machine.
  const demandsApp = target !== null && release.release.demandsSandboxApp.includes(target);
  const backendName = nameOf(release.release, "core.sandboxBackend");
  return {
    ...rest,
    ...(demandsApp ? { sandbox: { app: `${deployment.config.orgId ?? "qm"}-unused` } } : {}),
    env: merged(config["env"], "core", { [backendName]: sandbox.declared?.name ?? "" }),
    secretEnv: merged(config["secretEnv"], "core", Object.fromEntries(routed.map(({ name }) => [name, name]))),
  };
}

function merged(block: JsonValue | undefined, service: string, added: JsonObject): JsonObject {
  const outer = isJsonObject(block) ? block : {};
  const inner = isJsonObject(outer[service]) ? outer[service] : {};
  return { ...outer, [service]: { ...inner, ...added } };
}

/** Relative skills directories are meant from the deployment directory; the projection lies elsewhere. */
function withSkillsFrom(config: JsonObject, toDeployment: string): JsonObject {
  const skills = config["skills"];
  if (!Array.isArray(skills)) return config;
  return {
    ...config,
    skills: skills.map((path: JsonValue) =>
      typeof path === "string" && !path.startsWith("/") ? `../${toDeployment}/${path}` : path,
    ),
  };
}
