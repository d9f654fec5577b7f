import { nameOf } from "../settings/index.ts";
import { number } from "../settings/readings.ts";
import { text } from "../settings/text.ts";
import type { Backend, BackendEnv, CoreEnvContext } from "./backend.ts";
import { alwaysRefused, insteadOfFields, PLAIN } from "./parts.ts";

/** The image of the sandboxes. */
const IMAGE = "LOCAL_SANDBOX_IMAGE";

/** What core needs to start containers beside itself; only the docker target has a daemon to talk to. */
function daemonEnv(context: CoreEnvContext): BackendEnv[] {
  if (context.target !== "docker") return [];
  return [
    {
      name: nameOf(context.release, "core.dockerHost"),
      value: "unix:///var/run/docker.sock",
      from: [],
      how: "the mounted socket of the host's daemon",
    },
    localImage(context),
    {
      name: nameOf(context.release, "core.containerName"),
      value: `qm-${context.orgId}-core`,
      from: [["orgId"]],
      how: "core's own container, which sandboxes are attached to",
    },
  ];
}

/** The image that qm itself builds and names where `sandbox.image` names none (qm 0.1.12, docker.js). */
function localImage({ sandbox, orgId }: CoreEnvContext): BackendEnv {
  const image = sandbox.image?.trim();
  if (image) return { name: IMAGE, value: image, from: [["sandbox", "image"]], how: "the image of the sandboxes" };
  return {
    name: IMAGE,
    value: `qm-${orgId}-sandbox-local:latest`.toLowerCase(),
    from: [["orgId"]],
    how: "the image of the sandboxes, made on this host",
  };
}

/** Containers beside core on one docker host: for trying qm out. */
export const BACKEND: Backend = {
  ...PLAIN,
  name: "local",
  title: "local containers",
  summary: "agents work in containers beside core, with access to this host's Docker daemon; for trying it out",
  fields: () => ["image"],
  insteadOfField: insteadOfFields("a local sandbox", {
    app: "remove it: local sandboxes are containers of this host and belong to no Fly app",
    image: "name the image of the local sandboxes here",
    baseImage: "build the image that you want and name it in `sandbox.image`",
    env: "set it with ENV in the Dockerfile of `sandbox.image`",
  }),
  coreEnv: daemonEnv,
  remote: false,
  dockerSocket: true,
  layerImage: (_release, target) => target === "docker",
  settings: [
    text(IMAGE, "Image of the sandboxes", { setBy: "`sandbox.image`" }),
    text("LOCAL_SANDBOX_DOCKER_BIN", "Docker client that core runs", { takes: "a path in the container" }),
    number("LOCAL_SANDBOX_CPUS", "CPUs of each sandbox"),
    number("LOCAL_SANDBOX_MEMORY_MB", "Memory of each sandbox in MB"),
  ],
  devEnv: {},
  publish: alwaysRefused(
    "local sandboxes run an image of this host's Docker daemon, which needs no registry",
    () => "build it here with `qm-deploy sandbox build --tag <name>`, and name it in `sandbox.image`",
  ),
};
