import type { Secret } from "../../deployment/deployment.ts";
import { jsonText } from "../artifact-text.ts";
import { joinPieces, piece, type Piece, type RenderContext } from "../context.ts";
import { refuseValue } from "../refuse-value.ts";
import { deliver } from "./values.ts";

/** What Secrets Manager keeps of one secret, in bytes ("SecretString" of its API reference). */
const MAX_BYTES = 65_536;

/** The file of one secret. */
function awsSecretName(secret: string): string {
  return `secrets/${secret}.secrets.json`;
}

/** The secrets whose values an operator puts into Secrets Manager; Terraform fills its own. */
function operatorSecrets({ deployment }: RenderContext): readonly Secret[] {
  return deployment.secrets.filter((secret) => secret.managedBy === "operator" && secret.destinations.length > 0);
}

/** One input of `aws secretsmanager put-secret-value --cli-input-json` per secret, so that no value is on a command line. */
export function renderAwsSecrets(context: RenderContext): Piece {
  return joinPieces(operatorSecrets(context).map((secret) => renderOne(context, secret)));
}

function renderOne({ deployment }: RenderContext, secret: Secret): Piece {
  const artifact = awsSecretName(secret.name);
  const delivery = deliver(deployment, secret, artifact);
  if (delivery === null) return piece({});
  if ("refusal" in delivery) return piece({ refusals: [delivery.refusal] });
  const { value } = delivery;
  if (!value.isWellFormed() || new TextEncoder().encode(value).length > MAX_BYTES) {
    return piece({
      refusals: [
        refuseValue(
          deployment,
          artifact,
          secret.because[0] ?? [],
          `Secrets Manager cannot hold the value of \`${secret.name}\`: it takes 64 KiB of Unicode text`,
        ),
      ],
    });
  }
  const text = jsonText({
    SecretId: `${deployment.config.aws?.secretsPrefix ?? ""}${secret.name}`,
    SecretString: value,
  });
  return piece({ artifacts: [{ name: artifact, text, secret: true }] });
}
