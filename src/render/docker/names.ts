import type { Deployment } from "../../deployment/deployment.ts";

/** qm's own name of a part of a deployment on docker: `qm-<org>` and `qm-<org>-<part>` (docs/contract/qm-rendering.md#docker). */
export function dockerName(deployment: Deployment, part?: string): string {
  const project = `qm-${deployment.config.orgId ?? ""}`;
  return part === undefined ? project : `${project}-${part}`;
}

/** True when core starts containers beside itself, through the socket of the host's daemon. */
export function usesDockerSocket(deployment: Deployment): boolean {
  return deployment.sandbox.selected.some((backend) => backend.dockerSocket);
}
