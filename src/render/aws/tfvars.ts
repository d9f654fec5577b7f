import { compareText } from "../../base/text-order.ts";
import type { SettingKey } from "../../catalog/settings/index.ts";
import type { WrittenAws, WrittenAwsService } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { objectStoreBucket } from "../../deployment/derived-names.ts";
import {
  generatedHeader,
  publicArtifact,
  type RenderContext,
  type RenderNote,
  type RenderOutput,
} from "../artifact.ts";
import { refuseIncompleteAws } from "../refusals.ts";
import { coreSetting } from "../workloads.ts";
import { corePublicHosts } from "./core-hosts.ts";
import { hclMembers, hclValue, type HclValue } from "./hcl.ts";
import { readTfvars, tfvarsText, type TfvarsPart } from "./tfvars-document.ts";

/** File name below `rendered/aws/`. */
export const TFVARS = "terraform.tfvars";

const PLACEHOLDER = "replace-me/repository";

const PLACEHOLDER_NOTE: RenderNote = {
  artifact: TFVARS,
  message:
    "`github_repository` is still a placeholder: set the owner/name of the repository that may deploy, in the rendered file",
};

/** Variables that only the operator knows; kept from an existing file, else these starting values (docs/contract/qm-rendering.md#terraform-variables). */
const OPERATOR_VARIABLES: { readonly [name: string]: string } = {
  github_repository: PLACEHOLDER,
  github_ref: "refs/heads/main",
  certificate_arn: "",
};

/** `terraform.tfvars` for the operator's copy of qm's module: derived values are set, everything else in an existing file is kept byte for byte. */
export function renderTfvars({ deployment, options }: RenderContext): readonly RenderOutput[] {
  const written = readTfvars(options.existingTfvars ?? "");
  const derived = derivedVariables(deployment, (name) =>
    written.some((part) => part.kind === "assignment" && part.name === name),
  );
  if (derived === null) return [refuseIncompleteAws(deployment, TFVARS)];
  const text = options.existingTfvars === null ? newTfvars(derived) : updatedTfvars(options.existingTfvars, derived);
  return [publicArtifact(TFVARS, text), ...(text.includes(`"${PLACEHOLDER}"`) ? [PLACEHOLDER_NOTE] : [])];
}

function newTfvars(derived: ReadonlyMap<string, HclValue>): string {
  const lead = generatedHeader(
    "#",
    "The operator's values below are yours: rendering again keeps them, and all comments.",
  );
  return `${lead}\n${assignments(OPERATOR_VARIABLES)}\n${assignments(Object.fromEntries(derived))}`;
}

function updatedTfvars(existing: string, derived: ReadonlyMap<string, HclValue>): string {
  const newline = existing.includes("\r\n") ? "\r\n" : "\n";
  const written = new Set<string>();
  const parts = readTfvars(existing).filter((part) => {
    // Terraform refuses a second assignment of a variable, so of the derived ones only the first stays.
    const repeated = part.kind === "assignment" && derived.has(part.name) && written.has(part.name);
    if (part.kind === "assignment") written.add(part.name);
    return !repeated;
  });
  const updated = tfvarsText(parts.map((part) => withDerived(part, derived, newline)));
  const missing = Object.entries({ ...OPERATOR_VARIABLES, ...Object.fromEntries(derived) }).filter(
    ([name]) => !written.has(name),
  );
  const gap = updated === "" || updated.endsWith("\n") ? "" : newline;
  return updated + gap + assignments(Object.fromEntries(missing)).replaceAll("\n", newline);
}

function withDerived(part: TfvarsPart, derived: ReadonlyMap<string, HclValue>, newline: string): TfvarsPart {
  const value = part.kind === "assignment" ? derived.get(part.name) : undefined;
  return part.kind === "other" || value === undefined
    ? part
    : { ...part, value: hclValue(value).replaceAll("\n", newline) };
}

function assignments(values: { readonly [name: string]: HclValue }): string {
  return hclMembers(values, "", (name) => name);
}

/**
 * The variables of qm's Terraform module that follow from the deployment (docs/contract/qm-rendering.md#terraform-variables),
 * in the order in which they are written. Null without the coordinates they rest on. `isWritten`: what the file sets already, which must
 * not stay as it was where the config no longer says it.
 */
function derivedVariables(
  deployment: Deployment,
  isWritten: (name: string) => boolean,
): ReadonlyMap<string, HclValue> | null {
  const { config, release } = deployment;
  const aws = config.aws;
  if (
    aws?.accountId === undefined ||
    aws.region === undefined ||
    aws.cluster === undefined ||
    config.orgId === undefined
  )
    return null;
  const hosts = corePublicHosts(deployment);
  const core = (key: SettingKey): string | undefined => coreSetting(deployment, key)?.value.trim() || undefined;
  return new Map<string, HclValue>([
    ["org_id", config.orgId],
    ["account_id", aws.accountId],
    ["region", aws.region],
    ["cluster_name", aws.cluster],
    ["public_url", deployment.publicOrigin ?? ""],
    // Older copies of the module do not know the variable: it is there where it says something.
    ...(hosts.length === 0 && !(release.release.coreHosts && isWritten("core_public_hosts"))
      ? []
      : [["core_public_hosts", hosts] as const]),
    ["cloud_map_namespace", aws.networking?.cloudMapNamespace ?? ""],
    ["secrets_prefix", aws.secretsPrefix ?? ""],
    ["github_oidc_provider_arn", `arn:aws:iam::${aws.accountId}:oidc-provider/token.actions.githubusercontent.com`],
    ...(aws.deployEnvironment === undefined && !isWritten("github_environment")
      ? []
      : [["github_environment", aws.deployEnvironment ?? ""] as const]),
    ["object_store_bucket", objectStoreBucket(config)?.value ?? ""],
    ["transfer_lifecycle_prefix", `${core("core.s3Prefix") ?? ""}transfer/`],
    ["deploy_microvm_image", core("core.awsDeployImage") ?? config.orgId],
    [
      "deploy_microvm_execution_role_arn",
      core("core.awsDeployRole") ?? `arn:aws:iam::${aws.accountId}:role/${aws.cluster}-microvm-exec`,
    ],
    ["services", services(aws)],
    ["secret_names", deployment.secrets.map((secret) => secret.name).sort(compareText)],
  ]);
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
