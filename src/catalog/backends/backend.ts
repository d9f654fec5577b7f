import type { TargetName, WrittenSandbox } from "../../config/written-config.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import type { Release } from "../releases/release.ts";
import type { SecretRow } from "../secret-row.ts";
import type { SettingKey } from "../settings/index.ts";
import type { Setting } from "../settings/setting.ts";

export type SandboxField = Exclude<keyof WrittenSandbox, "backend">;

/** How the names of a backend's machines begin, by which core tells its own machines from those of other deployments. */
export interface MachineNames {
  /** The setting that they begin with; its default is what machines are called without it. */
  readonly prefix: Setting & { readonly default: string };
  /** The most characters of the prefix. */
  readonly longestPrefix: number;
  /** Name of the setting that says whose machines they are; null where the key alone does. */
  readonly org: string | null;
}

/** What a contributor's own core takes besides `settings`: names that `dev-env` passes on and no rule judges. */
export interface DevEnvSettings {
  /** Begins machine names, where `machineNames` says nothing. */
  readonly prefix?: string;
  readonly names?: readonly string[];
}

/** What the environment of core needs to know to run a backend. All values come from the resolved deployment. */
export interface CoreEnvContext {
  readonly target: TargetName;
  readonly release: Release;
  readonly orgId: string;
  readonly sandbox: WrittenSandbox;
  /** What core's environment already has for a setting, trimmed; null when missing or blank. */
  readonly coreEnv: (key: SettingKey) => string | null;
  /** The parts of the aws block that a backend's environment is made from; null off aws or where they are missing. */
  readonly aws: {
    readonly accountId: string;
    readonly region: string;
    readonly cluster: string;
    /** Worked out on demand: it is a digest. */
    readonly bucket: () => string;
  } | null;
}

/** One name that a backend puts into core's environment, with the config paths that its value was made from. */
export interface BackendEnv {
  readonly name: string;
  readonly value: string;
  readonly from: readonly ConfigPath[];
  readonly how: string;
}

/** What `sandbox publish` does for a backend. `why` completes "publish is refused: …"; `instead` says what to do. */
export type PublishPlan =
  { readonly kind: "layer-image" } | { readonly kind: "refused"; readonly why: string; readonly instead: string };

/**
 * Everything that qm-deploy knows about one sandbox backend, apart from what a release says of it (its policy and what
 * its core implements: `releases/`, combined in index.ts). A backend is one file in this folder; rules, resolving,
 * rendering and scaffolding read these facts and name no backend themselves. No file here names a release.
 */
export interface Backend {
  readonly name: string;
  /** How people write the product: "boxd", "Fly Sprites". */
  readonly title: string;
  /** One line for init's question and the config comment. */
  readonly summary: string;
  /** Targets on which `sandbox.backend` may name it under every release, although no release of qm knows it yet. */
  readonly proposedOn: readonly TargetName[];
  /** The `sandbox` fields that something reads under this backend. */
  readonly fields: (release: Release) => readonly SandboxField[];
  /** Fields that qm accepts here and nothing reads: a warning, not an error. */
  readonly idleFields: (release: Release) => readonly SandboxField[];
  /** For a field that nothing reads: what to use instead. One line. */
  readonly insteadOfField: (field: SandboxField) => string;
  /** Prefix of the names under which core finds `sandbox.env` and `sandbox.secretEnv`; null where nothing delivers them. */
  readonly sandboxEnvPrefix: string | null;
  /** Rows of the secrets catalogue that exist because of this backend. */
  readonly secrets: readonly SecretRow[];
  /** Names in `env.core` that configure this backend alone. A core that implements it reads them whatever is selected. */
  readonly settings: readonly Setting[];
  /** What the names of its settings and secrets begin with, so that a misspelt one is noticed; null where they vary. */
  readonly settingFamily: string | null;
  /** Null where nothing is named, or no rule knows how. */
  readonly machineNames: MachineNames | null;
  /** What the backend needs in core's environment besides its own name, which resolving puts there. */
  readonly coreEnv: (context: CoreEnvContext) => readonly BackendEnv[];
  /** True when agents run outside the operator's network and must reach core from there. */
  readonly remote: boolean;
  /** True when core starts sandboxes through the Docker socket of its host (docker only). */
  readonly dockerSocket: boolean;
  /** True when executables of `sandbox/` reach agents through a layer image. */
  readonly layerImage: (release: Release, target: TargetName) => boolean;
  /** `env.core` name without which egress of agent computers is open; null where egress is governed elsewhere. */
  readonly egressSetting: string | null;
  /** The command of this toolkit that proves the backend's key, which bring-up runs; null where there is none. */
  readonly proofCommand: string | null;
  /** The page of this toolkit on building a core image that implements it; null where there is none. */
  readonly coreGuide: string | null;
  /** Null where a contributor's own core cannot run it: `dev-env` does not offer it. */
  readonly devEnv: DevEnvSettings | null;
  readonly publish: (release: Release, target: TargetName) => PublishPlan;
}
