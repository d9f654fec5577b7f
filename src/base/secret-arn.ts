/** A secret of AWS Secrets Manager, with the parts that Amazon ECS takes behind it: a key of its JSON, a stage and a version, any of them blank. */
export const SECRETS_MANAGER_ARN =
  /^arn:(?<partition>aws[\w-]*):secretsmanager:(?<region>[a-z0-9-]+):(?<account>\d{12}):secret:(?<name>[\w/+=.@-]+)(?::(?<key>[^:\s]*)(?::(?<stage>[^:\s]*)(?::(?<version>[^:\s]*))?)?)?$/;

/** A parameter of AWS Systems Manager. */
export const PARAMETER_ARN =
  /^arn:(?<partition>aws[\w-]*):ssm:(?<region>[a-z0-9-]+):(?<account>\d{12}):parameter\/(?<name>[\w./-]+)$/;

/** What the ARN of a secret or of a parameter says. */
export interface SecretArn {
  readonly service: "secretsmanager" | "ssm";
  readonly partition: string;
  readonly region: string;
  /** Twelve digits. */
  readonly account: string;
  /** Of a secret often with a hyphen and six random characters at its end, which only Secrets Manager can tell from the name. */
  readonly name: string;
  /** The ARN without the parts below; AWS takes it as an id. */
  readonly id: string;
  /** Blank where they are not named. */
  readonly key: string;
  readonly stage: string;
  readonly version: string;
}

/** Reads the ARN of a secret or a parameter; null for every other text. */
export function readSecretArn(text: string): SecretArn | null {
  const secret = SECRETS_MANAGER_ARN.exec(text)?.groups;
  const found = secret ?? PARAMETER_ARN.exec(text)?.groups;
  if (found === undefined) return null;
  const { partition = "", region = "", account = "", name = "", key = "", stage = "", version = "" } = found;
  const service = secret === undefined ? "ssm" : "secretsmanager";
  const resource = secret === undefined ? `parameter/${name}` : `secret:${name}`;
  const id = `arn:${partition}:${service}:${region}:${account}:${resource}`;
  return { service, partition, region, account, name, id, key, stage, version };
}
