import { SERVICE_PORT } from "../../catalog/services.ts";
import { DEFAULT_BASE_PORT, DOCKER_PORT_OFFSET, POSTGRES_IMAGE } from "../../catalog/targets/docker.ts";
import type { RunnableServiceName } from "../../config/written-config.ts";
import type { Deployment, Workload } from "../../deployment/deployment.ts";
import { POSTGRES_WORKLOAD } from "../../deployment/secrets/sources.ts";
import type { RenderContext } from "../context.ts";
import { inStartOrder, startRank } from "../start-order.ts";
import { dockerSecretsName, workloadsWithSecrets } from "../secrets/docker.ts";
import { bringsPostgres, POSTGRES_DB, POSTGRES_USER } from "./database.ts";
import { coreMounts } from "./mounts.ts";
import { dockerName, usesDockerSocket } from "./names.ts";
import { type ComposeValue, reference } from "./compose-value.ts";

type Service = { readonly [key: string]: ComposeValue };

/** Health of a first-party service, asked from inside, where there is Node but perhaps no curl. */
const HEALTHZ = `fetch('http://127.0.0.1:${SERVICE_PORT}/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`;
const HEALTHY = { condition: "service_healthy" };

/** What all containers of a deployment have. */
function container(deployment: Deployment, name: string): Service {
  return {
    container_name: dockerName(deployment, name),
    labels: { "qm.org": deployment.config.orgId ?? "" },
    restart: "unless-stopped",
    networks: { default: { aliases: [name, `${dockerName(deployment, name)}.internal`] } },
  };
}

/** The container of a service or plugin. */
export function workloadService(context: RenderContext, workload: Workload): Service {
  const { deployment, options } = context;
  const isCore = workload.name === "core";
  return {
    ...(workload.image === null
      ? { build: { context: `${options.toDeployment}/${workload.sourceDirectory}` } }
      : { image: workload.image.reference }),
    ...container(deployment, workload.name),
    ...ports(context, workload),
    environment: Object.fromEntries(workload.environment.map(({ name, value }) => [name, value])),
    ...secretsOf(context, workload.name),
    ...(isCore ? { volumes: coreMounts(context) } : {}),
    ...(isCore && usesDockerSocket(deployment)
      ? { group_add: [reference("${DOCKER_GID:?the group of /var/run/docker.sock, see the command at the top}")] }
      : {}),
    ...(workload.kind === "service" ? { healthcheck: check(["CMD", "node", "-e", HEALTHZ]) } : {}),
    ...waitsFor(context, workload),
  };
}

/** The database that comes with a deployment which has none of its own. */
export function postgresService(context: RenderContext): Service {
  return {
    image: POSTGRES_IMAGE,
    ...container(context.deployment, POSTGRES_WORKLOAD),
    environment: { POSTGRES_DB },
    ...secretsOf(context, POSTGRES_WORKLOAD),
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

function check(test: readonly string[]): ComposeValue {
  return { test, interval: "10s", timeout: "5s", retries: 3, start_period: "30s" };
}

function secretsOf(context: RenderContext, name: string): Service {
  return workloadsWithSecrets(context).includes(name) ? { env_file: [dockerSecretsName(name)] } : {};
}

function ports({ deployment, options }: RenderContext, workload: Workload): Service {
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
function waitsFor(context: RenderContext, workload: Workload): Service {
  const { deployment } = context;
  const rank = startRank(workload);
  const earlier = inStartOrder(deployment.workloads).filter(
    (other) =>
      other.kind === "service" && startRank(other) < rank && (workload.kind === "service" || other.name === "core"),
  );
  const names =
    workload.name === "core" && bringsPostgres(context) ? [POSTGRES_WORKLOAD] : earlier.map((other) => other.name);
  return names.length === 0 ? {} : { depends_on: Object.fromEntries(names.map((name) => [name, HEALTHY])) };
}
