/**
 * qm's sandbox backend on boxd machines: `import { createBoxdSandbox, readBoxdSettings } from "qm-deploy/qm-sandbox"`.
 */
export type { BlobGrant } from "./blob-token.ts";
export { createBoxdSandbox, type BoxdSandbox } from "./boxd-sandbox.ts";
export type { BoxdSandboxOptions } from "./options.ts";
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
