import type { Backend } from "../catalog/backends/backend.ts";
import { declarableBackends, inStockCore } from "../catalog/backends/index.ts";
import { describeSetting } from "../catalog/settings/index.ts";
import { DEFAULT_BASE_PORT, DOCKER_PORT_OFFSET } from "../catalog/targets/docker.ts";
import { MODEL_PROVIDER_NAMES, type ServiceName } from "../config/written-config.ts";
import type { Answers } from "./answers.ts";
import type { ResourceNames } from "./resource-names.ts";

/** Text of a new `qm.config.jsonc`, commented for somebody who has never seen one. */
export function configText(answers: Answers, names: ResourceNames): string {
  const services = servicesFor(answers);
  const sections = [
    general(answers, services, names),
    answers.target === "fly" ? fly(names) : "",
    imageOverrides(answers, services),
    environment(answers, services, names),
    sandbox(answers, names),
    answers.target === "aws" ? aws(answers, services, names) : "",
  ];
  return `// ${answers.org} on ${answers.target}, for qm ${answers.release.version}. Comments and trailing commas are allowed. After a change: qm-deploy check, then qm-deploy render.
// Keys and passwords never stand here: they go into .env, which git ignores.
{
${sections.filter((section) => section !== "").join("\n")}}
`;
}

function general(answers: Answers, services: readonly ServiceName[], names: ResourceNames): string {
  const { org, target, backend, modelProvider } = answers;
  const reach =
    target === "docker" && backend.remote
      ? "\n  // Agents work outside of this host and call core from there, so localhost will not do."
      : "";
  return `  // Version of this file's format; always 1.
  "contract": 1,
  // Short name of your organisation; containers, apps and volumes are named after it.
  "orgId": "${org}",
  // The address at which people open qm: scheme and host, no path.${reach}
  "publicUrl": ${JSON.stringify(answers.publicUrl ?? defaultPublicUrl(answers, names))},
  // Where qm's own services run: docker, fly or aws.
  "target": "${target}",
  // Whose models agents use: ${MODEL_PROVIDER_NAMES.join(", ")}. Its API key goes into .env.
  "modelProvider": "${modelProvider}",
  // The parts of qm that run: core always, and what else you need of
  //   web-ui  the chat in the browser
  //   admin   settings and grants, in the browser
  //   portal  the front door: sign-in before everything else
  //   auth    sign-in by e-mail, for the portal
  //   slack   the chat in Slack; takes the tokens of a Slack app
  "services": [${services.map((service) => `"${service}"`).join(", ")}],
`;
}

function fly(names: ResourceNames): string {
  return `  // Apps are called <appPrefix>-core, <appPrefix>-portal, …; names are unique in all of Fly.
  "appPrefix": "${names.flyPrefix}",
  // Where machines run; \`fly platform regions\` lists them.
  "region": "sjc",
  // The Fly organisation that owns the apps; \`fly orgs list\` shows its slug.
  "flyOrg": "personal",
`;
}

/** What names images: nothing published, or a backend that no published core implements. */
function imageOverrides({ release, backend }: Answers, services: readonly ServiceName[]): string {
  const image = (host: string): string => `"${host}": "ghcr.io/<you>/qm-${host}@sha256:<64 hex digits>"`;
  const isStock = inStockCore(backend, release);
  if (release.images === null)
    return `  // qm ${release.version} published no images: build and push your own, and pin each by digest before you render.
${isStock ? "" : `  // The one of core must implement ${backend.title}.\n`}  // "imageOverrides": {
${hostsOf(services, release)
  .map((host) => `  //   ${image(host)},\n`)
  .join("")}  // },
`;
  return isStock
    ? ""
    : `  // No core image that qm ${release.version} published implements ${backend.title}: build one that does, push it, and pin it by digest.
  // "imageOverrides": { ${image("core")} },
`;
}

function environment(answers: Answers, services: readonly ServiceName[], names: ResourceNames): string {
  const { target, backend, release, emailTransport, org } = answers;
  const stores = `      // Files of agents are kept in a bucket; Fly's own storage speaks S3.
      "SNAPSHOT_STORE": "s3",
      "TRANSFER_STORE": "s3",
      // Bucket names are unique in the whole world.
      "S3_BUCKET": "${names.bucket}",
      "S3_REGION": "auto",
`;
  const needsApps = release.awsDeployImage === "always" || backend.name === "aws" || release.defaultBackend.aws;
  const apps = `      // Image of the MicroVMs that deployed apps (and Lambda sandboxes) boot; \`qm infra build-image\` builds it.
      "AWS_DEPLOY_IMAGE": "${names.appsImage}",
`;
  const slack = `    // People are known by the e-mail address of their Slack account.
    "slack": { "SLACK_IDENTITY_EMAIL": "1" },
`;
  const auth = `    "auth": {
      // How sign-in e-mails are sent: resend or smtp.
      "AUTH_EMAIL_TRANSPORT": "${emailTransport}",
      // Let everybody of a domain in; without it AUTH_ALLOWED_EMAILS in .env lists who may.
      // "AUTH_ALLOWED_EMAIL_DOMAIN": "${org}.com",
    },
`;
  const secretEnv = `  // Secrets of .env that reach a service only because they are named here: { variable: name in .env }.
  // ADMIN_GRANTS makes administrators: a comma list such as ada@acme.dev:org_admin.
  "secretEnv": { "core": { "ADMIN_GRANTS": "ADMIN_GRANTS" } },
`;
  return `  // Environment of the services. Every value is text, also numbers.
  "env": {
    "core": {
      // What runs the agents: pi works with every model provider; mock answers without a model.
      "HARNESS": "pi",
${target === "fly" ? stores : ""}${target === "aws" && needsApps ? apps : ""}${backendSettings(backend, names)}    },
${services.includes("slack") ? slack : ""}${services.includes("auth") && emailTransport !== null ? auth : ""}  },
${services.includes("admin") ? secretEnv : ""}`;
}

/** The settings of a backend: its own values, those that the operator must give, and offers to be uncommented. */
function backendSettings({ title, settings, machineNames }: Backend, names: ResourceNames): string {
  return settings
    .filter(({ example }) => example !== undefined)
    .map((setting) => {
      const { name, required, example } = setting;
      const value = setting === machineNames?.prefix ? names.machines : required ? "replace-me" : null;
      const line = `"${name}": ${JSON.stringify(value ?? example)},`;
      return `      // ${title}: ${describeSetting(setting)}.\n      ${value === null ? `// ${line}` : line}\n`;
    })
    .join("");
}

