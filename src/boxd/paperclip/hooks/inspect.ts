import type { PluginEnvironmentDriverBaseParams } from "@paperclipai/plugin-sdk";
import type { MachineState } from "../../driver/index.ts";
import type { Provider } from "../provider.ts";

/** The hook's name in the plugin's definition. No published host calls one of this kind yet, so the name is a guess, kept in one place. */
export const INSPECT_HOOK = "onEnvironmentInspectLease";

export interface InspectParams extends PluginEnvironmentDriverBaseParams {
  providerLeaseId: string;
  leaseMetadata?: Record<string, unknown>;
}

/** Where the lease's machine stands; `missing` only when it is gone beyond one stale reading. */
export interface InspectResult {
  providerLeaseId: string;
  state: Exclude<MachineState, "destroyed"> | "missing";
}

/** Reads the state of a lease's machine; starts and changes nothing. */
export async function inspectLease(provider: Provider, params: InspectParams): Promise<InspectResult> {
  const { providerLeaseId: id, leaseMetadata } = params;
  return provider.onLease(params, leaseMetadata, async ({ driver, deadline }) => {
    const seen = await driver.inspect(id, deadline);
    if (seen.state !== "absent") return { providerLeaseId: id, state: seen.state };
    return { providerLeaseId: id, state: (await driver.isGone(id, deadline)) ? "missing" : "unknown" };
  });
}
