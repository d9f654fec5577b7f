import { readSecretArn, type SecretArn } from "../../base/secret-arn.ts";
import type { Deployment, Secret } from "../deployment.ts";

/** The ARN that `.env` holds for a secret, be it that its value was read since; null where it holds none. */
export function secretArn({ env }: Deployment, { name }: Secret): SecretArn | null {
  const entry = env?.entries.findLast(({ key }) => key === name);
  return entry === undefined ? null : readSecretArn((entry.reference ?? entry.value).trim());
}

/** True where an ARN names the secret that the tasks of a deployment on aws read, whatever part of it: `<secretsPrefix><NAME>` in their region and account. */
export function isOwnSecret({ target, config }: Deployment, { name }: Secret, arn: SecretArn): boolean {
  if (target !== "aws" || arn.service !== "secretsmanager") return false;
  const { region, accountId, secretsPrefix = "" } = config.aws ?? {};
  if (arn.region !== region || arn.account !== accountId) return false;
  const own = `${secretsPrefix}${name}`;
  return arn.name === own || (arn.name.startsWith(`${own}-`) && /^-\w{6}$/.test(arn.name.slice(own.length)));
}

/**
 * True for a secret whose value is where its tasks read it already: the ARN in `.env` is that of their `valueFrom`. There is nothing to hand on
 * then. Any other ARN is one to copy from, since the role that starts qm's tasks reads only the secrets of the deployment's own names
 * (docs/contract/qm-rendering.md#aws).
 */
export function isReadInPlace(deployment: Deployment, secret: Secret): boolean {
  const arn = secretArn(deployment, secret);
  return arn !== null && isOwnSecret(deployment, secret, arn) && readsWhole(arn);
}

/** True where an ARN stands for the newest value as a whole, as a task reads it. */
export function readsWhole({ key, stage, version }: SecretArn): boolean {
  return key === "" && version === "" && (stage === "" || stage === "AWSCURRENT");
}
