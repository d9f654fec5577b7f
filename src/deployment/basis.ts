import type { Release } from "../catalog/releases/release.ts";
import type { ConfigDocument } from "../config/document.ts";
import type { ServiceName, TargetName, WrittenConfig } from "../config/written.ts";
import type { SandboxSelection } from "./deployment.ts";
import type { DeploymentInputs } from "./inputs.ts";
import type { ModelChoice } from "./model.ts";
import type { Plugin } from "./plugins.ts";

/** What is decided of a deployment before its workloads and secrets are worked out. */
export interface Basis {
  readonly inputs: DeploymentInputs;
  readonly document: ConfigDocument;
  readonly config: WrittenConfig;
  readonly release: Release;
  readonly target: TargetName | null;
  readonly publicOrigin: string | null;
  /** Enabled services, without duplicates, in config order. */
  readonly services: readonly ServiceName[];
  readonly sandbox: SandboxSelection;
  readonly model: ModelChoice;
  readonly plugins: readonly Plugin[];
}
