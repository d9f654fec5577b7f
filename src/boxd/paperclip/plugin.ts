import { definePlugin, type PaperclipPlugin, type PluginContext } from "@paperclipai/plugin-sdk";
import { validateConfig } from "./config.ts";
import { destroyLease, releaseLease, stopLease, type Receipt, type ReleaseParams } from "./hooks/end-lease.ts";
import { INSPECT_HOOK, inspectLease, type InspectParams, type InspectResult } from "./hooks/inspect.ts";
import { probe } from "./hooks/probe.ts";
import { acquireLease, resumeLease } from "./hooks/start-lease.ts";
import { syncIn, syncOut } from "./hooks/sync-files.ts";
import { execute, realizeWorkspace } from "./hooks/use-lease.ts";
import { Provider, type ProviderOptions } from "./provider.ts";

/** The published definition, and the hooks that only newer hosts call; a host that does not know them never looks. */
export type BoxdDefinition = Parameters<typeof definePlugin>[0] & {
  onEnvironmentStopLease(params: ReleaseParams): Promise<Receipt>;
  [INSPECT_HOOK](params: InspectParams): Promise<InspectResult>;
};

/** The plugin's hooks (docs/contract/paperclip.md#hooks) on a provider of these options. */
export function boxdDefinition(options: ProviderOptions) {
  const provider = new Provider(options);
  let context: PluginContext | undefined;
  return {
    async setup(given: PluginContext) {
      context = given;
    },
    onHealth: async () => ({ status: "ok" as const }),
    onShutdown: () => provider.close(),
    onEnvironmentValidateConfig: async ({ config }) => validateConfig(config, provider.env),
    onEnvironmentProbe: (params) => probe(provider, params),
    onEnvironmentAcquireLease: (params) => acquireLease(provider, params),
    onEnvironmentResumeLease: (params) => resumeLease(provider, params),
    onEnvironmentReleaseLease: (params) => releaseLease(provider, params),
    onEnvironmentStopLease: (params) => stopLease(provider, params),
    onEnvironmentDestroyLease: (params) => destroyLease(provider, params),
    onEnvironmentRealizeWorkspace: (params) => realizeWorkspace(provider, params),
    onEnvironmentExecute: (params) => execute(provider, params, context?.execution),
    onEnvironmentSyncIn: (params) => syncIn(provider, params),
    onEnvironmentSyncOut: (params) => syncOut(provider, params),
    [INSPECT_HOOK]: (params) => inspectLease(provider, params),
  } satisfies BoxdDefinition;
}

/** The plugin as the SDK's worker takes it. */
export function boxdPlugin(options: ProviderOptions): PaperclipPlugin {
  return definePlugin(boxdDefinition(options));
}
