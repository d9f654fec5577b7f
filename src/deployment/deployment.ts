import type { Skill } from "./skills.ts";
import type { Tool } from "./tools.ts";
import type { Backend } from "../catalog/backends/backend.ts";
import type { Release } from "../catalog/releases/release.ts";
import type { SecretManager, SecretSource } from "../catalog/secret-row.ts";
import type { ConfigDocument } from "../config/document.ts";
import type { ServiceName, TargetName, WrittenConfig } from "../config/written-config.ts";
import type { ConfigPath } from "../base/config-path.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { EnvDocument } from "../envfile/index.ts";
import type { ModelChoice } from "./choices.ts";
import type { DeploymentInputs } from "./inputs.ts";
import type { Plugin } from "./plugins.ts";
import type { EnvironmentEntry, Provenance } from "./provenance.ts";

/** Which release interprets the directory, and why. */
export interface ReleaseChoice {
  readonly release: Release;
  /** The version as pinned or asked for, null when the default was assumed. */
  readonly pinned: string | null;
  readonly resolved: string;
  readonly source: "flag" | "package.json" | "parent package.json" | "default";
  /** Said once each: a range, a version that is not known, an unreadable pin. */
  readonly notices: readonly Diagnostic[];
}

/** One place that names a sandbox backend. */
export interface BackendMention {
  /** Trimmed; may name no known backend. */
  readonly name: string;
  readonly path: ConfigPath;
}

/** The backends of a deployment; computed by one function and read by everybody. */
export interface SandboxSelection {
  /** `sandbox.backend`, trimmed; null when not set or blank. */
  readonly declared: BackendMention | null;
  /** The value that core will really see, with its provenance; null when core gets none. */
  readonly effective: {
    readonly name: string;
    readonly provenance: Provenance;
    readonly backend: Backend | null;
  } | null;
  readonly secondary: BackendMention | null;
  readonly scopes: readonly BackendMention[];
  /** Known selected backends in order of mention, without duplicates: primary, secondary, scopes. */
  readonly selected: readonly Backend[];
  /** Why `SANDBOX_SCOPE_BACKENDS` could not be read, as a short phrase without its value; null when fine or absent. */
  readonly scopesProblem: string | null;
  /** Places that hold a blank backend name. */
  readonly blank: readonly ConfigPath[];
}

/** Where a secret goes: an environment name of a workload. */
export interface SecretDestination {
  readonly workload: string;
  readonly env: string;
}

/** One entry of the secrets catalogue. */
export interface Secret {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly managedBy: SecretManager;
  /** Why it is there, in words: "`sandbox.backend` is `boxd`". */
  readonly reason: string;
  /** The config places that the reason rests on, most telling first; empty where the release alone demands it. */
  readonly because: readonly ConfigPath[];
  readonly source: SecretSource;
  readonly destinations: readonly SecretDestination[];
}

/** One container (docker), app (fly) or task (aws). */
export interface Workload {
  readonly name: string;
  readonly kind: "service" | "plugin";
  /** The enabled services that run in it, itself first; empty for a plugin. */
  readonly hosts: readonly ServiceName[];
  /** Where the config declares it: `["services", 0]` or `["plugins", 1]`. */
  readonly path: ConfigPath;
  /** Sorted by name. Secrets are not in it. */
  readonly environment: readonly EnvironmentEntry[];
  /** Image reference and where it comes from; null where nothing names one (a source plugin, 0.1.6 without override). */
  readonly image: { readonly reference: string; readonly provenance: Provenance } | null;
  /** For a plugin built from `plugins/<name>/Dockerfile`: that directory. */
  readonly sourceDirectory: string | null;
}

/** What is decided of a deployment before its workloads and secrets, which follow from it. */
export interface DeploymentChoices {
  readonly inputs: DeploymentInputs;
  readonly document: ConfigDocument;
  readonly config: WrittenConfig;
  readonly release: ReleaseChoice;
  /** Null when neither the config nor a flag names a known one. */
  readonly target: TargetName | null;
  /** `publicUrl` as a canonical origin without trailing slash; null when it is not a sound URL. */
  readonly publicOrigin: string | null;
  /** Enabled services, without duplicates, in config order. */
  readonly services: readonly ServiceName[];
  readonly sandbox: SandboxSelection;
  readonly model: ModelChoice;
  readonly plugins: readonly Plugin[];
}

/** A deployment with everything decided: what check, render, secrets, explain, doctor and publish read. */
export interface Deployment extends DeploymentChoices {
  readonly workloads: readonly Workload[];
  /** Sorted by name. */
  readonly secrets: readonly Secret[];
  readonly env: EnvDocument | null;
  readonly tools: readonly Tool[];
  readonly skills: readonly Skill[];
  /** True when a document part that resolving rests on did not parse: rules about absence stay silent then. */
  readonly broken: boolean;
  /** Syntax, shape and release findings made on the way. */
  readonly diagnostics: readonly Diagnostic[];
}
