import type { TargetName, WrittenSandbox } from "../../config/written.ts";
import type { SecretRow } from "../secret-row.ts";

export type SandboxField = Exclude<keyof WrittenSandbox, "backend">;

/** How a field's value is judged; a setting is a name in `env.core` that only this backend reads. */
export interface BackendSetting {
  readonly name: string;
  readonly description: string;
  /** Judges a written value; null when it is fine. `severity` warning is for values that may work. */
  readonly judge: (value: string) => { readonly severity: "error" | "warning"; readonly message: string; readonly help: string } | null;
  /** What init and docs show. */
  readonly example: string;
}

/** What the environment of core needs to know to run a backend. All values come from the resolved deployment. */
export interface CoreEnvContext {
  readonly target: TargetName;
  readonly release: string;
  readonly sandbox: WrittenSandbox;
  /** True when core's own value for the backend comes from the declaration, not from `env.core`. */
  readonly declared: boolean;
  /** `env.core` with `env.slack` below it, trimmed values. */
  readonly coreEnv: { readonly [name: string]: string };
  /** The parts of the aws block that a backend's environment is made from; null off aws or where they are missing. */
  readonly aws: { readonly accountId: string; readonly region: string; readonly cluster: string; readonly bucket: string } | null;
}

/** One name that a backend puts into core's environment, with the config paths that its value was made from. */
export interface BackendEnv {
  readonly name: string;
  readonly value: string;
  readonly from: readonly (readonly (string | number)[])[];
  readonly how: string;
}

/**
 * Everything that qm-deploy knows about one sandbox backend. A backend is one file in this folder; rules, resolving,
 * rendering and scaffolding read these facts and name no backend themselves.
 */
export interface Backend {
  readonly name: string;
  /** How people write the product: "boxd", "Fly Sprites". */
  readonly title: string;
  /** The targets on which `sandbox.backend` may name it, per release; an empty list: only through `env.core`. */
  readonly declarable: { readonly [release: string]: readonly TargetName[] };
  /** The releases whose core can run it when named in `env.core.SANDBOX_BACKEND`. */
  readonly runnable: readonly string[];
  /** What qm's own CLI accepts in `sandbox.backend`; a name outside needs the projection that `render` writes. */
  readonly acceptedByQm: { readonly [release: string]: readonly TargetName[] };
  /** The `sandbox` fields that something reads under this backend, per release. */
  readonly fields: (release: string) => readonly SandboxField[];
  /** Rows of the secrets catalogue that exist because of this backend. */
  readonly secrets: readonly SecretRow[];
  readonly settings: readonly BackendSetting[];
  readonly coreEnv: (context: CoreEnvContext) => readonly BackendEnv[];
  /** True when a published core image implements it; false asks for `imageOverrides.core`. */
  readonly inStockCore: boolean;
  /** True when agents run outside the operator's network and must reach core from there. */
  readonly remote: boolean;
  /** True when executables of `sandbox/` reach agents through a layer image (per release). */
  readonly layerImage: (release: string, target: TargetName) => boolean;
  /** `env.core` name without which egress of agent computers is open; null where egress is governed elsewhere. */
  readonly egressSetting: string | null;
  /** For a field nothing reads: what to use instead. */
  readonly insteadOfField: (field: SandboxField) => string;
  /** What `sandbox publish` does. */
  readonly publish: (release: string, target: TargetName) =>
    | { readonly kind: "layer-image" }
    | { readonly kind: "refused"; readonly why: string; readonly instead: string };
  /** One line for init's question and the config comment. */
  readonly summary: string;
}
