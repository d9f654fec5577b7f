import type { PluginEnvironmentValidateConfigParams, PluginEnvironmentValidationResult } from "@paperclipai/plugin-sdk";
import { configProblems, normalizedConfig } from "../config.ts";
import type { Provider } from "../provider.ts";

/** Judges settings before the host stores them. Offline: whether the key works is the probe's question. */
export async function validateConfig(
  provider: Provider,
  params: PluginEnvironmentValidateConfigParams,
): Promise<PluginEnvironmentValidationResult> {
  const errors = configProblems(params.config, provider.env);
  return errors.length > 0 ? { ok: false, errors } : { ok: true, normalizedConfig: normalizedConfig(params.config) };
}
