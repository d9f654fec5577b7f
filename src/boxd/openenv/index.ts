/** OpenEnv environments on boxd machines: `import { BoxdProvider, EnvClient } from "qm-deploy/openenv"`. See docs/boxd.md. */
export { BoxdProvider } from "./boxd-provider.ts";
export type { Connection } from "./connection.ts";
export { EnvClient, type EnvClientOptions, type StepResult } from "./env-client.ts";
export type { Json } from "./env-socket.ts";
export { EnvError, ProviderError, type ProviderErrorCode } from "./errors.ts";
export type { BoxdProviderOptions } from "./options.ts";
export type { ContainerProvider, StartOptions, WaitOptions } from "./container-provider.ts";
