import { inStockCore } from "../../../catalog/backends/index.ts";
import type { RunnableServiceName } from "../../../config/written-config.ts";
import type { Deployment, Workload } from "../../../deployment/deployment.ts";
import { hasLayer, layerStep } from "../../../render/bring-up/agents.ts";
import { awsImagesStep } from "../../../render/bring-up/aws-images.ts";
import { MODULE } from "../../../render/bring-up/aws-names.ts";
import { MODULE_SOURCE } from "../../../render/bring-up/aws-account.ts";
import { firstContext } from "../../artifacts.ts";
import { quotedList, type Step, step } from "./step.ts";

const BECAUSE = ["release"];

/** True where another release of qm interprets the deployment. */
function isOtherRelease(before: Deployment, after: Deployment): boolean {
  return before.release.resolved !== after.release.resolved;
}

/** What another release of qm asks for before anything is deployed. */
export function releaseSteps(before: Deployment, after: Deployment): readonly Step[] {
  if (!isOtherRelease(before, after)) return [];
  return [...packageSteps(after), ...imageSteps(before, after), ...moduleSteps(after)];
}

/** What it asks for once core runs: what agents get to see was a part of another command before. */
export function layerSteps(before: Deployment, after: Deployment): readonly Step[] {
  const context = firstContext(after);
  if (!isOtherRelease(before, after) || context === null || after.target === "docker" || !hasLayer(context)) return [];
  return [layerStep(context)].flat().map(({ title, commands = [] }) => step(BECAUSE, lower(title), { commands }));
}

function lower(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}

/** What the pin names is installed by nobody but npm. */
function packageSteps({ release }: Deployment): readonly Step[] {
  if (release.source !== "package.json" && release.source !== "parent package.json") return [];
  const where = release.source === "package.json" ? "" : ", where the package.json is that pins it";
  return [
    step(BECAUSE, `install qm ${release.resolved}'s own command line, which needs Node 24${where}`, {
      commands: ["npm install"],
    }),
  ];
}

/** Images that the config names do not follow the release: what was built from the old one goes on running. */
function imageSteps(before: Deployment, after: Deployment): readonly Step[] {
  const old = new Map(before.workloads.map(({ name, image }) => [name, image?.reference]));
  const kept = after.workloads.filter(
    ({ kind, name, image }) =>
      kind === "service" && image?.provenance.kind === "config" && old.get(name) === image.reference,
  );
  if (kept.length === 0) return [];
  const { resolved } = after.release;
  const published = kept.flatMap((workload) => {
    const reference = publishedImage(after, workload);
    return reference === null || workload.image === null
      ? []
      : { ...workload, image: { ...workload.image, reference } };
  });
  const context = after.target === "aws" && published.length > 0 ? firstContext(after) : null;
  const copies = context === null ? [] : (awsImagesStep(context, published).commands ?? []);
  const detail =
    published.length === 0
      ? `qm ${resolved} published none that could take their place`
      : `what is not customised can run what qm ${resolved} published: the commands take the pins out`;
  return [
    step(
      BECAUSE,
      `pin images of qm ${resolved}: ${quotedList(kept.map(({ name }) => name))} still ${kept.length === 1 ? "runs" : "run"} what was pinned for qm ${before.release.resolved}`,
      {
        detail,
        commands: [...published.map(({ name }) => `qm-deploy config unset imageOverrides.${name}`), ...copies],
        done: false,
      },
    ),
  ];
}

/** The image that a release published for a service and that serves this deployment; null where there is none. */
export function publishedImage(
  { release, sandbox }: Deployment,
  { kind, name }: Pick<Workload, "kind" | "name">,
): string | null {
  const image = kind === "service" ? release.release.images?.[name as RunnableServiceName] : undefined;
  const isFit = name !== "core" || sandbox.selected.every((backend) => inStockCore(backend, release.release));
  return isFit ? (image ?? null) : null;
}

/** The copy of qm's Terraform module that was made once. */
function moduleSteps({ target, release }: Deployment): readonly Step[] {
  if (target !== "aws") return [];
  return [
    step(BECAUSE, `bring \`${MODULE}/\`, your copy of qm's Terraform module, to that of qm ${release.resolved}`, {
      detail: "the command shows what differs; what you changed in your copy is yours to keep",
      commands: [
        // That files differ is no failure, and what the copy has beside them is its own.
        `for file in ${MODULE_SOURCE}/*.tf; do diff -u "${MODULE}/\${file##*/}" "$file" || :; done`,
      ],
    }),
  ];
}
