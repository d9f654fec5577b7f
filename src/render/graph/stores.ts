import { POSTGRES_IMAGE } from "../../catalog/targets/docker.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import { dockerName, rdsInstance } from "../../deployment/derived-names.ts";
import { POSTGRES_WORKLOAD } from "../../deployment/secrets/sources.ts";
import { bringsPostgres, type DatabaseContext, databaseUrlName, isDatabaseUrl } from "../database.ts";
import { secretsByWorkload } from "../secrets.ts";
import { coreSetting } from "../workloads.ts";
import type { Drawing, NodeFacts } from "./drawing.ts";

/** Where core keeps what it must not lose. */
export function drawStores(drawing: Drawing, context: DatabaseContext): void {
  const { deployment } = context;
  const core = drawing.find("workload:core");
  if (core === null) return;
  drawing.edge(core, drawing.node("store:database", database(context)));
  const bucket = coreSetting(deployment, "core.s3Bucket")?.value.trim() ?? "";
  if (bucket !== "") {
    const lines = [`bucket ${bucket}`];
    drawing.edge(
      core,
      drawing.node("store:objects", {
        ...STORE,
        title: "Object store",
        lines,
        inside: isOfTarget(deployment, "AWS_ACCESS_KEY_ID"),
      }),
    );
  }
  if (deployment.target === "docker") {
    const lines = [dockerName(deployment.config, "coredata")];
    drawing.edge(core, drawing.node("store:data", { ...STORE, title: "Data volume", lines, inside: true }));
  }
}

const STORE = { kind: "store" } as const;

function database(context: DatabaseContext): NodeFacts {
  const { deployment } = context;
  const { config, target } = deployment;
  if (target === "docker" && bringsPostgres(context)) {
    const delivered = secretsByWorkload(deployment).get(POSTGRES_WORKLOAD) ?? [];
    const secrets = delivered.map(({ secret: { name } }) => ({ name, required: true }));
    const lines = [POSTGRES_IMAGE, `volume ${dockerName(config, "pgdata")}`];
    return { ...STORE, title: "Postgres", lines, secrets, inside: true };
  }
  const secret = deployment.secrets.find((one) => isDatabaseUrl(one, deployment));
  const instance = target === "aws" && secret?.managedBy === "terraform" ? rdsInstance(config) : null;
  return {
    ...STORE,
    title: "Postgres",
    lines: [instance !== null ? `RDS ${instance}` : `at ${secret?.name ?? databaseUrlName(deployment)}`],
    inside: isSupplied(secret),
  };
}

/** True for a secret that the target itself makes, since what it opens is there too. */
function isSupplied(secret: Secret | undefined): boolean {
  return secret !== undefined && secret.managedBy !== "operator";
}

/** True where the target has a store of its own: aws, or where it supplies the key. */
function isOfTarget({ target, secrets }: Deployment, key: string): boolean {
  return target === "aws" || isSupplied(secrets.find(({ name }) => name === key));
}
