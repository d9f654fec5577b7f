import type { Deployment } from "../../deployment/deployment.ts";
import { POSTGRES_WORKLOAD } from "../../deployment/secrets/sources.ts";
import { joinPieces, piece, type Piece, type RenderContext } from "../context.ts";
import { bringsPostgres, DATABASE_URL, POSTGRES_DB, POSTGRES_USER } from "../docker/database.ts";
import { workloadSecrets } from "../workload-secrets.ts";
import { deliver, secretsPiece } from "./values.ts";
import { deliveries } from "./workload.ts";

/** The file of a container's secrets. */
export function dockerSecretsName(workload: string): string {
  return `${workload}.secrets.env`;
}

/**
 * The workloads for which there is a file of secrets. It does not depend on values, so that compose.yaml is the same
 * where `.env` is not at hand.
 */
export function workloadsWithSecrets(context: RenderContext): readonly string[] {
  const { deployment } = context;
  const names = deployment.workloads
    .filter((workload) => workloadSecrets(deployment, workload).length > 0)
    .map((workload) => workload.name);
  return bringsPostgres(context) ? [...names, POSTGRES_WORKLOAD] : names;
}

/** One file per container that has secrets, in the dialect of compose.yaml's `env_file`. */
export function renderDockerSecrets(context: RenderContext): Piece {
  return joinPieces(
    workloadsWithSecrets(context).map((name) =>
      name === POSTGRES_WORKLOAD ? postgresSecrets(context.deployment) : serviceSecrets(context, name),
    ),
  );
}

function serviceSecrets(context: RenderContext, name: string): Piece {
  const { deployment } = context;
  const artifact = dockerSecretsName(name);
  const { pairs, refusals } = deliveries(deployment, { name }, artifact);
  if (name !== "core" || !bringsPostgres(context)) return filePiece(deployment, name, { pairs, refusals });
  const password = postgresPassword(deployment, artifact);
  // The file of the database says what is missing.
  if (password === null || "refusal" in password) return piece({ refusals });
  const url = `postgres://${POSTGRES_USER}:${encodeURIComponent(password.value)}@${POSTGRES_WORKLOAD}:5432/${POSTGRES_DB}`;
  return filePiece(deployment, name, { pairs: [...pairs, { name: DATABASE_URL, value: url }], refusals });
}

function postgresSecrets(deployment: Deployment): Piece {
  const artifact = dockerSecretsName(POSTGRES_WORKLOAD);
  const password = postgresPassword(deployment, artifact);
  if (password === null) return piece({});
  if ("refusal" in password) return piece({ refusals: [password.refusal] });
  return filePiece(deployment, POSTGRES_WORKLOAD, {
    pairs: [{ name: "POSTGRES_PASSWORD", value: password.value }],
    refusals: [],
  });
}

function postgresPassword(deployment: Deployment, artifact: string) {
  const secret = deployment.secrets.find((one) => one.name === "POSTGRES_PASSWORD");
  return secret === undefined ? null : deliver(deployment, secret, artifact, true);
}

function filePiece(
  deployment: Deployment,
  name: string,
  parts: Pick<Parameters<typeof secretsPiece>[1], "pairs" | "refusals">,
): Piece {
  const says = `The secrets of ${name}, in the dialect of \`env_file\` of docker compose.`;
  return secretsPiece(deployment, { artifact: dockerSecretsName(name), dialect: "compose", says, ...parts });
}
