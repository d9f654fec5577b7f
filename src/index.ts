/** The library: everything pure, and reading deployments from disk. */
export * from "./pure.ts";
export { findDeployments, type Found, type FoundConfig } from "./workspace/find-deployments.ts";
export { loadDeployment, type LoadOptions, type LoadOutcome } from "./workspace/load-deployment.ts";
export { applyFixes, type FixedDeployment } from "./rules/apply-fixes.ts";
