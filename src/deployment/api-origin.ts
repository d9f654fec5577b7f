import { readOrigin } from "../config/origin-url.ts";
import type { DeploymentChoices } from "./deployment.ts";

/** Where what fly and aws serve can be reached by agents: the origin of `apiUrl` where it is set, else that of `publicUrl`; null where neither is sound. */
export function apiOrigin({ config, publicOrigin }: Pick<DeploymentChoices, "config" | "publicOrigin">): string | null {
  if (config.apiUrl === undefined) return publicOrigin;
  const reading = readOrigin(config.apiUrl);
  return reading.ok ? reading.origin : reading.canonical;
}
