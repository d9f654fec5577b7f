/** Commercial AWS regions. A newer one is no error: the list serves to find typing mistakes. */
export const AWS_REGIONS: readonly string[] = [
  "af-south-1 ap-east-1 ap-east-2 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2",
  "ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5 ap-southeast-6 ap-southeast-7",
  "ca-central-1 ca-west-1",
  "eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-2 eu-west-3",
  "il-central-1 me-central-1 me-south-1 mx-central-1 sa-east-1 us-east-1 us-east-2 us-west-1 us-west-2",
].flatMap((line) => line.split(" "));

function steps(from: number, to: number, by: number): number[] {
  return Array.from({ length: (to - from) / by + 1 }, (_, at) => from + at * by);
}

/** MiB of memory that Fargate offers for each number of CPU units (1024 are one vCPU), ascending. */
export const FARGATE_MEMORY: ReadonlyMap<number, readonly number[]> = new Map([
  [256, [512, 1024, 2048]],
  [512, steps(1024, 4096, 1024)],
  [1024, steps(2048, 8192, 1024)],
  [2048, steps(4096, 16384, 1024)],
  [4096, steps(8192, 30720, 1024)],
  [8192, steps(16384, 61440, 4096)],
  [16384, steps(32768, 122880, 8192)],
]);

/** Limits of AWS services in characters, where not said otherwise. */
export const AWS_LIMITS = {
  /** A task definition as JSON, in bytes (ECS: 64 KiB). */
  taskDefinitionBytes: 65_536,
  /** ECS family and service names. */
  ecsName: 255,
  /** core's service name under `aws.backgroundWorkControl`, which appends to it. */
  backgroundEcsService: 219,
  /** Name of an IAM role. */
  roleName: 64,
  /** Prefix and name of a secret in Secrets Manager. */
  secretName: 512,
} as const;

/** What core's `AWS_DEPLOY_IMAGE` looks like: the name of a MicroVM image, not a container reference. */
export const DEPLOY_IMAGE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The account of an IAM role's ARN in the commercial partition; null where the text is no such ARN. */
export function accountOfRole(text: string): string | null {
  const match = /^arn:aws:iam::(\d{12}):role(\/(?:[\x21-\x2e\x30-\x7e]+\/)*)([A-Za-z0-9_+=,.@-]{1,64})$/.exec(text);
  return match === null || (match[2] as string).length > 512 ? null : (match[1] as string);
}

/** The ARN of the task role that qm's Terraform module makes for a workload (docs/contract/qm-rendering.md#aws). */
export function managedTaskRole(
  { accountId, cluster }: { readonly accountId: string; readonly cluster: string },
  workload: string,
  assumeRoleArns: readonly string[] = [],
): string {
  const hasOwn = workload === "core" || assumeRoleArns.length > 0;
  return `arn:aws:iam::${accountId}:role/${cluster}${hasOwn ? `-${workload}` : ""}-task`;
}
