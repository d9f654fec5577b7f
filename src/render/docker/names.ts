import { shellWord } from "../../base/shell-word.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { RenderContext } from "../artifact.ts";

/** True when core starts containers beside itself, through the socket of the host's daemon. */
export function usesDockerSocket(deployment: Deployment): boolean {
  return deployment.sandbox.selected.some((backend) => backend.dockerSocket);
}

/** File name below `rendered/docker/`. */
export const COMPOSE = "compose.yaml";

/** A call of docker compose on the rendered file, from the deployment directory. */
export function composeCommand({ deployment, options }: RenderContext, command: string): string {
  // Compose itself does not know the group that may use the socket; core runs with it. `stat` has other options on each system.
  const group = usesDockerSocket(deployment) ? "DOCKER_GID=$(ls -nL /var/run/docker.sock | awk '{print $4}') " : "";
  return `${group}docker compose -f ${shellWord(`${options.place}/${COMPOSE}`)} ${command}`;
}

/** The command that starts the deployment and waits until it is healthy. */
export function startCommand(context: RenderContext): string {
  const builds = context.deployment.workloads.some(
    (workload) => workload.image === null && workload.sourceDirectory !== null,
  );
  return composeCommand(context, builds ? "up --build --detach --wait" : "up --detach --wait");
}
