import type { DeploymentInputs } from "./inputs.ts";

/** True for a directory of `sandbox/` that a clone has too: git keeps no empty one, and what is rendered must not differ there. */
export function hasFiles({ sandboxTree }: DeploymentInputs, directory: string): boolean {
  return sandboxTree.some(({ path, kind, leadsTo }) =>
    path === directory ? leadsTo === "directory" : path.startsWith(`${directory}/`) && kind !== "directory",
  );
}
