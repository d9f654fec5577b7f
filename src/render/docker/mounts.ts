import { hasFiles } from "../../deployment/inputs.ts";
import type { RenderContext } from "../context.ts";
import { usesDockerSocket } from "./names.ts";
import type { ComposeValue } from "./compose-value.ts";

const LAYER = ["skills", "tools"] as const;
const SOCKET = "/var/run/docker.sock";

/** The volumes and mounts of core: its data, the deployment layer, other skills, and the socket for local sandboxes. */
export function coreMounts(context: RenderContext): readonly ComposeValue[] {
  const { deployment, options } = context;
  const layer = LAYER.filter((name) => hasFiles(deployment.inputs, `sandbox/${name}`)).map((name) =>
    bind(`${options.toDeployment}/sandbox/${name}`, `/layer/${name}`),
  );
  const skills = (deployment.config.skills ?? []).map((path, at) =>
    bind(rooted(path, options.toDeployment), `/app/plugins/deployment-skills-${at}/skills`),
  );
  const socket: readonly ComposeValue[] = usesDockerSocket(deployment)
    ? [{ type: "bind", source: SOCKET, target: SOCKET }]
    : [];
  return [{ type: "volume", source: "coredata", target: "/data" }, ...layer, ...skills, ...socket];
}

/** A directory of the host that a container may only read. */
function bind(source: string, target: string): ComposeValue {
  return { type: "bind", source, target, read_only: true };
}

/** A path of the config, which is meant from the deployment directory, as seen from the compose file. */
function rooted(path: string, toDeployment: string): string {
  return path.startsWith("/") ? path : `${toDeployment}/${path.replace(/^(?:\.\/+)+/, "")}`;
}
