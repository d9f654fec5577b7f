import type { Deployment, Workload } from "../deployment/deployment.ts";
import type { Refusal } from "./artifact.ts";
import { refuse } from "./refusal.ts";

/** The config field that names a workload's image, for people. */
function imageField(workload: Workload): string {
  return workload.kind === "service" ? `\`imageOverrides.${workload.name}\`` : "`plugins[].image`";
}

/** Refuses an artifact whose workload has no image that could be named. */
export function refuseMissingImage(deployment: Deployment, workload: Workload, artifact: string): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/image-missing",
    path: workload.path,
    message:
      workload.sourceDirectory === null
        ? `no image is known for \`${workload.name}\`${workload.kind === "service" ? `: qm ${deployment.release.resolved} published none` : ""}`
        : `plugin \`${workload.name}\` is built from \`${workload.sourceDirectory}\`, so its digest is not known here`,
    help: `push the image and pin it in ${imageField(workload)} as \`repository@sha256:<64 hex digits>\``,
  });
}

/** Refuses an artifact that needs the digest of an image which is named without one. */
export function refuseUnpinnedImage(deployment: Deployment, workload: Workload, artifact: string): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/image-not-pinned",
    path: workload.kind === "service" ? ["imageOverrides", workload.name] : [...workload.path, "image"],
    message: `the image of \`${workload.name}\` is not pinned by digest`,
    help: `write it in ${imageField(workload)} as \`repository@sha256:<64 hex digits>\`; \`docker buildx imagetools inspect\` shows the digest`,
  });
}
