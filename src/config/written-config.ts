/** The services that a config can declare. `slack` has no process of its own: it runs inside core. */
export const SERVICE_NAMES = ["core", "web-ui", "admin", "portal", "auth", "slack"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The services that are a program of their own (not necessarily a workload: newer releases host some in others). */
export const RUNNABLE_SERVICE_NAMES = ["core", "web-ui", "admin", "portal", "auth"] as const;
export type RunnableServiceName = (typeof RUNNABLE_SERVICE_NAMES)[number];

export const TARGET_NAMES = ["docker", "fly", "aws"] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

export const MODEL_PROVIDER_NAMES = ["anthropic", "openai", "openrouter"] as const;
export type ModelProviderName = (typeof MODEL_PROVIDER_NAMES)[number];

/** A map of environment names to values, or of any user-chosen names. Objects of this type have no prototype. */
export type StringMap = { readonly [name: string]: string };

export interface WrittenPluginSecret {
  readonly name?: string;
  readonly description?: string;
  readonly required?: boolean;
}

interface WrittenPlugin {
  readonly name?: string;
  readonly image?: string;
  readonly env?: StringMap;
  readonly secrets?: readonly WrittenPluginSecret[];
  readonly coreAccess?: boolean;
}

export interface WrittenSandbox {
  readonly backend?: string;
  readonly app?: string;
  readonly image?: string;
  readonly baseImage?: string;
  readonly env?: StringMap;
  readonly secretEnv?: readonly string[];
}

interface WrittenSecurityScreen {
  readonly backend?: "off" | "model" | "proxy";
  readonly provider?: string;
  readonly endpoint?: string;
  readonly rollout?: "shadow" | "enforce";
}

export interface WrittenVm {
  readonly size?: string;
  readonly memory?: string;
}

export interface WrittenAwsService {
  readonly ecrRepository?: string;
  readonly ecsService?: string;
  readonly cpu?: number;
  readonly memory?: number;
  readonly taskRoleArn?: string;
  readonly executionRoleArn?: string;
  readonly assumeRoleArns?: readonly string[];
  readonly publicPaths?: readonly string[];
  readonly architecture?: "arm64" | "amd64";
  readonly desiredCount?: number;
  readonly targetGroup?: string;
  readonly logGroup?: string;
  readonly stopTimeout?: number;
  readonly buildArgs?: StringMap;
  readonly dockerfile?: string;
}

export interface WrittenAws {
  readonly accountId?: string;
  readonly region?: string;
  readonly cluster?: string;
  readonly deployRoleArn?: string;
  readonly secretsPrefix?: string;
  readonly imageLabel?: string;
  readonly networking?: { readonly cloudMapNamespace?: string };
  readonly deploymentState?: { readonly table?: string; readonly namespace?: string };
  readonly alb?: string;
  readonly sharedAlb?: boolean;
  readonly backgroundWorkControl?: boolean;
  readonly rdsInstance?: string;
  readonly predeployDbSnapshot?: boolean;
  readonly dbRetentionMinDays?: number;
  readonly objectStoreBucket?: string;
  readonly deployBranch?: string;
  readonly deployEnvironment?: string;
  readonly services?: { readonly [workload: string]: WrittenAwsService };
}

/**
 * `qm.config.jsonc` as written, contract 1. Everything is optional because parts of a wrong shape are left out of it
 * (and reported): what is here has the type that it says. Values are raw: not trimmed, not normalised, no defaults.
 * Source of the contract: docs/contract/qm-config.md#fields.
 */
export interface WrittenConfig {
  readonly contract?: 1;
  readonly orgId?: string;
  readonly publicUrl?: string;
  readonly apiUrl?: string;
  readonly target?: TargetName;
  readonly model?: string;
  readonly modelProvider?: ModelProviderName;
  readonly basePort?: number;
  readonly services?: readonly ServiceName[];
  readonly plugins?: readonly WrittenPlugin[];
  readonly skills?: readonly string[];
  readonly env?: { readonly [service in ServiceName]?: StringMap };
  readonly secretEnv?: { readonly [service in ServiceName]?: StringMap };
  readonly securityScreen?: WrittenSecurityScreen;
  readonly vms?: { readonly [service in RunnableServiceName]?: WrittenVm };
  readonly imageOverrides?: { readonly [service in RunnableServiceName]?: string };
  readonly sandbox?: WrittenSandbox;
  readonly botName?: string;
  readonly orgName?: string;
  readonly appPrefix?: string;
  readonly region?: string;
  readonly flyOrg?: string;
  readonly imageFrom?: string;
  readonly deployAppPrefix?: string;
  readonly aws?: WrittenAws;
}
