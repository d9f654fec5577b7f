import { inStockCore } from "../../catalog/backends/index.ts";
import { isDigestPinned, readImageReference } from "../../catalog/grammar/image-reference.ts";
import { findPlaceholder } from "../../config/placeholder.ts";
import { RUNNABLE_SERVICE_NAMES } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { assumedRelease, field, names, own, type Rule } from "../rule.ts";

export const IMAGE_RULES: readonly Rule[] = [
  {
    id: "config/image-reference",
    title: "Image reference that cannot be read",
    clause: "config.v1",
    why: "Docker, Fly and ECS read image references by one grammar. What breaks it is only refused when the machine starts.",
    bad: '{ "imageOverrides": { "core": "https://ghcr.io/acme/qm-core" } }',
    good: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core@sha256:${"15".repeat(32)}" } }`,
    check(deployment, report) {
      for (const { reference, path } of writtenImages(deployment)) {
        const reading = readImageReference(reference);
        if (!reading.ok)
          report({
            message: `${field(path)} ${reading.reason}`,
            help: "write it as `registry/repository@sha256:<64 hex digits>`",
            place: { path, at: "value" },
          });
      }
    },
  },
  {
    id: "config/unpinned-image",
    title: "Image without a digest",
    severity: "warning",
    why: "A tag such as `latest` can name another image tomorrow: what runs is then not what was reviewed, and two machines may run different ones.",
    bad: '{ "imageOverrides": { "core": "ghcr.io/acme/qm-core:latest" } }',
    good: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core@sha256:${"15".repeat(32)}" } }`,
    check(deployment, report) {
      const running = new Set(deployment.workloads.map(({ name }) => name));
      for (const { reference, path } of writtenImages(deployment)) {
        // Of a layer image sandbox/unpinned-image says it.
        if (path[0] === "sandbox" || (path[0] === "imageOverrides" && !running.has(String(path[1])))) continue;
        if (!readImageReference(reference).ok || isDigestPinned(reference)) continue;
        report({
          message: `${field(path)} is not pinned by a digest`,
          help: "end it with `@sha256:` and 64 hexadecimal digits; `docker buildx imagetools inspect` shows them",
          command: "docker buildx imagetools inspect",
          place: { path, at: "value" },
        });
      }
    },
  },
  {
    id: "config/image-missing",
    title: "No image for a service",
    severity: "warning",
    why: "qm 0.1.6 published no images. An artifact that starts a service is refused by name until `imageOverrides` names one.",
    bad: '{ "services": ["core", "web-ui"] }',
    good: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core@sha256:${"15".repeat(32)}", "web-ui": "ghcr.io/acme/qm-web-ui@sha256:${"16".repeat(32)}" } }`,
    check(deployment, report) {
      const { document, broken, release } = deployment;
      if (broken) return;
      const without = servicesWithoutImage(deployment).filter(
        (name) => document.node(["imageOverrides", name]) === undefined,
      );
      if (without.length === 0) return;
      report({
        message: `${names(without)} ${without.length === 1 ? "has" : "have"} no image: qm ${release.resolved} published none`,
        help: `build the image${without.length === 1 ? "" : "s"}, and pin ${without.length === 1 ? "it" : "each"} in \`imageOverrides\`${assumedRelease(deployment)}`,
        place: { path: document.node(["imageOverrides"]) === undefined ? ["services"] : ["imageOverrides"] },
      });
    },
  },
];

/** Services that qm published no image for, and nothing names one; without core, where its backend asks for an image of its own. */
export function servicesWithoutImage(deployment: Deployment): readonly string[] {
  const { workloads, release } = deployment;
  if (release.release.images !== null) return [];
  return workloads
    .filter(
      ({ name, kind, image }) => kind === "service" && image === null && !(name === "core" && needsOwnCore(deployment)),
    )
    .map(({ name }) => name);
}

/** Every image that the config names, without those that still hold a placeholder. */
function writtenImages({ config }: Deployment): { readonly reference: string; readonly path: ConfigPath }[] {
  const all: [ConfigPath, string | undefined][] = [
    ...RUNNABLE_SERVICE_NAMES.map((service): [ConfigPath, string | undefined] => [
      ["imageOverrides", service],
      own(config.imageOverrides, service),
    ]),
    ...(config.plugins ?? []).map(({ image }, at): [ConfigPath, string | undefined] => [
      ["plugins", at, "image"],
      image,
    ]),
    [["sandbox", "image"], config.sandbox?.image],
  ];
  return all.flatMap(([path, reference]) =>
    reference === undefined || findPlaceholder(reference) !== null ? [] : [{ reference, path }],
  );
}

/** True where another rule asks for an image of core because of the backend. */
function needsOwnCore({ sandbox, release }: Deployment): boolean {
  return sandbox.selected.some((backend) => !inStockCore(backend, release.release));
}
