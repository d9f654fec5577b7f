import type { Deployment, Workload } from "../../deployment/deployment.ts";
import { POSTGRES_WORKLOAD } from "../../deployment/secrets/sources.ts";
import { isEnvName } from "../../envfile/index.ts";
import type { Refusal, RenderNote } from "../artifact.ts";
import { commentLines, generatedLines, publicArtifact } from "../artifact-text.ts";
import { piece, type Piece, type RenderContext } from "../context.ts";
import { imageDigest } from "../image-digest.ts";
import { refuseMissingImage } from "../refuse-image.ts";
import { refuseValue, placeOf } from "../refuse-value.ts";
import { inStartOrder } from "../start-order.ts";
import { refuseDuplicateNames } from "../refuse-duplicate-name.ts";
import { yamlText } from "../yaml-text.ts";
import { COMPOSE, startCommand } from "./command.ts";
import { bringsPostgres, DATABASE_URL, routesDatabase } from "./database.ts";
import { dockerName } from "./names.ts";
import { postgresService, workloadService } from "./service.ts";
import { type ComposeValue, escapeDollars } from "./compose-value.ts";

/** `compose.yaml`: everything that `qm up` runs on docker, under the same names, so that its data is kept. */
export function renderCompose(context: RenderContext): Piece {
  const { deployment } = context;
  const refusals = deployment.workloads.flatMap((workload) => refusalsOf(deployment, workload));
  if (refusals.length > 0) return piece({ refusals });
  const header = generatedLines(
    "Start it from the deployment directory with:",
    `  ${startCommand(context)}`,
    "The *.secrets.env files beside it come from `qm-deploy render --secrets`; without them compose refuses to start.",
    "A volume that `qm up` made is used as it is; compose says that it did not create it.",
  );
  return piece({
    artifacts: [publicArtifact(COMPOSE, commentLines("#", header) + yamlText(escapeDollars(composeFile(context))))],
    notes: notesOf(context),
  });
}

function composeFile(context: RenderContext): ComposeValue {
  const { deployment } = context;
  const withPostgres = bringsPostgres(context);
  const workloads = inStartOrder(deployment.workloads);
  const volumes: { [name: string]: ComposeValue } = {};
  if (workloads.some((workload) => workload.name === "core"))
    volumes["coredata"] = { name: dockerName(deployment, "coredata") };
  if (withPostgres) volumes["pgdata"] = { name: dockerName(deployment, "pgdata") };
  return {
    name: dockerName(deployment),
    services: {
      ...(withPostgres ? { [POSTGRES_WORKLOAD]: postgresService(context) } : {}),
      ...Object.fromEntries(workloads.map((workload) => [workload.name, workloadService(context, workload)])),
    },
    ...(Object.keys(volumes).length === 0 ? {} : { volumes }),
  };
}

function refusalsOf(deployment: Deployment, workload: Workload): readonly Refusal[] {
  return [
    ...(workload.image === null && workload.sourceDirectory === null
      ? [refuseMissingImage(deployment, workload, COMPOSE)]
      : []),
    ...refuseEntries(deployment, workload),
    ...refuseDuplicateNames(deployment, workload, COMPOSE, "compose would let the plain value win over the secret"),
  ];
}

/** What no container environment or no YAML file can hold. */
function refuseEntries(deployment: Deployment, workload: Workload): readonly Refusal[] {
  return workload.environment.flatMap((entry) => {
    const problem = !isEnvName(entry.name)
      ? "is not the name of an environment variable"
      : entry.value.includes("\0")
        ? "holds NUL, which no environment carries"
        : !entry.value.isWellFormed()
          ? "holds half of a surrogate pair, which no text file carries"
          : null;
    return problem === null
      ? []
      : [
          refuseValue(
            deployment,
            COMPOSE,
            placeOf(entry, workload),
            `\`${entry.name}\` of \`${workload.name}\` ${problem}`,
          ),
        ];
  });
}

function notesOf(context: RenderContext): readonly RenderNote[] {
  const { deployment } = context;
  const unpinned = deployment.workloads.filter((workload) => workload.image !== null && imageDigest(workload) === null);
  return [
    ...unpinned.map((workload) => ({
      artifact: COMPOSE,
      message: `the image of \`${workload.name}\` has no digest, so what runs may differ from what was reviewed`,
    })),
    ...(bringsPostgres(context) || routesDatabase(deployment)
      ? []
      : [
          {
            artifact: COMPOSE,
            message: `no Postgres: .env gives ${DATABASE_URL}, or gave it when manifest.json was written`,
          },
        ]),
  ];
}