/** `sandbox`: where agents work, with every choice of the target in the comment. */
function sandbox({ target, release, backend }: Answers, names: ResourceNames): string {
  const choices = declarableBackends(target, release);
  const width = Math.max(...choices.map((one) => one.name.length));
  const fields = backend.fields(release).includes("app")
    ? `{
    "backend": "${backend.name}",
    // The Fly app that the agents' sandboxes belong to.
    "app": "${names.flyPrefix}-sandboxes",
    // \`qm-deploy sandbox publish\` builds the layer image of sandbox/, and records it here as \`image\` and \`baseImage\`.
  }`
    : `{ "backend": "${backend.name}" }`;
  return `  // Where agents work. On ${target} under qm ${release.version} there are:
${choices.map(({ name, summary }) => `  //   ${name.padEnd(width)}  ${summary}\n`).join("")}  "sandbox": ${fields},
`;
}

/** No account has this number, so that nothing is deployed before it is changed; `check` says so. */
const NO_ACCOUNT = "000000000000";

/** `aws`: the names of what qm's Terraform module makes in the account. */
function aws({ awsAccount, release, org }: Answers, services: readonly ServiceName[], names: ResourceNames): string {
  const account = awsAccount ?? NO_ACCOUNT;
  const { cluster } = names;
  const service = (host: string): string => {
    const size = host === "core" ? `"cpu": 2048, "memory": 4096` : `"cpu": 512, "memory": 1024`;
    return `      "${host}": { "ecrRepository": "${cluster}/${host}", "ecsService": "${cluster}-${host}", ${size}, "architecture": "arm64" },\n`;
  };
  return `  // Names of what qm's Terraform module makes for ${org}. The tfvars that render writes give them to it.
  "aws": {
    // The 12 digits that \`aws sts get-caller-identity --query Account\` prints.
    "accountId": "${account}",
    "region": "us-west-2",
    "cluster": "${cluster}",
    // The role that CI deploys with; the module makes it.
    "deployRoleArn": "arn:aws:iam::${account}:role/${cluster}-github-deploy",
    // Names of the secrets in Secrets Manager begin with it.
    "secretsPrefix": "${cluster}/",
    "imageLabel": "stable",
    // Where services find each other inside the network.
    "networking": { "cloudMapNamespace": "${cluster}.internal" },
    // cpu is in units of 1/1024 vCPU, memory in MiB; Fargate offers certain pairs, which check knows.
    "services": {
${hostsOf(services, release).map(service).join("")}    },
  },
`;
}

function hostsOf(services: readonly ServiceName[], { host }: Answers["release"]): readonly string[] {
  return [...new Set(services.map((service) => host[service]))];
}

/** Everything behind a sign-in where there is one; on docker without e-mails only what trying out needs. */
function servicesFor({ target, emailTransport }: Answers): readonly ServiceName[] {
  if (target !== "docker") return ["core", "slack", "web-ui", "admin", "portal", "auth"];
  return emailTransport === null ? ["core", "web-ui"] : ["core", "web-ui", "admin", "portal", "auth"];
}

/** For whoever has not said yet; `check` warns about it until it is changed. */
const EXAMPLE = "https://qm.example.com";

/** The public address where none was given: Fly's own name, this host for trying out, else a reserved example domain. */
export function defaultPublicUrl(answers: Answers, names: Pick<ResourceNames, "flyPrefix">): string {
  if (answers.target === "fly") return `https://${names.flyPrefix}-portal.fly.dev`;
  if (answers.target === "aws" || answers.backend.remote) return EXAMPLE;
  const door = servicesFor(answers).includes("portal") ? "portal" : "web-ui";
  return `http://localhost:${DEFAULT_BASE_PORT + (DOCKER_PORT_OFFSET[door] ?? 0)}`;
}
