import type { JsonValue } from "../../base/json.ts";
import type { Severity } from "../../diagnostics/diagnostic.ts";
import type { ProvenanceView, LocationView } from "../provenance.ts";

/** A value that lost against another for the same name. */
export interface ShadowedView {
  readonly value: string;
  readonly origin: ProvenanceView;
}

/** One name in the environment of one workload. */
export interface EnvironmentExplanation {
  readonly kind: "environment";
  readonly name: string;
  readonly workload: string;
  /** What may be secret is `[hidden]`. */
  readonly value: string;
  readonly origin: ProvenanceView;
  /** Weakest first. */
  readonly shadowed: readonly ShadowedView[];
  /** Artifacts that hold it; null where the deployment cannot be rendered. */
  readonly artifacts: readonly string[] | null;
  /** Config fields that would put another value in its place, strongest first. */
  readonly overriddenBy: readonly string[];
  /** The secret that reaches the workload under the same name, and wins; else null. */
  readonly secret: string | null;
}

/** A name of the environment that comes to a workload as a secret, or a secret of the catalogue. */
export interface SecretExplanation {
  readonly kind: "secret";
  readonly name: string;
  readonly description: string;
  /** False for a secret that qm knows and this deployment does not use. */
  readonly used: boolean;
  readonly required: boolean;
  readonly managedBy: string;
  readonly reason: string;
  readonly because: readonly LocationView[];
  readonly destinations: readonly { readonly workload: string; readonly env: string }[];
  /** How to come by a value. */
  readonly making: string;
  /** True where `secrets set --generate` makes it. */
  readonly generated: boolean;
  /** Whether the env file gives it a value; null where there is no env file. */
  readonly hasValue: boolean | null;
  readonly artifacts: readonly string[] | null;
}

/** A field of the config. */
export interface SettingExplanation {
  readonly kind: "setting";
  readonly field: string;
  /** Null when not set, masked else. */
  readonly value: JsonValue;
  readonly place: LocationView;
  /** What a value must be: "text", "one of docker, fly, aws", …; null where the schema knows no such field. */
  readonly takes: string | null;
  /** Names in the environment of workloads that rest on it. */
  readonly environment: readonly { readonly workload: string; readonly name: string }[];
  /** Secrets whose presence rests on it. */
  readonly secrets: readonly string[];
  readonly artifacts: readonly string[] | null;
  /** Other places that decide the same; strongest first. */
  readonly overriddenBy: readonly string[];
}

/** A rule. */
export interface RuleExplanation {
  readonly kind: "rule";
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly clause: string | null;
  readonly why: string;
  readonly bad: string;
  readonly good: string;
  readonly docs: string;
  /** What it says about this deployment now; null without a deployment. */
  readonly findings:
    | readonly {
        readonly file: string;
        readonly line: number | null;
        readonly column: number | null;
        readonly message: string;
        readonly help: string;
      }[]
    | null;
}

/** A sandbox backend. */
export interface BackendExplanation {
  readonly kind: "backend";
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Targets on which `sandbox.backend` may name it under the deployment's release. */
  readonly declarableOn: readonly string[];
  readonly inStockCore: boolean;
  readonly fields: readonly string[];
  readonly secrets: readonly string[];
  readonly settings: readonly {
    readonly name: string;
    readonly description: string;
    readonly example: string;
    readonly required: boolean;
  }[];
  /** "primary", "secondary", "scope" or "not selected"; null without a deployment. */
  readonly role: string | null;
  readonly publish: string;
}

/** A release of qm. */
export interface ReleaseExplanation {
  readonly kind: "release";
  readonly version: string;
  /** True when it interprets this deployment; null without one. */
  readonly used: boolean | null;
  readonly facts: readonly string[];
}

export type Subject =
  | EnvironmentExplanation
  | SecretExplanation
  | SettingExplanation
  | RuleExplanation
  | BackendExplanation
  | ReleaseExplanation;
