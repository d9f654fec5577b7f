import * as z from "zod/mini";
import { albName, LABEL, LABEL_WORDS, optionalObject, roleArn, text, wholeNumber } from "./field-types.ts";

const REGION = /^(?!cn-|us-gov-|us-iso|eu-isoe-)[a-z]{2}(-[a-z]+)+-[0-9]{1,2}$/;
const NAMESPACE =
  /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;
const BUCKET = /^(?![0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** What `git check-ref-format --branch` accepts, without `refs/…`. */
const BRANCH =
  /^(?!refs\/)(?![-/])(?!@$)(?!.*(\.\.|\/\/|@\{|\/\.|\.\/|\.lock\/))(?!\.)(?!.*(\.|\/|\.lock)$)[^\s~^:?*[\\\u0000-\u001f\u007f]{1,255}$/;

/** `aws`. What of it must be there depends on the target, so that nothing is required here. */
export function awsSchema() {
  return optionalObject({
    accountId: text(/^[0-9]{12}$/, "the 12 digits of an AWS account, in double quotes"),
    region: text(REGION, "a commercial AWS region such as `us-west-2`"),
    cluster: text(
      /^(?!.*--)[a-z]([a-z0-9-]{0,47}[a-z0-9])?$/,
      "lowercase letters, digits and single inner hyphens, starting with a letter, at most 49 characters",
    ),
    deployRoleArn: roleArn(),
    secretsPrefix: text(/^[A-Za-z0-9/_+=.@-]{0,256}$/, "letters, digits and `/_+=.@-`, at most 256 characters"),
    imageLabel: text(
      /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/,
      "an image tag: letters, digits and `_.-`, at most 128 characters",
    ),
    networking: optionalObject({
      cloudMapNamespace: text(NAMESPACE, "a DNS name such as `qm.internal`"),
    }),
    deploymentState: optionalObject({
      table: text(/^[A-Za-z0-9_.-]{3,255}$/, "a DynamoDB table name: 3 to 255 letters, digits and `_.-`"),
      namespace: text(/^[a-z0-9][a-z0-9-]{0,62}$/, LABEL_WORDS),
    }),
    alb: albName(),
    sharedAlb: z.boolean(),
    backgroundWorkControl: z.boolean(),
    rdsInstance: text(
      /^(?!.*--)[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
      "lowercase letters, digits and single inner hyphens, starting with a letter, at most 63 characters",
    ),
    predeployDbSnapshot: z.boolean(),
    dbRetentionMinDays: wholeNumber(0, 35, "a whole number of days from 0 to 35"),
    objectStoreBucket: text(
      BUCKET,
      "an S3 bucket name: 3 to 63 lowercase letters, digits, dots and hyphens, not shaped like an IP address",
    ),
    deployBranch: text(BRANCH, "the name of a git branch, without `refs/`"),
    deployEnvironment: text(/^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/, "letters, digits and `._-`, at most 255 characters"),
    services: z.record(text(LABEL, `the name of a service or plugin: ${LABEL_WORDS}`), awsServiceSchema()),
  });
}

const NO_SPACES = /^\S+$/;
/** Segments of the load balancer's paths that first-party services answer. */
const PUBLIC_PATH =
  /^\/(?!(v1|d|key|models|slack|api|assets|oauth|healthz|readyz|metrics)\/)[^\s/*?]+(\/[^\s/*?]+)*\/\*$/;
const DOCKERFILE = /^(?!\s*$)(?!\/)(?!\.\.(\/|$))(?!.*\/\.\.(\/|$))[^\\]+$/;
const MOST = Number.MAX_SAFE_INTEGER;

/** `aws.services.<workload>`. Fargate's pairs of cpu and memory are a rule, since they join two fields. */
function awsServiceSchema() {
  return optionalObject({
    ecrRepository: text(NO_SPACES, "the name of an ECR repository, without spaces"),
    ecsService: text(NO_SPACES, "the name of an ECS service, without spaces"),
    cpu: wholeNumber(1, MOST, "a whole number of CPU units such as 1024"),
    memory: wholeNumber(1, MOST, "a whole number of MiB such as 2048"),
    taskRoleArn: roleArn(),
    executionRoleArn: roleArn(),
    assumeRoleArns: z.array(roleArn()).check(z.minLength(1, "a list of at least one role ARN")),
    publicPaths: z
      .array(text(PUBLIC_PATH, "a path such as `/hooks/*` whose first part no service of qm answers"))
      .check(
        z.minLength(1, "a list of 1 to 5 different paths"),
        z.maxLength(5, "a list of 1 to 5 different paths"),
        z.refine((paths) => new Set(paths).size === paths.length, "a list of 1 to 5 different paths"),
      ),
    architecture: z.enum(["arm64", "amd64"]),
    desiredCount: wholeNumber(1, MOST, "a whole number of tasks, at least 1"),
    targetGroup: albName(),
    logGroup: text(
      /^[A-Za-z0-9_/.#-]{1,512}$/,
      "a log group name: letters, digits and `_/.#-`, at most 512 characters",
    ),
    stopTimeout: wholeNumber(2, 120, "a whole number of seconds from 2 to 120"),
    buildArgs: z.record(z.string(), z.string()),
    dockerfile: text(DOCKERFILE, "a path relative to the deployment directory, with forward slashes and without `..`"),
  });
}
