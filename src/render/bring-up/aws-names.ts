import { own } from "../../base/json.ts";
import { shellWord } from "../../base/shell-word.ts";
import type { WrittenAws, WrittenAwsService } from "../../config/written-config.ts";
import type { Workload } from "../../deployment/deployment.ts";
import type { RenderContext } from "../artifact.ts";
import { TFVARS } from "../aws/tfvars.ts";

/** Where the operator's copy of qm's Terraform module lies, below the deployment directory. */
export const MODULE = "infra";

export function aws({ deployment }: RenderContext): WrittenAws {
  return deployment.config.aws ?? {};
}

export function awsService(context: RenderContext, workload: Workload): WrittenAwsService | undefined {
  return own(aws(context).services, workload.name);
}

/** The option that names the region, of every call of the aws command line. */
export function region(context: RenderContext): string {
  return `--region ${shellWord(aws(context).region ?? "")}`;
}

export function cluster(context: RenderContext): string {
  return `--cluster ${shellWord(aws(context).cluster ?? "")}`;
}

/** The registry of the deployment's account and region. */
export function registry(context: RenderContext): string {
  const { accountId = "", region: name = "" } = aws(context);
  return `${accountId}.dkr.ecr.${name}.amazonaws.com`;
}

/** Terraform in the module, with the rendered variables: it reads their path from there, since -chdir comes first. */
export function terraform({ options }: RenderContext, command: string): string {
  return `terraform -chdir=${MODULE} ${command} -var-file=${shellWord(`../${options.place}/${TFVARS}`)}`;
}

/** An output of the module, as a word of a command line. */
export function terraformOutput(name: string): string {
  return `$(terraform -chdir=${MODULE} output -raw ${name})`;
}
