import { inStockCore } from "../catalog/backends/index.ts";
import type { TargetName } from "../config/written-config.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { Artifact } from "../render/artifact.ts";
import { BRING_UP } from "../render/bring-up/bring-up.ts";

/** One thing to do next. Commands are for the deployment directory and can be pasted. */
export interface NextStep {
  readonly says: string;
  readonly commands: readonly string[];
}

/** The commands of the bring-up page that put what was rendered to use. */
const USES_RENDERED: { readonly [target in TargetName]: RegExp } = {
  docker: /^(?:DOCKER_GID=.* )?docker compose .* up /,
  fly: /^fly deploy /,
  aws: /^aws ecs register-task-definition /,
};

/**
 * What comes after init; `artifacts` are those of its render, `isInstalled` says that package.json brings qm-deploy. Empty
 * where nothing says which target it is.
 */
export function nextSteps(
  deployment: Deployment,
  artifacts: readonly Pick<Artifact, "name" | "text">[],
  isInstalled: boolean,
): readonly NextStep[] {
  const { target } = deployment;
  if (target === null) return [];
  const bringUp = artifacts.find((artifact) => artifact.name === BRING_UP)?.text ?? "";
  const commands = blocksOf(bringUp)
    .map((lines) => lines.filter((line) => USES_RENDERED[target].test(line)))
    .find(({ length }) => length > 0);
  return [
    isInstalled
      ? {
          says: "Install what package.json pins, and put it on this shell's PATH",
          commands: ["npm install", 'export PATH="$PWD/node_modules/.bin:$PATH"'],
        }
      : { says: "Install what package.json pins; qm-deploy itself must be on PATH", commands: ["npm install"] },
    {
      says: "Fill in .env and what qm.config.jsonc leaves open, until this passes; then commit what render wrote",
      commands: ["qm-deploy check", "qm-deploy secrets check", "qm-deploy render"],
    },
    ...imageSteps(deployment),
    {
      says: `Bring it up as rendered/${target}/${BRING_UP} says from its first step on; it puts what render wrote to use`,
      commands: commands ?? [],
    },
  ];
}

/** The lines of each block of code of a page; what a step says beside its block, such as how to go back, is none. */
function blocksOf(page: string): readonly (readonly string[])[] {
  const parts = page.split(/^`{3,}.*$/m);
  return parts.filter((_, at) => at % 2 === 1).map((block) => block.split("\n"));
}

/** Images that nobody has published: every one of an old release, and a core for a backend that no published one knows. */
function imageSteps({ release: { release }, sandbox, config }: Deployment): readonly NextStep[] {
  const unknown = sandbox.selected.filter((backend) => !inStockCore(backend, release)).map((backend) => backend.title);
  const core = `Core needs an image that implements ${unknown.join(" and ")}, which no published one does`;
  const pin = (which: string, them: string): string =>
    `build and push ${which}, pin ${them} by digest in imageOverrides, and render again`;
  if (release.images === null) {
    const all = `There are no published images of qm ${release.version}: ${pin("one for each service", "them")}`;
    return [{ says: unknown.length === 0 ? all : `${all}. ${core}`, commands: [] }];
  }
  if (unknown.length === 0 || config.imageOverrides?.core !== undefined) return [];
  return [{ says: `${core}: ${pin("it", "it")}`, commands: [] }];
}
