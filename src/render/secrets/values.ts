import { findSecretPlaceholder } from "../../config/placeholder.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import { type DialectName, type EnvPair, writeEnv } from "../../envfile/index.ts";
import type { Refusal } from "../artifact.ts";
import { generatedLines } from "../artifact-text.ts";
import { piece, type Piece } from "../context.ts";
import { refuseValue } from "../refuse-value.ts";
import { refuse } from "../refusal.ts";
import { hasValue, secretValue } from "../workload-secrets.ts";

/** A value to deliver, why there cannot be one, or null for a secret that need not be there. */
export type Delivery = { readonly value: string } | { readonly refusal: Refusal } | null;

/** What `.env` says of a secret that an artifact delivers. */
export function deliver(
  deployment: Deployment,
  secret: Secret,
  artifact: string,
  required = secret.required,
): Delivery {
  if (!hasValue(deployment, secret)) {
    return required && secret.managedBy === "operator"
      ? { refusal: withoutValue(deployment, secret, artifact, "has no value in `.env`") }
      : null;
  }
  const value = secretValue(deployment, secret) ?? "";
  if (findSecretPlaceholder(value) !== null)
    return { refusal: withoutValue(deployment, secret, artifact, "is still a placeholder in `.env`") };
  return { value };
}

function withoutValue(deployment: Deployment, secret: Secret, artifact: string, what: string): Refusal {
  return refuse(deployment, {
    artifact,
    rule: "render/secret-missing",
    path: secret.because[0] ?? [],
    message: `\`${secret.name}\` ${what}`,
    help: `set it with \`qm-deploy secrets set ${secret.name}\`, which reads the value from stdin (${secret.reason})`,
  });
}

/** The text of a file of secrets, or what refuses it. */
export function secretsPiece(
  deployment: Deployment,
  what: {
    readonly artifact: string;
    readonly dialect: DialectName;
    readonly says: string;
    readonly pairs: readonly EnvPair[];
    readonly refusals: readonly Refusal[];
  },
): Piece {
  const { artifact, dialect, pairs, refusals } = what;
  const written = writeEnv(dialect, pairs, {
    header: generatedLines(what.says, "Holds secrets: never commit it.").join("\n"),
  });
  if (!written.ok)
    return piece({
      refusals: [...refusals, ...written.refusals.map((one) => refuseValue(deployment, artifact, [], one.reason))],
    });
  return refusals.length > 0
    ? piece({ refusals })
    : piece({ artifacts: [{ name: artifact, text: written.text, secret: true }] });
}
