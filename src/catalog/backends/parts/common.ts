import type { TargetName } from "../../../config/written-config.ts";
import type { Release } from "../../releases/release.ts";
import type { BackendEnv, CoreEnvContext, PublishPlan } from "../backend.ts";

/** `SANDBOX_BACKEND`, rendered for the primary backend on every target: core refuses to start in production without it. */
export function backendName(name: string, context: CoreEnvContext): BackendEnv[] {
  if (!context.primary) return [];
  const how =
    context.because.length === 0
      ? `the default of qm ${context.release.version} on ${context.target}`
      : "the selected sandbox backend";
  return [{ name: "SANDBOX_BACKEND", value: name, from: context.because, how }];
}

/** How executables reach agents where no layer image does: the same words for every backend without one. */
export function withoutLayerImage(release: Release): string {
  const text = release.toolInstallFiles ? "; text tools can name their files in `install.files` of tool.json" : "";
  return `skills and tool descriptors of \`sandbox/\` reach agents through the deployment layer (\`qm layer sync\`)${text}`;
}

/** The plan of a backend whose agents never boot a layer image: refused under every release and on every target. */
export function alwaysRefused(
  why: string,
  instead: (release: Release) => string,
): (release: Release, target: TargetName) => PublishPlan {
  return (release) => ({ kind: "refused", why, instead: instead(release) });
}
