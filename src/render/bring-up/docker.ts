import { dockerName } from "../../deployment/derived-names.ts";
import { shellWord } from "../../base/shell-word.ts";
import { DOCKER_PORT_OFFSET } from "../../catalog/targets/docker.ts";
import type { RunnableServiceName } from "../../config/written-config.ts";
import type { EnvironmentEntry } from "../../deployment/provenance.ts";
import type { RenderContext } from "../artifact.ts";
import { hostPort } from "../docker/containers.ts";
import { bringsPostgres } from "../database.ts";
import { composeCommand, startCommand, usesDockerSocket } from "../docker/names.ts";
import { coreEntry } from "../workloads.ts";
import { coreImageStep, layerImageStep, layerStep, qm, reachStep } from "./agents.ts";
import { type BringUp, envFileStep, renderSecretsCommand, type Step } from "./step.ts";

/** From an empty host to a running deployment with the rendered compose.yaml. */
export function dockerBringUp(context: RenderContext): BringUp {
  return {
    target: "docker",
    lead: "Every command is meant for the deployment directory. Needs docker with compose 2.20 or newer, and qm-deploy.",
    steps: [
      coreImageStep(context),
      secretsStep(context),
      sandboxImageStep(context),
      layerImageStep(context),
      takeOverStep(context),
      {
        title: "Write the files with secrets",
        text: "Each container reads only its own. They are ignored by git.",
        commands: [renderSecretsCommand(context)],
      },
      { title: "Start", text: startText(context), commands: [startCommand(context)] },
      { title: "See that it runs", commands: [composeCommand(context, "ps"), ...healthCommands(context)] },
      layerStep(context),
      reachStep(context),
    ],
  };
}

function secretsStep(context: RenderContext): Step {
  if (!bringsPostgres(context)) return envFileStep(context);
  return envFileStep(
    context,
    `The Postgres of this deployment takes POSTGRES_PASSWORD. A database keeps the password that it was made with: where \`qm up\` made it, ` +
      `\`docker inspect --format '{{json .Config.Env}}' ${dockerName(context.deployment.config, "pg")}\` shows the one to set instead of a new one.`,
    ["grep -q '^POSTGRES_PASSWORD=.' .env || openssl rand -hex 32 | qm-deploy secrets set POSTGRES_PASSWORD"],
  );
}

/** How the image comes to be that local sandboxes run: qm's own name is built here, any other is the operator's. */
function sandboxImageStep({ deployment }: RenderContext): Step | [] {
  const { release, resolved } = deployment.release;
  const entry = coreEntry(deployment, "LOCAL_SANDBOX_IMAGE");
  if (!usesDockerSocket(deployment) || entry === undefined) return [];
  const image = shellWord(entry.value.trim());
  if (release.sandboxBase === null || !isQmsOwn(entry)) {
    return {
      title: "Have the sandbox image",
      text: `Agents work in containers of \`${entry.value.trim()}\`, which must be on this host: pull it, or build it under that name.`,
      commands: [`docker image inspect --format '{{.Id}}' ${image} || docker pull ${image}`],
    };
  }
  return {
    title: "Make the sandbox image",
    text: `Agents work in containers of \`${entry.value}\`: the base image of qm ${resolved} with the agent of qm's own npm package. \`qm up\` makes it too.`,
    commands: [
      "npm install --no-save --ignore-scripts @yc-software/qm@" + resolved,
      `docker build --tag ${image} --file - node_modules/@yc-software/qm/templates/aws/microvm-agent <<'END'`,
      `FROM ${release.sandboxBase}`,
      "ENV HOME=/root",
      "WORKDIR /root",
      "COPY agent.mjs /opt/qm/agent.mjs",
      "EXPOSE 8080",
      'CMD ["node", "/opt/qm/agent.mjs"]',
      "END",
    ],
  };
}

function isQmsOwn({ provenance }: EnvironmentEntry): boolean {
  return provenance.kind === "derived" && provenance.from.every((path) => path[0] === "orgId");
}

function takeOverStep(context: RenderContext): Step {
  const { deployment } = context;
  return {
    title: "Where qm up ran before: stop its containers",
    text:
      `The containers have the same names, so both cannot run at once. The volumes \`${dockerName(deployment.config, "coredata")}\` and ` +
      `\`${dockerName(deployment.config, "pgdata")}\` are used as they are; compose warns that it did not create them. Without \`--purge\` nothing is lost.`,
    commands: [qm(context, "down")],
  };
}

function startText({ deployment, options }: RenderContext): string {
  const group = usesDockerSocket(deployment)
    ? " Core gets this host's docker socket, and DOCKER_GID is the group that may use it."
    : "";
  return `Waits until every container is healthy. Ports are bound to ${options.bind}; put a proxy with TLS before them, or render with \`--bind\`.${group}`;
}

function healthCommands({ deployment, options }: RenderContext): readonly string[] {
  const { bind } = options;
  const host = bind.includes(":") ? `[${bind}]` : bind === "0.0.0.0" ? "127.0.0.1" : bind;
  return deployment.workloads.flatMap(({ kind, name }) => {
    const offset = kind === "service" ? DOCKER_PORT_OFFSET[name as RunnableServiceName] : undefined;
    if (offset === undefined) return [];
    return [`curl --fail --silent --show-error --globoff http://${host}:${hostPort(deployment, offset)}/healthz`];
  });
}
