import type { ModelProviderName, ServiceName, TargetName } from "../config/written-config.ts";
import type { ServiceSettingKey } from "./settings/index.ts";

/**
 * When a secret row applies, as data. Evaluated against the resolved deployment, which also phrases the reason
 * ("required because `env.core.HARNESS` is `codex`"). Values are trimmed; a blank value counts as absent, but for
 * "any-text", which only asks whether there is a text, as the service does.
 */
export type Condition =
  | { readonly kind: "target"; readonly target: TargetName }
  | { readonly kind: "backend"; readonly backend: string }
  | { readonly kind: "service"; readonly service: ServiceName; readonly enabled: boolean }
  | { readonly kind: "provider"; readonly provider: ModelProviderName }
  | { readonly kind: "harness"; readonly in: readonly string[] }
  | { readonly kind: "env"; readonly setting: ServiceSettingKey; readonly is: "present" | "absent" | "any-text" }
  | { readonly kind: "env"; readonly setting: ServiceSettingKey; readonly in: readonly string[] }
  | { readonly kind: "background-work-control" }
  | { readonly kind: "all"; readonly of: readonly Condition[] }
  | { readonly kind: "any"; readonly of: readonly Condition[] };

/**
 * How a value comes into being: made by this toolkit (32 random bytes in hex, or a P-256 private key as a JWK), or got by
 * the operator as the hint says. A hint is a command or a short sentence; `<org>`, `<fly-org>` and `<sandbox-app>` in it
 * stand for values of the deployment.
 */
export type SecretSource =
  | {
      readonly kind: "hex32";
      /** True where another value is of no use once the deployment has run: what was made with the first cannot be opened with it. */
      readonly lasting?: true;
    }
  | { readonly kind: "p256-jwk" }
  | { readonly kind: "operator"; readonly hint: string | null; readonly command?: string };

export const HEX32: SecretSource = { kind: "hex32" };
export const LASTING_HEX32: SecretSource = { kind: "hex32", lasting: true };

/** A secret that this toolkit makes. */
export function made(name: string, description: string, source = HEX32) {
  return { name, description, source };
}

/** A value that only the operator can get; `hint` says how. */
export function fromOperator(hint: string | null): SecretSource {
  return { kind: "operator", hint };
}

/** A value that a command of somebody else's makes and prints. */
export function fromCommand(command: string): SecretSource {
  return { kind: "operator", hint: command, command };
}

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
  /** The setting of the service that takes it; without it the service reads it under `name`. */
  readonly setting?: ServiceSettingKey;
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

/** The rows of one service. */
export function rowsOf(service: ServiceName, rows: readonly Omit<SecretRow, "service">[]): readonly SecretRow[] {
  return rows.map((row) => ({ ...row, service }));
}

/** Holds where `env` sets the setting, to one of the values if any are named. */
export function isSet(setting: ServiceSettingKey, ...values: readonly string[]): Condition {
  return values.length === 0 ? { kind: "env", setting, is: "present" } : { kind: "env", setting, in: values };
}

/** Holds where `env` gives the setting any text, blanks included. */
export function hasText(setting: ServiceSettingKey): Condition {
  return { kind: "env", setting, is: "any-text" };
}

export function isNotSet(setting: ServiceSettingKey): Condition {
  return { kind: "env", setting, is: "absent" };
}

export function allOf(...of: readonly Condition[]): Condition {
  return { kind: "all", of };
}

export function anyOf(...of: readonly Condition[]): Condition {
  return { kind: "any", of };
}

export function onTarget(target: TargetName): Condition {
  return { kind: "target", target };
}
