/** OpenEnv environments on boxd machines: `import { BoxdProvider, EnvClient } from "qm-deploy/openenv"`. See docs/boxd.md. */
export { BoxdProvider } from "./boxd-provider.ts";
export type { Connection } from "./connection.ts";
export { EnvClient, type EnvClientOptions, type StepResult } from "./env-client.ts";
export { EnvError, type Json } from "./env-socket.ts";
export type { BoxdProviderOptions } from "./options.ts";
export {
  ProviderError,
  type ContainerProvider,
  type ProviderErrorCode,
  type StartOptions,
  type WaitOptions,
} from "./container-provider.ts";
