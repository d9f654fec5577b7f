import type { RunnableServiceName, ServiceName, TargetName } from "../../config/written-config.ts";
import type { SecretRow } from "../secret-row.ts";
import type { RenamedSettings, SettingKey } from "../settings/index.ts";

/** What one known release of qm is, as data: the only file that changes when qm publishes a version. */
export interface Release {
  readonly version: string;
  /** True where npm has the package `@yc-software/qm` of this version. */
  readonly onNpm: boolean;
  /** True where the services themselves were read, so that what they refuse at boot is certain; else it is only likely. */
  readonly runtimeKnown: boolean;
  /** Settings that this release reads under another environment name than `settings/` says. */
  readonly renamed: RenamedSettings;
  /** Settings that no service of this release reads, because a later one brought them. */
  readonly unreadSettings: readonly SettingKey[];
  /** The service whose process each service runs in (itself, where it has its own). */
  readonly host: { readonly [service in ServiceName]: RunnableServiceName };
  /** Rows of the secrets catalogue but for those of backends; `secretRows(release)` has both. */
  readonly secrets: readonly SecretRow[];
  /** Published images by service, pinned by digest; null where the release published none. */
  readonly images: { readonly [service in RunnableServiceName]?: string } | null;
  /** Published image that layer images and local sandboxes start from, pinned by digest; null where there is none. */
  readonly sandboxBase: string | null;
  /** Backend names that qm's own CLI accepts in `sandbox.backend`, per target. */
  readonly backendPolicy: { readonly [target in TargetName]: readonly string[] };
  /** Backend names that the release's core implements, so that `env.core.SANDBOX_BACKEND` may name them. */
  readonly coreBackends: readonly string[];
  /** What may serve the apps that agents deploy (`DEPLOY_PROVIDER`). */
  readonly deployProviders: readonly string[];
  /** True when agents of Sprites boot a layer image that `sandbox publish` builds. */
  readonly layerImages: boolean;
  /** `SANDBOX_SCOPE_BACKENDS` is read. */
  readonly scopeBackends: boolean;
  /** `securityScreen` backends that it accepts. */
  readonly securityScreen: readonly ("off" | "model" | "proxy")[];
  /** `SECURITY_SCREEN_BACKEND` is rendered even when nothing is declared. */
  readonly securityScreenAlwaysRendered: boolean;
  /** Targets on which qm demands `sandbox.app` of a deployment with no backend that does without it. */
  readonly demandsSandboxApp: readonly TargetName[];
  /** The backend core runs when nothing names one; `ifApp` only when `sandbox.app` is set. */
  readonly defaultBackend: { readonly [target in TargetName]?: { readonly backend: string; readonly ifApp?: true } };
  /** Config fields that this release does not know, as dotted paths with `*` for any key or index. */
  readonly unsupportedFields: readonly string[];
  /** tool.json may have `install.files`. */
  readonly toolInstallFiles: boolean;
  /** What core keeps for tools of its own, by path below the home directory. */
  readonly ownCredentials: { readonly [path: string]: "directory" | "file" };
  /** Paths of credentials may have letters, digits and `._/@+-` alone. */
  readonly plainCredentialPaths: boolean;
  /** Names of the skills that core brings, sorted. */
  readonly builtInSkills: readonly string[];
  /** `AWS_DEPLOY_IMAGE` is demanded under every backend, or only when something uses it. */
  readonly awsDeployImage: "always" | "when-used";
  /** Its Terraform module leads names of core's own past the portal. */
  readonly coreHosts: boolean;
  /** `admin` may be enabled on aws without `portal`. */
  readonly awsAdminWithoutPortal: boolean;
  /** Settings that the target decides after `env` under this release alone; `targetOwnedEnv` has the others too. */
  readonly ownedEnv: {
    readonly [target in TargetName]?: { readonly [service in ServiceName]?: readonly SettingKey[] };
  };
  /** qm's own command line has `admin-login`, which prints a link for the first administrator. */
  readonly adminLogin: boolean;
  /** What core's image runs to bring the database's tables up to date; null where core does so itself, as it starts (docs/contract/qm-rendering.md#what-bringing-a-deployment-up-takes). */
  readonly migration: readonly string[] | null;
  /** HARNESS of core when `env.core` does not set it. */
  readonly defaultHarness: { readonly [target in TargetName]: string };
}
