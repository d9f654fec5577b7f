import type { WrittenAws, WrittenAwsService } from "../../config/written-config.ts";
import { objectStoreBucket } from "../../deployment/derived-names.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { compareText } from "../../base/text-order.ts";
import type { HclValue } from "./hcl.ts";

/**
 * The variables of qm's Terraform module that follow from the deployment (docs/contract/qm-rendering.md#terraform-variables),
 * in the order in which they are written. Null without the coordinates they rest on.
 */
export function derivedVariables(deployment: Deployment): ReadonlyMap<string, HclValue> | null {
  const { config } = deployment;
  const aws = config.aws;
  if (
    aws?.accountId === undefined ||
    aws.region === undefined ||
    aws.cluster === undefined ||
    config.orgId === undefined
  )
    return null;
  const core = coreEnvironment(deployment);
  return new Map<string, HclValue>([
    ["org_id", config.orgId],
    ["account_id", aws.accountId],
    ["region", aws.region],
    ["cluster_name", aws.cluster],
    ["public_url", deployment.publicOrigin ?? ""],
    ["cloud_map_namespace", aws.networking?.cloudMapNamespace ?? ""],
    ["secrets_prefix", aws.secretsPrefix ?? ""],
    ["github_oidc_provider_arn", `arn:aws:iam::${aws.accountId}:oidc-provider/token.actions.githubusercontent.com`],
    ...(aws.deployEnvironment === undefined ? [] : [["github_environment", aws.deployEnvironment] as const]),
    ["object_store_bucket", objectStoreBucket(config)?.value ?? ""],
    ["transfer_lifecycle_prefix", `${core("S3_PREFIX") ?? ""}transfer/`],
    ["deploy_microvm_image", core("AWS_DEPLOY_IMAGE") ?? config.orgId],
    [
      "deploy_microvm_execution_role_arn",
      core("AWS_DEPLOY_EXEC_ROLE_ARN") ?? `arn:aws:iam::${aws.accountId}:role/${aws.cluster}-microvm-exec`,
    ],
    ["services", services(aws)],
    ["secret_names", deployment.secrets.map((secret) => secret.name).sort(compareText)],
  ]);
}

function coreEnvironment(deployment: Deployment): (name: string) => string | undefined {
  const core = deployment.workloads.find((workload) => workload.name === "core");
  return (name) => core?.environment.find((entry) => entry.name === name)?.value.trim() || undefined;
}

function services(aws: WrittenAws): HclValue {
  const named = Object.entries(aws.services ?? {}).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(named.map(([name, service]) => [name, coordinates(name, service)]));
}

function coordinates(name: string, service: WrittenAwsService): HclValue {
  const ownRole = name !== "core" && service.taskRoleArn === undefined && (service.assumeRoleArns?.length ?? 0) > 0;
  return withoutUndefined({
    ecr_repository: service.ecrRepository,
    ecs_service: service.ecsService,
    cpu: service.cpu,
    memory: service.memory,
    architecture: service.architecture ?? "arm64",
    internal_port: 8080,
    public_paths: service.publicPaths,
    task_role_arn: service.taskRoleArn,
    execution_role_arn: service.executionRoleArn,
    assume_role_arns: service.assumeRoleArns,
    manage_task_role: ownRole ? true : undefined,
  });
}

function withoutUndefined(members: { readonly [key: string]: HclValue | undefined }): HclValue {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, HclValue] => member[1] !== undefined),
  );
}
