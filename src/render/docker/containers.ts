import { dockerAlias, dockerName } from "../../deployment/derived-names.ts";
import { SERVICE_PORT, START_ORDER } from "../../catalog/services.ts";
import { DEFAULT_BASE_PORT, DOCKER_PORT_OFFSET, POSTGRES_IMAGE } from "../../catalog/targets/docker.ts";
import type { RunnableServiceName } from "../../config/written-config.ts";
import type { Deployment, Workload } from "../../deployment/deployment.ts";
import { hasFiles } from "../../deployment/inputs.ts";
import { POSTGRES_WORKLOAD } from "../../deployment/secrets/sources.ts";
import type { RenderContext } from "../artifact.ts";
import { secretsFileName } from "../secrets-files.ts";
import { HEALTH_COMMAND, startRank } from "../workloads.ts";
import { bringsPostgres, POSTGRES_DB, POSTGRES_USER } from "../database.ts";
import { usesDockerSocket } from "./names.ts";

/** The data of one container in compose.yaml. */
type Container = { readonly [key: string]: unknown };

/** Text in which `$` starts a reference that compose is meant to fill in; in any other text it is literal. */
export class Reference {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const HEALTHY = { condition: "service_healthy" };

function shared(deployment: Deployment, name: string): Container {
  return {
    container_name: dockerName(deployment.config, name),
    labels: { "qm.org": deployment.config.orgId ?? "" },
    restart: "unless-stopped",
    networks: { default: { aliases: [name, dockerAlias(deployment.config, name)] } },
  };
}

/** The container of a service or plugin. */
export function workloadContainer(context: RenderContext, workload: Workload): Container {
  const { deployment, options } = context;
  const isCore = workload.name === "core";
  return {
    ...(workload.image === null
      ? { build: { context: `${options.toDeployment}/${workload.sourceDirectory}` } }
      : { image: workload.image.reference }),
    ...shared(deployment, workload.name),
    ...ports(context, workload),
    environment: Object.fromEntries(workload.environment.map(({ name, value }) => [name, value])),
    ...(context.secrets.has(workload.name) ? envFile(workload.name) : {}),
    ...(isCore ? { volumes: coreMounts(context) } : {}),
    ...(isCore && usesDockerSocket(deployment)
      ? { group_add: [new Reference("${DOCKER_GID:?the group of /var/run/docker.sock, see the command at the top}")] }
      : {}),
    ...(workload.kind === "service" ? { healthcheck: check(HEALTH_COMMAND) } : {}),
    ...waitsFor(context, workload),
  };
}

/** The database that comes with a deployment which has none of its own. */
export function postgresContainer(context: RenderContext): Container {
  return {
    image: POSTGRES_IMAGE,
    ...shared(context.deployment, POSTGRES_WORKLOAD),
    environment: { POSTGRES_DB },
    ...envFile(POSTGRES_WORKLOAD),
    volumes: [{ type: "volume", source: "pgdata", target: "/var/lib/postgresql/data" }],
    // Over TCP: while the database is made for the first time, the server listens on its socket alone and restarts after it.
    healthcheck: check([
      "CMD",
      "pg_isready",
      "--host=127.0.0.1",
      `--username=${POSTGRES_USER}`,
      `--dbname=${POSTGRES_DB}`,
    ]),
  };
}

function check(test: readonly string[]): object {
  return { test, interval: "10s", timeout: "5s", retries: 3, start_period: "30s" };
}

function envFile(name: string): Container {
  return { env_file: [secretsFileName("docker", name)] };
}

function ports({ deployment, options }: RenderContext, workload: Workload): Container {
  const offset = workload.kind === "service" ? DOCKER_PORT_OFFSET[workload.name as RunnableServiceName] : undefined;
  if (offset === undefined) return {};
  const host = options.bind.includes(":") ? `[${options.bind}]` : options.bind;
  return { ports: [`${host}:${hostPort(deployment, offset)}:${SERVICE_PORT}`] };
}

/** The host's port at an offset from `basePort`. */
export function hostPort(deployment: Deployment, offset: number): number {
  return (deployment.config.basePort ?? DEFAULT_BASE_PORT) + offset;
}

/** A service waits for those that start before it, a plugin for core, core for its database. */
function waitsFor(context: RenderContext, workload: Workload): Container {
  const names =
    workload.name === "core" && bringsPostgres(context)
      ? [POSTGRES_WORKLOAD]
      : servicesOf(context.deployment).filter((other) =>
          workload.kind === "plugin" ? other === "core" : START_ORDER[other] < startRank(workload),
        );
  return names.length === 0 ? {} : { depends_on: Object.fromEntries(names.map((name) => [name, HEALTHY])) };
}

/** The workloads that are services, in the order in which they start. */
function servicesOf({ services, release }: Deployment): readonly RunnableServiceName[] {
  const hosts = new Set(services.map((service) => release.release.host[service]));
  return [...hosts].sort((a, b) => START_ORDER[a] - START_ORDER[b]);
}

const LAYER = ["skills", "tools"] as const;
const SOCKET = "/var/run/docker.sock";

/** The volumes and mounts of core: its data, the deployment layer, other skills, and the socket for local sandboxes. */
function coreMounts(context: RenderContext): readonly object[] {
  const { deployment, options } = context;
  const layer = LAYER.filter((name) => hasFiles(deployment.inputs, `sandbox/${name}`)).map((name) =>
    bind(`${options.toDeployment}/sandbox/${name}`, `/layer/${name}`),
  );
  const skills = (deployment.config.skills ?? []).map((path, at) =>
    bind(rooted(path, options.toDeployment), `/app/plugins/deployment-skills-${at}/skills`),
  );
  const socket: readonly object[] = usesDockerSocket(deployment)
    ? [{ type: "bind", source: SOCKET, target: SOCKET }]
    : [];
  return [{ type: "volume", source: "coredata", target: "/data" }, ...layer, ...skills, ...socket];
}

function bind(source: string, target: string): object {
  return { type: "bind", source, target, read_only: true };
}

/** A path of the config, which is meant from the deployment directory, as seen from the compose file. */
function rooted(path: string, toDeployment: string): string {
  return path.startsWith("/") ? path : `${toDeployment}/${path.replace(/^(?:\.\/+)+/, "")}`;
}
