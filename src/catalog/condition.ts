import type { ModelProviderName, ServiceName, TargetName } from "../config/written-config.ts";

/**
 * When a secret row applies, as data. Evaluated against the resolved deployment, which also phrases the reason
 * ("required because `env.core.HARNESS` is `codex`"). Values are trimmed; a blank value counts as absent.
 */
export type Condition =
  | { readonly kind: "target"; readonly target: TargetName }
  | { readonly kind: "backend"; readonly backend: string }
  | { readonly kind: "service"; readonly service: ServiceName; readonly enabled: boolean }
  | { readonly kind: "provider"; readonly provider: ModelProviderName }
  | { readonly kind: "harness"; readonly in: readonly string[] }
  | { readonly kind: "env"; readonly service: ServiceName; readonly name: string; readonly is: "present" | "absent" }
  | { readonly kind: "env"; readonly service: ServiceName; readonly name: string; readonly in: readonly string[] }
  | { readonly kind: "background-work-control" }
  | { readonly kind: "all"; readonly of: readonly Condition[] }
  | { readonly kind: "any"; readonly of: readonly Condition[] };
