import type { Deployment } from "../deployment/deployment.ts";

/** True for a directory of `sandbox/` that a clone has too: git keeps no empty one, and what is rendered must not differ there. */
export function hasFiles({ inputs }: Deployment, directory: string): boolean {
  return inputs.sandboxTree.some(({ path, kind, leadsTo }) => (path === directory ? leadsTo === "directory" : path.startsWith(`${directory}/`) && kind !== "directory"));
}
