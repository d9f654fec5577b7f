import { closestName } from "../../base/closest-name.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { AWS_LIMITS, AWS_REGIONS, DEPLOY_IMAGE_NAME, accountOfRole } from "../../catalog/targets/aws.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import type { ConfigDocument } from "../../config/document.ts";
import { findPlaceholder } from "../../config/placeholder.ts";
import type { WrittenAws, WrittenAwsService } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { envValue, settingValue } from "../../deployment/env-values.ts";
import {
  type Finding,
  type Report,
  type Rule,
  assumedRelease,
  field,
  isUnsoundEnv,
  replacement,
  beside,
} from "../rule.ts";

/** `aws` of a deployment on aws; null on other targets, which do not read it, and where there is none. */
export function awsBlock({ target, config }: Deployment): WrittenAws | null {
  return target === "aws" ? (config.aws ?? null) : null;
}

/** The coordinates of each workload as they are written, also of workloads that do not exist. */
export function coordinates(deployment: Deployment): [workload: string, service: WrittenAwsService][] {
  return Object.entries(awsBlock(deployment)?.services ?? {});
}

/** What qm demands of `aws`, each with what to put there; what a block of its own has is demanded only where the block is. */
const PARTS: readonly (readonly [path: readonly string[], what: string])[] = [
  [["aws", "accountId"], "the 12 digits of the account"],
  [["aws", "region"], "the region, such as `us-west-2`"],
  [["aws", "cluster"], "the name of the ECS cluster"],
  [["aws", "deployRoleArn"], "the ARN of the role that deploys"],
  [["aws", "secretsPrefix"], "what the names in Secrets Manager begin with, such as `acme-qm/`"],
  [["aws", "imageLabel"], "the tag of the images in ECR, such as `stable`"],
  [
    ["aws", "networking", "cloudMapNamespace"],
    "the Cloud Map namespace that services find each other in, such as `acme-qm.internal`",
  ],
  [["aws", "services"], "the coordinates of each service"],
  [["aws", "deploymentState", "table"], "the DynamoDB table that keeps the state of deployments"],
  [["aws", "deploymentState", "namespace"], "the namespace of this deployment in the table"],
];

/** What plain http is on aws, as words that complete "`publicUrl` …", and what to do. */
export const NO_PLAIN_HTTP = {
  problem: "must be https on aws",
  help: "use an https address with a certificate of ACM",
};

