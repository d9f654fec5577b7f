/** OpenEnv environments on boxd machines: `import { BoxdProvider, EnvClient } from "qm-deploy/openenv"`. See docs/openenv.md. */
export { BoxdProvider } from "./boxd-provider.ts";
export type { Connection } from "./connection.ts";
export { EnvClient, type StepResult } from "./env-client.ts";
export { EnvError, type EnvClientOptions, type Json } from "./env-socket.ts";
export type { BoxdProviderOptions } from "./options.ts";
export * from "./container-provider.ts";
