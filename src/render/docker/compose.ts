import { dockerName } from "../../deployment/derived-names.ts";
import { POSTGRES_WORKLOAD } from "../../deployment/secrets/sources.ts";
import {
  generatedHeader,
  publicArtifact,
  type RenderContext,
  type RenderNote,
  type RenderOutput,
} from "../artifact.ts";
import { refuseWorkload } from "../refusals.ts";
import { imageDigest, inStartOrder } from "../workloads.ts";
import { yamlText } from "../yaml-text.ts";
import { postgresContainer, Reference, workloadContainer } from "./containers.ts";
import { bringsPostgres, databaseUrlName, routesDatabase } from "../database.ts";
import { COMPOSE, startCommand } from "./names.ts";

const WHY_NOT_BOTH = "compose would let the plain value win over the secret";

/** `compose.yaml`: everything that `qm up` runs on docker, under the same names, so that its data is kept. */
export function renderCompose(context: RenderContext): readonly RenderOutput[] {
  const { deployment } = context;
  const refusals = deployment.workloads.flatMap((workload) => refuseWorkload(context, workload, COMPOSE, WHY_NOT_BOTH));
  if (refusals.length > 0) return refusals;
  const header = generatedHeader(
    "#",
    "Start it from the deployment directory with:",
    `  ${startCommand(context)}`,
    "The *.secrets.env files beside it come from `qm-deploy render --secrets`; without them compose refuses to start.",
    "A volume that `qm up` made is used as it is; compose says that it did not create it.",
  );
  return [publicArtifact(COMPOSE, header + yamlText(escapeDollars(composeFile(context)))), ...notesOf(context)];
}

function composeFile(context: RenderContext): object {
  const { deployment } = context;
  const withPostgres = bringsPostgres(context);
  const workloads = inStartOrder(deployment.workloads);
  const volumes = {
    ...(workloads.some(({ name }) => name === "core")
      ? { coredata: { name: dockerName(deployment.config, "coredata") } }
      : {}),
    ...(withPostgres ? { pgdata: { name: dockerName(deployment.config, "pgdata") } } : {}),
  };
  return {
    name: dockerName(deployment.config),
    services: {
      ...(withPostgres ? { [POSTGRES_WORKLOAD]: postgresContainer(context) } : {}),
      ...Object.fromEntries(workloads.map((workload) => [workload.name, workloadContainer(context, workload)])),
    },
    ...(Object.keys(volumes).length === 0 ? {} : { volumes }),
  };
}

/** The tree as it is written: compose interpolates values, quoted or not, so that every literal `$` is doubled. Keys are left alone. */
function escapeDollars(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("$", () => "$$");
  if (value instanceof Reference) return value.text;
  if (Array.isArray(value)) return value.map(escapeDollars);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, escapeDollars(member)]));
}

function notesOf(context: RenderContext): readonly RenderNote[] {
  const { deployment } = context;
  const unpinned = deployment.workloads.filter((workload) => workload.image !== null && imageDigest(workload) === null);
  const messages = unpinned.map(
    ({ name }) => `the image of \`${name}\` has no digest, so what runs may differ from what was reviewed`,
  );
  if (!bringsPostgres(context) && !routesDatabase(deployment))
    messages.push(`no Postgres: .env gives ${databaseUrlName(deployment)}, or gave it when manifest.json was written`);
  return messages.map((message) => ({ artifact: COMPOSE, message }));
}
