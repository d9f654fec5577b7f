import type { Backend } from "../../catalog/backends/backend.ts";
import { isDigestPinned } from "../../catalog/grammar/image-reference.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { assumedRelease, type Rule } from "../rule.ts";
import { isUndecided } from "./backend-names.ts";
import { selectedAt } from "./remote-agents.ts";

export const LAYER_IMAGE_RULES: readonly Rule[] = [
  {
    id: "sandbox/app-missing",
    title: "Layer-image backend without `sandbox.app`",
    clause: "config.v1",
    why: "Under a release with layer images, Sprites run in a Fly app of yours; qm refuses the backend without it.",
    bad: '{ "sandbox": { "backend": "sprites" } }',
    good: '{ "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
    check(deployment, report) {
      const backend = layerImageBackend(deployment);
      if (backend === undefined || deployment.broken || deployment.document.node(["sandbox", "app"]) !== undefined)
        return;
      report({
        message: `\`${backend.name}\` is selected, and \`sandbox.app\`, which qm ${deployment.release.resolved} needs for it, is missing`,
        help: `name the Fly app of the sandboxes in \`sandbox.app\`, or use a backend that needs none, such as \`boxd\`${assumedRelease(deployment)}`,
        place: { path: selectedAt(deployment, backend) },
      });
    },
  },
  {
    id: "sandbox/image-not-published",
    title: "Layer image not published yet",
    severity: "warning",
    why: "Agents of Sprites boot the layer image that `sandbox publish` builds and pins in `sandbox.image`. Without it core cannot be rendered.",
    bad: '{ "sandbox": { "backend": "sprites", "app": "acme-sandboxes" } }',
    good: `{ "sandbox": { "backend": "sprites", "app": "acme-sandboxes", "image": "registry.fly.io/acme-sandboxes@sha256:${"4b".repeat(32)}" } }`,
    check(deployment, report) {
      const missing = missingLayerImage(deployment);
      if (missing === null) return;
      const { help, command } = missing;
      report({
        message: "`sandbox.app` has no pinned layer image yet: core cannot be rendered without `sandbox.image`",
        help: `${help}${assumedRelease(deployment)}`,
        command: command ?? undefined,
        place: { path: ["sandbox", "app"] },
      });
    },
  },
  {
    id: "sandbox/unpinned-image",
    title: "Layer image without a digest",
    clause: "config.v1",
    why: "A tag can move under running agents; qm takes a layer image only by its digest.",
    bad: '{ "sandbox": { "backend": "sprites", "app": "acme-sandboxes", "image": "registry.fly.io/acme-sandboxes:latest" } }',
    good: `{ "sandbox": { "backend": "sprites", "app": "acme-sandboxes", "image": "registry.fly.io/acme-sandboxes@sha256:${"4b".repeat(32)}" } }`,
    check(deployment, report) {
      const image = deployment.config.sandbox?.image?.trim();
      if (layerImageBackend(deployment) === undefined || image === undefined || isDigestPinned(image)) return;
      report({
        message: "`sandbox.image` is not pinned by a digest",
        help: `end it with \`@sha256:\` and 64 hexadecimal digits, as \`qm-deploy sandbox publish\` writes it${assumedRelease(deployment)}`,
        command: "qm-deploy sandbox publish",
        place: { path: ["sandbox", "image"], at: "value" },
      });
    },
  },
];

/** What to do where the agents' backend boots a layer image that nothing pins: core is not rendered before. Null where none is missing. */
export function missingLayerImage(
  deployment: Deployment,
): { readonly help: string; readonly command: string | null } | null {
  const { config, document, broken, release, target } = deployment;
  const backend = layerImageBackend(deployment);
  if (backend === undefined || target === null || broken || !config.sandbox?.app?.trim()) return null;
  if (document.node(["sandbox", "image"]) !== undefined) return null;
  const plan = backend.publish(release.release, target);
  return plan.kind === "layer-image"
    ? {
        help: "run `qm-deploy sandbox publish` first: it builds the image and pins it here",
        command: "qm-deploy sandbox publish",
      }
    : { help: `${plan.instead}; then pin the image in \`sandbox.image\` by its digest`, command: null };
}

/** The selected backend whose agents boot a layer image that lives in a Fly app. */
export function layerImageBackend(deployment: Deployment): Backend | undefined {
  const { sandbox, target } = deployment;
  const { release } = deployment.release;
  if (target === null || isUndecided(deployment)) return undefined;
  return sandbox.selected.find(
    (backend) => backend.layerImage(release, target) && backend.fields(release).includes("app"),
  );
}