/** What names the account and its parts, its addresses and its MicroVM image. */
export const AWS_ACCOUNT_RULES: readonly Rule[] = [
  {
    id: "aws/missing-field",
    title: "Missing part of `aws`",
    clause: "config.v1",
    why: "Nothing about an account, its cluster or its names can be guessed.",
    bad: '{ "target": "aws", "aws": { "alb": "acme-qm" } }',
    good: '{ "target": "aws", "aws": { "region": "us-west-2" } }',
    check(deployment, report) {
      const { target, document, broken } = deployment;
      if (target !== "aws" || broken) return;
      if (document.node(["aws"]) === undefined) {
        report({
          message: "`aws` is missing, which a deployment on aws needs",
          help: "add account, region, cluster and the coordinates of each service: `qm-deploy init --target aws` writes an example",
          command: "qm-deploy init --target aws",
          place: { path: ["aws"] },
        });
        return;
      }
      if (awsBlock(deployment) === null) return;
      for (const [path, what] of missingParts(document)) {
        const isBlank = document.node(path) !== undefined;
        report({
          message: `${field(path)} is ${isBlank ? "blank" : "missing"}`,
          help: `add ${what}`,
          place: isBlank ? { path, at: "value" } : { path },
        });
      }
    },
  },
  {
    id: "aws/shared-alb",
    title: "Shared load balancer without a name",
    clause: "config.v1",
    why: "A load balancer that several deployments share exists already: qm must know which one it is.",
    bad: '{ "target": "aws", "aws": { "sharedAlb": true } }',
    good: '{ "target": "aws", "aws": { "sharedAlb": true, "alb": "acme-shared" } }',
    check(deployment, report) {
      const aws = awsBlock(deployment);
      if (aws?.sharedAlb !== true || deployment.broken || deployment.document.node(["aws", "alb"]) !== undefined)
        return;
      report({
        message: "`aws.sharedAlb` is true, and `aws.alb` does not name the load balancer",
        help: "add its name in `aws.alb`",
        place: { path: ["aws", "sharedAlb"] },
      });
    },
  },
  {
    id: "aws/region",
    title: "Unknown AWS region",
    severity: "warning",
    why: "Nothing answers in a region that does not exist. New ones open, so this is no error.",
    bad: '{ "target": "aws", "aws": { "region": "us-wst-2" } }',
    good: '{ "target": "aws", "aws": { "region": "us-west-2" } }',
    check(deployment, report) {
      const region = awsBlock(deployment)?.region;
      if (region === undefined || AWS_REGIONS.includes(region)) return;
      const meant = closestName(region, AWS_REGIONS);
      const path = ["aws", "region"];
      report({
        message: `\`${region}\` is no region of AWS that is known here`,
        help: meant === null ? "`aws account list-regions` lists them" : `did you mean \`${meant}\`?`,
        command: meant === null ? "aws account list-regions" : undefined,
        place: { path, at: "value" },
        fix: replacement(path, meant),
      });
    },
  },
  {
    id: "aws/foreign-role",
    title: "Role of another account",
    clause: "config.v1",
    why: "Tasks and deployments can only run with roles of the account that they run in.",
    bad: '{ "target": "aws", "aws": { "deployRoleArn": "arn:aws:iam::123456789012:role/acme-qm-deploy" } }',
    good: '{ "target": "aws", "aws": { "deployRoleArn": "arn:aws:iam::210987654321:role/acme-qm-deploy" } }',
    check(deployment, report) {
      const aws = awsBlock(deployment);
      if (aws?.accountId === undefined) return;
      const roles: [ConfigPath, string | undefined][] = [[["aws", "deployRoleArn"], aws.deployRoleArn]];
      for (const [workload, service] of coordinates(deployment)) {
        for (const name of ["taskRoleArn", "executionRoleArn"] as const)
          roles.push([["aws", "services", workload, name], service[name]]);
      }
      for (const [path, arn] of roles) {
        if (arn === undefined) continue;
        const account = accountOfRole(arn);
        const place = { path, at: "value" } as const;
        // A name that is longer than IAM allows passes the shape, which knows no lengths.
        if (account === null)
          report({
            message: `${field(path)} has a role name or path that IAM does not allow`,
            help: "use the ARN that `aws iam get-role` shows",
            place,
          });
        // One that is still to be filled in is reported as that: an edit fills in one at a time.
        else if (account !== aws.accountId && ![arn, aws.accountId].some((text) => findPlaceholder(text) !== null))
          report({
            message: `${field(path)} is a role of another account than \`aws.accountId\``,
            help: "use a role of the deployment's own account",
            place,
          });
      }
    },
  },
  {
    id: "aws/name-length",
    title: "Name that is too long for AWS",
    clause: "config.v1",
    why: "Names of services, roles and secrets are put together from parts; AWS refuses the whole when it is too long.",
    bad: `{ "target": "aws", "aws": { "services": { "core": { "ecsService": "${"a".repeat(256)}" } } } }`,
    good: '{ "target": "aws", "aws": { "services": { "core": { "ecsService": "acme-core" } } } }',
    check(deployment, report) {
      const aws = awsBlock(deployment);
      if (aws === null) return;
      for (const [workload, { ecsService, assumeRoleArns, taskRoleArn }] of coordinates(deployment)) {
        const path = ["aws", "services", workload];
        const most =
          workload === "core" && aws.backgroundWorkControl === true
            ? AWS_LIMITS.backgroundEcsService
            : AWS_LIMITS.ecsName;
        if (ecsService !== undefined && ecsService.length > most)
          report(tooLong([...path, "ecsService"], ecsService.length, most));
        const role = `${aws.cluster ?? ""}-${workload}-task`.length;
        if (assumeRoleArns === undefined || taskRoleArn !== undefined || role <= AWS_LIMITS.roleName) continue;
        report({
          message: `the task role of \`${workload}\` would have a name of ${role} characters, and ${AWS_LIMITS.roleName} are the most`,
          help: `name a role of its own in ${field([...path, "taskRoleArn"])}`,
          place: { path: [...path, "assumeRoleArns"] },
        });
      }
      reportSecretName(deployment, aws, report);
    },
  },
  {
    id: "aws/https",
    title: "Plain http on aws",
    clause: "config.v1",
    why: "A portal hands out sign-ins, and agents carry their rights with each call of core. Over plain http both can be read on the way; qm refuses it on aws.",
    bad: '{ "target": "aws", "publicUrl": "http://qm.acme.dev" }',
    good: '{ "target": "aws", "publicUrl": "https://qm.acme.dev" }',
    check({ target, publicOrigin, services, model }, report) {
      if (target !== "aws" || publicOrigin === null || publicOrigin.startsWith("https:")) return;
      const hasPortal = services.includes("portal");
      if (!hasPortal && model.harness === "mock") return;
      report({
        message: `\`publicUrl\` ${NO_PLAIN_HTTP.problem} ${hasPortal ? "with `portal`" : `with the harness \`${model.harness?.slice(0, 40)}\``}`,
        help: NO_PLAIN_HTTP.help,
        place: { path: ["publicUrl"], at: "value" },
      });
    },
  },
  {
    id: "aws/protocols",
    title: "`apiUrl` with another protocol than `publicUrl`",
    clause: "config.v1",
    why: "Both are addresses of the same load balancer; qm refuses one with TLS and the other without.",
    bad: '{ "target": "aws", "apiUrl": "http://api.acme.dev" }',
    good: '{ "target": "aws", "apiUrl": "https://api.acme.dev" }',
    check({ target, config, publicOrigin }, report) {
      const { apiUrl } = config;
      if (target !== "aws" || apiUrl === undefined || publicOrigin === null) return;
      if (apiUrl.startsWith("https:") === publicOrigin.startsWith("https:")) return;
      report({
        message: "`apiUrl` has another protocol than `publicUrl`",
        help: "use https for both",
        place: { path: ["apiUrl"], at: "value" },
        related: [beside(["publicUrl"], "the other address")],
      });
    },
  },
  {
    id: "aws/deploy-image",
    title: "MicroVM image missing or misnamed",
    clause: "config.v1",
    why: "Apps that agents deploy, and sandboxes of the backend `aws`, run in MicroVMs from one image. It is named, not referenced as a container image is.",
    bad: '{ "target": "aws", "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    good: '{ "target": "aws", "env": { "core": { "HARNESS": "pi", "AWS_DEPLOY_IMAGE": "acme-apps" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    check(deployment, report) {
      if (awsBlock(deployment) === null) return;
      const name = nameOf(deployment.release.release, "core.awsDeployImage");
      const path = ["env", "core", name];
      const written = envValue(deployment.config, "core", name);
      if (written !== null) {
        if (DEPLOY_IMAGE_NAME.test(written.value) || findPlaceholder(written.value) !== null) return;
        report({
          message: `${field(path)} must be the name of a MicroVM image: letters, digits and \`_-\`, at most 64`,
          help: "use the name, and not a container image or an ARN",
          place: { path, at: "value" },
        });
        return;
      }
      const reason = whyNeeded(deployment);
      if (reason === null || isUnsoundEnv(deployment, "core", name) || deployment.broken) return;
      report({
        message: `${field(path)} is missing, which ${reason}`,
        help: `name the image of the MicroVMs; \`qm infra build-image\` builds it${assumedRelease(deployment)}`,
        command: "qm infra build-image",
        place: { path },
      });
    },
  },
];

