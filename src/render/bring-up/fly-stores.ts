import { shellWord } from "../../base/shell-word.ts";
import type { RenderContext } from "../artifact.ts";
import { databaseUrlName } from "../database.ts";
import { coreSetting } from "../workloads.ts";
import { flyApp, flyOrg } from "./fly-names.ts";
import type { Step } from "./step.ts";

/** What `fly storage create` sets first of all. */
const ACCESS_KEY = "AWS_ACCESS_KEY_ID";

/** Reads what `fly mpg status --json` prints; core wants the direct host, as poolers break what it listens for. */
const DIRECT_URL = `const { pgbouncer_uri: uri } = JSON.parse(require("fs").readFileSync(0, "utf8")).credentials; console.log(process.argv[1] + "=" + uri.replace("@pgbouncer.", "@direct."))`;

/** A database that Fly makes; nothing where the deployer brings its address. */
export function databaseStep(context: RenderContext): Step | [] {
  if (!isLeftToFly(context, databaseUrlName(context.deployment))) return [];
  const region = shellWord(context.deployment.config.region ?? "");
  const url = databaseUrlName(context.deployment);
  const name = flyApp(context, "pg");
  const id = `CLUSTER="$(fly mpg list --org ${flyOrg(context)} | awk -v name=${name} '$2 == name { print $1 }')"`;
  return {
    title: "Give core a database",
    text: `Leave this out where \`.env\` holds ${url}, which then comes with the other secrets. The address goes from Fly to Fly, and is not shown.`,
    commands: [
      `fly mpg create --org ${flyOrg(context)} --region ${region} --name ${name} --plan basic`,
      id,
      `fly mpg status "$CLUSTER" --json | node -e '${DIRECT_URL}' ${url} | fly secrets import --stage --app ${flyApp(context, "core")}`,
    ],
    changes: `a Managed Postgres cluster, which Fly bills and backs up; the staged secret ${url} of core.`,
    check: { commands: [`fly secrets list --app ${flyApp(context, "core")}`], text: `names ${url}` },
    undo: { commands: [id, 'fly mpg destroy "$CLUSTER" --yes'], text: "the data is gone then" },
  };
}

/** A bucket for snapshots and transfers; machines have no volumes, so nothing else outlives them. */
export function bucketStep(context: RenderContext): Step | [] {
  const written = coreSetting(context.deployment, "core.s3Bucket")?.value.trim();
  if (!written || !isLeftToFly(context, ACCESS_KEY)) return [];
  const bucket = shellWord(written);
  const core = flyApp(context, "core");
  return {
    title: "Give core its bucket",
    text: "Snapshots and files of core live there, and everything else in the database: the apps have no volumes.",
    commands: [`fly storage create --name ${bucket} --app ${core} --org ${flyOrg(context)} --yes`],
    changes: `a private Tigris bucket; the secrets ${ACCESS_KEY}, AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL_S3 of core.`,
    check: { commands: [`fly secrets list --app ${core}`], text: "names them" },
    undo: { commands: [`fly storage destroy ${bucket} --yes`], text: "the files are gone then" },
  };
}

/** True where core gets a value from what Fly attaches, and `secretEnv` names no secret of the deployer's for it. */
function isLeftToFly({ deployment }: RenderContext, name: string): boolean {
  return deployment.secrets.some(
    (secret) =>
      secret.managedBy === "fly" &&
      secret.destinations.some(({ workload, env }) => workload === "core" && env === name),
  );
}
