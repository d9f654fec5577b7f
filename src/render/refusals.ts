import type { ConfigPath } from "../base/config-path.ts";
import type { Deployment, Workload } from "../deployment/deployment.ts";
import { isWrittenEnv } from "../deployment/env-conflicts.ts";
import { type EnvironmentEntry, provenancePaths } from "../deployment/provenance.ts";
import { whyUnfit } from "../envfile/index.ts";
import { ruleInfo } from "../rules/registry.ts";
import { missingLayerImage } from "../rules/sandbox/layer-image.ts";
import type { Refusal, RenderContext } from "./artifact.ts";

/** A refusal of one artifact, pointing at the config place that is to be changed. */
export function refuse(
  deployment: Deployment,
  what: Pick<Refusal, "artifact" | "rule" | "message" | "help"> & { readonly command?: string; path: ConfigPath },
): Refusal {
  const { path, ...said } = what;
  const { file } = deployment.document;
  const clause = ruleInfo(what.rule).clause ?? null;
  return {
    command: null,
    ...said,
    clause,
    severity: "error",
    file,
    range: deployment.document.keyRange(path),
    fix: null,
  };
}

/** What keeps a workload out of an artifact that starts it. `whyNotBoth` says what its reader makes of a name that is plain and secret. */
export function refuseWorkload(
  context: RenderContext,
  workload: Workload,
  artifact: string,
  whyNotBoth: string,
): readonly Refusal[] {
  const { deployment } = context;
  const hasImage = workload.image !== null || workload.sourceDirectory !== null;
  return [
    ...(hasImage ? [] : [refuseMissingImage(deployment, workload, artifact)]),
    ...refuseMissingLayerImage(deployment, workload, artifact),
    ...refuseEntries(deployment, workload, artifact),
    ...refuseDuplicateNames(context, workload, artifact, whyNotBoth),
  ];
}

/** Refuses an artifact for each entry that no container environment or no text file can hold. */
export function refuseEntries(deployment: Deployment, workload: Workload, artifact: string): readonly Refusal[] {
  return workload.environment.flatMap((entry) => {
    const unfit = whyUnfit(entry.name, entry.value);
    if (unfit === null) return [];
    const reason = `${unfit.reason} (workload \`${workload.name}\`)`;
    return [refuseValue(deployment, artifact, placeOf(entry, workload), reason)];
  });
}

/** Refuses an artifact for each name that a workload would get both plainly and as a secret. */
export function refuseDuplicateNames(
  { deployment, conflicts }: RenderContext,
  workload: Workload,
  artifact: string,
  whyNotBoth: string,
): readonly Refusal[] {
  return (conflicts.get(workload.name) ?? []).map(({ entry, secret }) =>
    refuse(deployment, {
      artifact,
      rule: "render/name-twice",
      path: (isWrittenEnv(entry) ? provenancePaths(entry.provenance) : secret.because)[0] ?? workload.path,
      message: `\`${entry.name}\` reaches \`${workload.name}\` both as a plain value and as a secret`,
      help: `keep one of the two: ${whyNotBoth}`,
    }),
  );
}

/** The config place that a value was written at or made from, which is the one to change. */
export function placeOf(entry: EnvironmentEntry, workload: Workload): ConfigPath {
  return provenancePaths(entry.provenance)[0] ?? workload.path;
}

/** Refuses an artifact whose format would lose or change a value. `reason` names no value. */
export function refuseValue(deployment: Deployment, artifact: string, path: ConfigPath, reason: string): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/value-not-carried",
    path,
    message: reason,
    help: "write the value without that, or encode it (base64, JSON) where its reader can decode it",
  });
}

/** Refuses an artifact that rests on a part of the config which is missing or broken; `check` says what is wrong with it. */
export function refuseIncomplete(deployment: Deployment, artifact: string, path: ConfigPath, message: string): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/incomplete",
    path,
    message,
    help: "fix the findings of `qm-deploy check` first",
    command: "qm-deploy check",
  });
}

/** Refuses an artifact of aws without the coordinates that everything there is named by. */
export function refuseIncompleteAws(deployment: Deployment, artifact: string): Refusal {
  return refuseIncomplete(deployment, artifact, ["aws"], "`aws` has no sound `accountId`, `region` and `cluster`");
}

/** Refuses an artifact that starts core before the image is there that its agents boot. */
export function refuseMissingLayerImage(
  deployment: Deployment,
  workload: Workload,
  artifact: string,
): readonly Refusal[] {
  const missing = workload.name === "core" ? missingLayerImage(deployment) : null;
  if (missing === null) return [];
  const { help, command } = missing;
  const what = {
    artifact,
    rule: "render/image-missing",
    path: ["sandbox", "app"],
    message: "`sandbox.app` has no pinned layer image, which core hands to its agents' computers",
    help,
  } as const;
  return [refuse(deployment, command === null ? what : { ...what, command })];
}

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
    command: "docker buildx imagetools inspect",
  });
}
