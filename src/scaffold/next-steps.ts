import { inStockCore } from "../catalog/backends/index.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { BRING_UP } from "../render/bring-up/bring-up.ts";

/** One thing to do next. Commands are for the deployment directory and can be pasted. */
export interface NextStep {
  readonly says: string;
  readonly commands: readonly string[];
}

/** What comes after init; `isInstalled` says that package.json brings qm-deploy. Empty where nothing says which target it is. */
export function nextSteps(deployment: Deployment, isInstalled: boolean): readonly NextStep[] {
  const { target } = deployment;
  const { onNpm, version } = deployment.release.release;
  if (target === null) return [];
  const from = onNpm
    ? ""
    : ` (npm does not have qm ${version}: a registry of yours must; qm-deploy itself reads the pin alone)`;
  return [
    isInstalled
      ? {
          says: `Install what package.json pins${from}, and put it on this shell's PATH`,
          commands: ["npm install", 'export PATH="$PWD/node_modules/.bin:$PATH"'],
        }
      : { says: `Install what package.json pins${from}; qm-deploy itself must be on PATH`, commands: ["npm install"] },
    ...imageSteps(deployment),
    {
      says: "Fill in .env and what qm.config.jsonc leaves open, until this passes; then commit what render wrote",
      commands: ["qm-deploy check", "qm-deploy secrets check", "qm-deploy render"],
    },
    {
      says: "Follow this page from its first step on, which ends with a running deployment",
      commands: [`cat rendered/${target}/${BRING_UP}`],
    },
  ];
}

/** Images that nobody has published: every one of an old release, and a core for a backend that no published one knows. */
function imageSteps({ release: { release }, sandbox, config }: Deployment): readonly NextStep[] {
  const unknown = sandbox.selected.filter((backend) => !inStockCore(backend, release)).map((backend) => backend.title);
  const core = `Core needs an image that implements ${unknown.join(" and ")}, which no published one does`;
  const pin = (which: string, them: string): string =>
    `build and push ${which}, and pin ${them} by digest in imageOverrides`;
  if (release.images === null) {
    const all = `There are no published images of qm ${release.version}: ${pin("one for each service", "them")}`;
    return [{ says: unknown.length === 0 ? all : `${all}. ${core}`, commands: [] }];
  }
  if (unknown.length === 0 || config.imageOverrides?.core !== undefined) return [];
  return [{ says: `${core}: ${pin("it", "it")}`, commands: [] }];
}
