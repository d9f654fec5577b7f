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
import { coreImageStep, layerImageStep, qm, reachStep, serviceImagesStep } from "./agents.ts";
import { backupStep, proxyStep, updateStep } from "./docker-care.ts";
import { signInStep } from "./sign-in.ts";
import { type BringUp, envFileStep, renderSecretsCommand, type Step, unlessSet } from "./step.ts";

/** From an empty host to a running deployment with the rendered compose.yaml. */
export function dockerBringUp(context: RenderContext): BringUp {
  return {
    target: "docker",
    lead: "Every command is meant for the deployment directory. Needs docker with compose 2.20 or newer, and qm-deploy; qm's own commands need Node 24.",
    steps: [
      serviceImagesStep(context),
      coreImageStep(context),
      secretsStep(context),
      sandboxImageStep(context),
      layerImageStep(context),
      takeOverStep(context),
      dockerSecretsStep(context),
      dockerStartStep(context),
      proxyStep(context),
      signInStep(context, localAddress(context, "web-ui")),
      reachStep(context),
      backupStep(context),
      updateStep(context),
    ],
  };
}

function secretsStep(context: RenderContext): Step {
  if (!bringsPostgres(context)) return envFileStep(context);
  const container = dockerName(context.deployment.config, "pg");
  const was = `\`docker inspect --format '{{json .Config.Env}}' ${container}\` shows it while that runs`;
  const text = `Where \`qm up\` ran before, keep the POSTGRES_PASSWORD that its database was made with: ${was}.`;
  return envFileStep(context, text, [unlessSet("POSTGRES_PASSWORD", "openssl rand -hex 32")]);
}

/** How the image comes to be that local sandboxes run: qm's own name is built here, any other is the operator's. */
function sandboxImageStep({ deployment }: RenderContext): Step | [] {
  const { release, resolved } = deployment.release;
  const entry = coreEntry(deployment, "LOCAL_SANDBOX_IMAGE");
  if (!usesDockerSocket(deployment) || entry === undefined) return [];
  const image = shellWord(entry.value.trim());
  const check = { commands: [`docker image inspect --format '{{.Id}}' ${image}`], text: "prints its id" };
  if (release.sandboxBase === null || !isQmsOwn(entry)) {
    return {
      title: "Have the sandbox image",
      text: `Agents work in containers of \`${entry.value.trim()}\`, which must be on this host: pull it, or build it under that name.`,
      commands: [`docker image inspect --format '{{.Id}}' ${image} || docker pull ${image}`],
      changes: "an image on this host.",
      check,
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
    changes: "an image on this host; `node_modules/`.",
    check,
    undo: { commands: [`docker image rm ${image}`] },
  };
}

function isQmsOwn({ provenance }: EnvironmentEntry): boolean {
  return provenance.kind === "derived" && provenance.from.every((path) => path[0] === "orgId");
}

function takeOverStep(context: RenderContext): Step {
  const { config } = context.deployment;
  return {
    title: "Where qm up ran before: stop its containers",
    text:
      `The containers have the same names, so both cannot run at once. The volumes \`${dockerName(config, "coredata")}\` and ` +
      `\`${dockerName(config, "pgdata")}\` are used as they are; compose warns that it did not create them.`,
    commands: [qm(context, "down")],
    changes: "the containers of `qm up` are gone; without `--purge` no data is lost.",
    undo: { text: "`qm up` makes the containers again, once those of compose are gone." },
  };
}

/** The files that containers take their secrets from. */
function dockerSecretsStep(context: RenderContext): Step {
  return {
    title: "Write the files with secrets",
    text: "Each container reads only its own.",
    commands: [renderSecretsCommand(context)],
    changes: "`*.secrets.env` beside compose.yaml, for this user alone (mode 0600) and ignored by git.",
    check: { commands: [composeCommand(context, "config --quiet")], text: "says nothing" },
  };
}

/** Starts what compose.yaml says, or brings what runs to it; data volumes stay. */
function dockerStartStep(context: RenderContext): Step {
  const { deployment, options } = context;
  const group = usesDockerSocket(deployment)
    ? " Core gets this host's docker socket, and DOCKER_GID is the group that may use it."
    : "";
  return {
    title: "Start",
    text: `Waits until every container is healthy. Ports are bound to ${options.bind}; \`qm-deploy render --bind\` takes another address.${group}`,
    commands: [startCommand(context)],
    changes: "containers, a network and the data volumes of this deployment.",
    check: { commands: [composeCommand(context, "ps"), ...healthCommands(context)], text: "every service answers" },
    undo: { commands: [composeCommand(context, "down")], text: "the volumes stay; with `--volumes` the data goes too" },
  };
}

function healthCommands(context: RenderContext): readonly string[] {
  return context.deployment.workloads.flatMap(({ kind, name }) => {
    const address = kind === "service" ? localAddress(context, name as RunnableServiceName) : undefined;
    return address === undefined ? [] : [`curl --fail --silent --show-error --globoff ${address}/healthz`];
  });
}

/** Where a service answers on this host; undefined for one that publishes no port. */
function localAddress({ deployment, options }: RenderContext, service: RunnableServiceName): string | undefined {
  const { bind } = options;
  const host = bind.includes(":") ? `[${bind}]` : bind === "0.0.0.0" ? "127.0.0.1" : bind;
  const offset = DOCKER_PORT_OFFSET[service];
  return offset === undefined ? undefined : `http://${host}:${hostPort(deployment, offset)}`;
}
