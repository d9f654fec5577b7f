import * as z from "zod/mini";
import { albName, roleArn, text, wholeNumber } from "./field-types.ts";

const NO_SPACES = /^\S+$/;
/** Segments of the load balancer's paths that first-party services answer. */
const PUBLIC_PATH =
  /^\/(?!(v1|d|key|models|slack|api|assets|oauth|healthz|readyz|metrics)\/)[^\s/*?]+(\/[^\s/*?]+)*\/\*$/;
const DOCKERFILE = /^(?!\s*$)(?!\/)(?!\.\.(\/|$))(?!.*\/\.\.(\/|$))[^\\]+$/;
const MOST = Number.MAX_SAFE_INTEGER;

/** `aws.services.<workload>`. Fargate's pairs of cpu and memory are a rule, since they join two fields. */
export function awsServiceSchema() {
  return z.strictObject({
    ecrRepository: z.optional(text(NO_SPACES, "the name of an ECR repository, without spaces")),
    ecsService: z.optional(text(NO_SPACES, "the name of an ECS service, without spaces")),
    cpu: z.optional(wholeNumber(1, MOST, "a whole number of CPU units such as 1024")),
    memory: z.optional(wholeNumber(1, MOST, "a whole number of MiB such as 2048")),
    taskRoleArn: z.optional(roleArn()),
    executionRoleArn: z.optional(roleArn()),
    assumeRoleArns: z.optional(z.array(roleArn()).check(z.minLength(1, "a list of at least one role ARN"))),
    publicPaths: z.optional(
      z.array(text(PUBLIC_PATH, "a path such as `/hooks/*` whose first part no service of qm answers")).check(
        z.minLength(1, "a list of 1 to 5 different paths"),
        z.maxLength(5, "a list of 1 to 5 different paths"),
        z.refine((paths) => new Set(paths).size === paths.length, "a list of 1 to 5 different paths"),
      ),
    ),
    architecture: z.optional(z.enum(["arm64", "amd64"])),
    desiredCount: z.optional(wholeNumber(1, MOST, "a whole number of tasks, at least 1")),
    targetGroup: z.optional(albName()),
    logGroup: z.optional(
      text(/^[A-Za-z0-9_/.#-]{1,512}$/, "a log group name: letters, digits and `_/.#-`, at most 512 characters"),
    ),
    stopTimeout: z.optional(wholeNumber(2, 120, "a whole number of seconds from 2 to 120")),
    buildArgs: z.optional(z.record(z.string(), z.string())),
    dockerfile: z.optional(
      text(DOCKERFILE, "a path relative to the deployment directory, with forward slashes and without `..`"),
    ),
  });
}
