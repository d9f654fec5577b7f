import { findRelease } from "../../catalog/releases/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ReleaseExplanation } from "./explanation.ts";

/** The known release of this version, and what sets it apart. */
export function explainRelease(version: string, deployment: Deployment | null): ReleaseExplanation[] {
  const release = findRelease(version);
  if (release === undefined) return [];
  const hosted = Object.entries(release.host).filter(([service, host]) => service !== host);
  return [
    {
      kind: "release",
      version,
      used: deployment === null ? null : deployment.release.resolved === version,
      facts: [
        release.images === null
          ? "published no images: every workload needs `imageOverrides`"
          : `published images of ${Object.keys(release.images).join(", ")}`,
        release.layerImages
          ? "agents of Sprites boot a layer image that `sandbox publish` builds"
          : "no layer images: `sandbox/` reaches agents through the deployment layer",
        `its core implements the backends ${release.coreBackends.join(", ")}`,
        hosted.length === 0
          ? "every service is a workload of its own"
          : `${hosted.map(([service, host]) => `${service} runs in ${host}`).join(", ")}`,
        release.scopeBackends ? "reads SANDBOX_SCOPE_BACKENDS" : "does not read SANDBOX_SCOPE_BACKENDS",
        `HARNESS by default: ${Object.entries(release.defaultHarness)
          .map(([target, harness]) => `${harness} on ${target}`)
          .join(", ")}`,
      ],
    },
  ];
}