/** What is missing of `aws`, and blank where it may not be. */
export function missingParts(document: ConfigDocument): typeof PARTS {
  return PARTS.filter(([path]) => {
    const node = document.node(path);
    const isBlank = node?.kind === "string" && node.value === "" && path[1] === "secretsPrefix";
    if (node !== undefined && !isBlank) return false;
    const around = document.node(path.slice(0, -1));
    return around === undefined ? path[1] !== "deploymentState" : around.kind === "object";
  });
}

function tooLong(path: readonly string[], length: number, most: number): Finding {
  const why = most === AWS_LIMITS.backgroundEcsService ? " under `aws.backgroundWorkControl`, which appends to it" : "";
  return {
    message: `${field(path)} has ${length} characters, and ${most} are the most${why}`,
    help: "shorten it",
    place: { path, at: "value" },
  };
}

function reportSecretName({ secrets }: Deployment, { secretsPrefix }: WrittenAws, report: Report): void {
  const longest = secrets.reduce((name, secret) => (secret.name.length > name.length ? secret.name : name), "");
  if (secretsPrefix === undefined || secretsPrefix.length + longest.length <= AWS_LIMITS.secretName) return;
  const shown = longest.length > 80 ? `${longest.slice(0, 80)}…` : longest;
  report({
    message: `\`aws.secretsPrefix\` and the secret \`${shown}\` together have more than ${AWS_LIMITS.secretName} characters`,
    help: "shorten the prefix or the name of the secret",
    place: { path: ["aws", "secretsPrefix"], at: "value" },
  });
}

function whyNeeded({ release, config, sandbox }: Deployment): string | null {
  if (release.release.awsDeployImage === "always")
    return `qm ${release.resolved} needs on aws under every sandbox backend`;
  if ((settingValue(config, release.release, "core.deployProvider")?.value ?? "aws") === "aws")
    return "the apps that agents deploy need (`DEPLOY_PROVIDER` is `aws`)";
  return sandbox.selected.some((backend) => backend.name === "aws") ? "the sandbox backend `aws` needs" : null;
}
