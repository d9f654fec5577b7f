/**
 * qm's sandbox backend on boxd machines: `import { createBoxdSandbox, readBoxdSettings } from "qm-deploy/qm-sandbox"`.
 */
export type { BlobStaging } from "./blob-staging.ts";
export { createBoxdSandbox, type BoxdSandbox, type BoxdSandboxOptions } from "./boxd-sandbox.ts";
export type { SandboxIncident } from "./machines-by-name.ts";
export type { CredentialPath } from "./credential-links.ts";
export {
  readBackends,
  readBoxdSettings,
  SandboxEnvironmentError,
  type BackendName,
  type BoxdSandboxSettings,
  type VariableProblem,
} from "./settings.ts";
export type { WorkspaceSource } from "./layers.ts";
export * from "./sandbox.ts";
