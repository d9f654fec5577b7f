import type { ServiceName, TargetName } from "../config/written-config.ts";
import type { Condition } from "./condition.ts";

/**
 * How a value comes into being: made by this toolkit, or got by the operator as the hint says. A hint is a command or a
 * short sentence; `<org>`, `<fly-org>` and `<sandbox-app>` in it stand for values of the deployment.
 */
export type SecretSource =
  | { readonly kind: "hex32" }
  | { readonly kind: "p256-jwk" }
  | { readonly kind: "operator"; readonly hint: string | null };

/** Who puts the value into the target's store. */
export type SecretManager = "operator" | "terraform" | "fly";

/**
 * One row of the secrets catalogue as a release or a backend states it (docs/contract/qm-config.md#secrets).
 * Rows of the same name merge: destinations united, required or-ed.
 */
export interface SecretRow {
  /** Name in `.env` and in the target's store. */
  readonly name: string;
  readonly description: string;
  /** The service that reads it; a row counts only when that service is enabled. */
  readonly service: ServiceName;
  /** Environment name inside the service where it differs from `name`. */
  readonly env?: string;
  /** When the row is required (or optional, see `optional`); without it always. */
  readonly when?: Condition;
  /** True: where `when` holds, the secret is only optional. */
  readonly optional?: boolean;
  /** What the row is where `when` does not hold: absent (default) or optional. */
  readonly otherwise?: "optional";
  readonly source: SecretSource;
  /** Without an entry for the target: operator. */
  readonly managedBy?: { readonly [target in TargetName]?: SecretManager };
}

/** Names that must be at least this many characters long, whatever the release (docs/contract/qm-config.md#values-of-secrets). */
export const MINIMUM_SECRET_LENGTH = 32;
