import type { ConfigPath } from "../../base/config-path.ts";

/** What editors show about a field: Markdown, and examples that they offer. */
export interface FieldDoc {
  readonly text: string;
  readonly examples?: readonly unknown[];
}

const SERVICE = "`core`, `web-ui`, `admin`, `portal`, `auth` or `slack`";

/** By path of the schema: `*` stands for any key of a map, `[]` for an item of a list. Every place of the schema has its text. */
export const FIELD_DOCS: { readonly [path: string]: FieldDoc } = {
  "": { text: "A deployment of QM, contract 1. Checked by `qm-deploy check`." },
  $schema: {
    text: "Address of this schema, for editors.",
    examples: ["./node_modules/qm-deploy/schema/qm.config.schema.json"],
  },
  contract: { text: "The contract that this file is written for.", examples: [1] },
  orgId: {
    text: "Short name of the organisation: a lowercase DNS label. Names of containers, apps and stores are made from it.",
    examples: ["acme"],
  },
  publicUrl: {
    text: "The address that users open: an http or https origin without path.",
    examples: ["https://qm.acme.com", "http://localhost:8082"],
  },
  apiUrl: {
    text: "The address of the API where it is not that of `publicUrl`; the same form.",
    examples: ["https://api.qm.acme.com"],
  },
  target: { text: "Where the deployment runs: `docker` (one host), `fly` or `aws`." },
  model: { text: "Model that agents use, in the provider's own spelling; core gets it as PI_MODEL." },
  modelProvider: { text: "Who serves the model. Decides which API key is required." },
  basePort: {
    text: "First host port on docker: core; the portal is one above it, the web interface two. Default 8080.",
    examples: [8080],
  },
  services: {
    text: "First-party services to run. `core` is always needed; `auth` needs `portal`.",
    examples: [["core", "web-ui"]],
  },
  "services[]": { text: `A service: ${SERVICE}.` },
  plugins: { text: "Programs of your own that run beside qm, from an image or from `plugins/<name>/Dockerfile`." },
  "plugins[]": { text: "One plugin." },
  "plugins[].name": {
    text: "Lowercase DNS label, no name of a service, nor `pg` or `sandbox`.",
    examples: ["reports"],
  },
  "plugins[].image": {
    text: "Image to run; leave it out when `plugins/<name>/Dockerfile` exists.",
    examples: ["ghcr.io/acme/reports:1.4.0"],
  },
  "plugins[].env": { text: "Environment of the plugin. No secrets, and not PORT." },
  "plugins[].env.*": { text: "Value of an environment variable." },
  "plugins[].secrets": { text: "Secrets that the plugin gets from the store." },
  "plugins[].secrets[]": { text: "One secret." },
  "plugins[].secrets[].name": {
    text: "Name in `.env` and in the plugin's environment.",
    examples: ["REPORTS_API_KEY"],
  },
  "plugins[].secrets[].description": { text: "What it is for, shown by `qm-deploy secrets`." },
  "plugins[].secrets[].required": { text: "Whether the plugin cannot run without it." },
  "plugins[].coreAccess": { text: "Whether the plugin may call core (CORE_API_URL and CORE_SIGNING_SECRET)." },
  skills: { text: "Directories with skills for agents, relative to this file.", examples: [["./skills"]] },
  "skills[]": { text: "Path of a directory." },
  env: {
    text: `Environment per service (${SERVICE}). Secrets belong in \`.env\`.`,
    examples: [{ core: { HARNESS: "pi" } }],
  },
  "env.core": {
    text: "Environment of core: models, limits, stores, and the settings of the sandbox backend.",
  },
  "env.web-ui": { text: "Environment of the web interface." },
  "env.admin": { text: "Environment of the admin pages." },
  "env.portal": { text: "Environment of the portal: sign-in settings (OIDC_*)." },
  "env.auth": { text: "Environment of the sign-in broker: AUTH_EMAIL_TRANSPORT, AUTH_ALLOWED_EMAIL_DOMAIN." },
  "env.slack": { text: "Environment of the Slack integration; it runs inside core." },
  "env.*.*": { text: "Value of an environment variable, always text." },
  secretEnv: {
    text: "Further secrets per service: environment name to name in the store.",
    examples: [{ core: { ADMIN_GRANTS: "ADMIN_GRANTS" } }],
  },
  "secretEnv.*": { text: "Secrets of this service: environment name to name in the store." },
  "secretEnv.*.*": { text: "Name in the secrets store and in `.env`." },
  securityScreen: {
    text: "Screening of what agents do: `off`, by the `model`, or by a `proxy`.",
    examples: [{ backend: "off" }],
  },
  "securityScreen.backend": { text: "Who screens." },
  "securityScreen.provider": { text: "Name of the proxy's provider, a lowercase DNS label." },
  "securityScreen.endpoint": { text: "https address of the proxy." },
  "securityScreen.rollout": { text: "`shadow` only records, `enforce` blocks." },
  vms: { text: "Machine sizes on Fly, per service." },
  "vms.*": { text: "Machine of this service." },
  "vms.*.size": { text: "Size as Fly names it.", examples: ["shared-cpu-1x", "performance-2x"] },
  "vms.*.memory": { text: "Memory, in MB or with a unit.", examples: ["512mb", "2gb"] },
  imageOverrides: {
    text: "Images to run in place of the release's own. qm 0.1.6 has none of its own; boxd needs a core image that implements it.",
  },
  "imageOverrides.core": {
    text: "Image of core, best with a digest; for boxd one that implements it.",
    examples: ["ghcr.io/acme/qm-core:boxd"],
  },
  "imageOverrides.*": { text: "Image reference, best with a digest.", examples: ["ghcr.io/acme/qm:1.4.0"] },
  sandbox: { text: "What runs the sandboxes of agents.", examples: [{ backend: "boxd" }] },
  "sandbox.backend": {
    text: "The sandbox backend. `boxd` takes no other field here: its key is BOXD_API_KEY in `.env`, its settings are BOXD_* in `env.core`.",
    examples: ["boxd"],
  },
  "sandbox.app": { text: "Fly app that holds the sandboxes (sprites)." },
  "sandbox.image": { text: "Layer image of the sandboxes (sprites, with digest; local)." },
  "sandbox.baseImage": { text: "Image that the layer is built on, with digest (sprites)." },
  "sandbox.env": { text: "Environment inside the sandboxes (sprites)." },
  "sandbox.env.*": { text: "Value of an environment variable." },
  "sandbox.secretEnv": { text: "Names of secrets that sandboxes get (sprites)." },
  "sandbox.secretEnv[]": { text: "Name in `.env` and inside the sandbox." },
  botName: { text: "How the bot is called, at most 31 characters.", examples: ["QM"] },
  orgName: { text: "The organisation's name for people, at most 40 characters.", examples: ["Acme"] },
  appPrefix: { text: "Begins the names of the Fly apps. Default: `orgId`." },
  region: { text: "Region on Fly.", examples: ["sjc"] },
  flyOrg: { text: "Organisation on Fly that owns the apps.", examples: ["personal"] },
  imageFrom: { text: "Prefix of the Fly apps whose images are deployed." },
  deployAppPrefix: { text: "Begins the names of apps that agents deploy. Default: `<appPrefix>-d`." },
  aws: { text: "Coordinates on AWS; needed when `target` is `aws`." },
  "aws.accountId": { text: "The 12 digits of the account.", examples: ["123456789012"] },
  "aws.region": { text: "Commercial region.", examples: ["us-west-2"] },
  "aws.cluster": { text: "ECS cluster.", examples: ["acme-qm"] },
  "aws.deployRoleArn": { text: "Role that deploys.", examples: ["arn:aws:iam::123456789012:role/qm-deploy"] },
  "aws.secretsPrefix": { text: "Begins the names in Secrets Manager.", examples: ["acme-qm/"] },
  "aws.imageLabel": { text: "Tag of the images to run." },
  "aws.networking": { text: "Names inside the network." },
  "aws.networking.cloudMapNamespace": { text: "Namespace of service discovery.", examples: ["qm.internal"] },
  "aws.deploymentState": { text: "Where the record of deployments is kept (0.1.12)." },
  "aws.deploymentState.table": { text: "DynamoDB table." },
  "aws.deploymentState.namespace": { text: "Namespace inside the table." },
  "aws.alb": { text: "Load balancer." },
  "aws.sharedAlb": { text: "Whether other systems use the load balancer too (0.1.12); needs `alb`." },
  "aws.backgroundWorkControl": { text: "Whether deployments hand background work over (0.1.12)." },
  "aws.rdsInstance": { text: "Database instance." },
  "aws.predeployDbSnapshot": { text: "Whether the database is saved before each deployment." },
  "aws.dbRetentionMinDays": { text: "Least number of days that backups must be kept, 0 to 35." },
  "aws.objectStoreBucket": { text: "S3 bucket of the object store." },
  "aws.deployBranch": { text: "Branch that may deploy.", examples: ["main"] },
  "aws.deployEnvironment": { text: "GitHub environment that may deploy." },
  "aws.services": { text: "Coordinates per service and plugin that runs." },
  "aws.services.*": { text: "One ECS service." },
  "aws.services.*.ecrRepository": { text: "Repository of its image." },
  "aws.services.*.ecsService": { text: "Its name in ECS." },
  "aws.services.*.cpu": { text: "Fargate CPU units; only some go with some memory.", examples: [512, 1024, 2048] },
  "aws.services.*.memory": { text: "Memory in MiB.", examples: [1024, 2048, 4096] },
  "aws.services.*.taskRoleArn": { text: "Role of the program." },
  "aws.services.*.executionRoleArn": { text: "Role that starts the task." },
  "aws.services.*.assumeRoleArns": { text: "Roles that the program may take (0.1.12)." },
  "aws.services.*.assumeRoleArns[]": { text: "ARN of a role." },
  "aws.services.*.publicPaths": {
    text: "Paths of a plugin that the load balancer lets in without sign-in (0.1.12).",
    examples: [["/hooks/*"]],
  },
  "aws.services.*.publicPaths[]": { text: "A path that ends in `/*`." },
  "aws.services.*.architecture": { text: "Of the image. Default `arm64`." },
  "aws.services.*.desiredCount": { text: "Number of tasks." },
  "aws.services.*.targetGroup": { text: "Target group of the load balancer." },
  "aws.services.*.logGroup": { text: "Log group. Default `/ecs/<ecsService>`." },
  "aws.services.*.stopTimeout": { text: "Seconds to stop in, 2 to 120." },
  "aws.services.*.buildArgs": { text: "Arguments of the image's build." },
  "aws.services.*.buildArgs.*": { text: "Value of an argument." },
  "aws.services.*.dockerfile": { text: "Dockerfile to build from, relative to this file." },
};

/** The place of {@link FIELD_DOCS} that a path of the schema has its text from: of those that match, the one with the fewest `*`. */
export function docPlace(path: string): string | undefined {
  const steps = path.split(".");
  const matches = Object.keys(FIELD_DOCS).filter((place) => {
    const pattern = place.split(".");
    return (
      pattern.length === steps.length && pattern.every((step, at) => step === steps[at] || (step === "*" && at > 0))
    );
  });
  const wildness = (place: string): number => place.split("*").length;
  return matches.sort((a, b) => wildness(a) - wildness(b))[0];
}

/** What is known of a place of the config; null where the schema has none. */
export function fieldDoc(path: ConfigPath): FieldDoc | null {
  let written = "";
  for (const step of path) {
    if (typeof step === "number") written += "[]";
    else written += `${written === "" ? "" : "."}${step.replaceAll(".", "_")}`;
  }
  const place = docPlace(written);
  return place === undefined ? null : (FIELD_DOCS[place] as FieldDoc);
}
