import { hostedBackend } from "./parts.ts";

/** smolmachines: reached through `env.core.SANDBOX_BACKEND` alone; no release accepts it in `sandbox.backend`. */
export const BACKEND = hostedBackend({
  name: "smolmachines",
  title: "smolmachines",
  summary: "agents work in smolmachines; needs SMOLMACHINES_TOKEN",
  keys: [
    [
      "SMOLMACHINES_TOKEN",
      "smolmachines token that core runs the agents' sandboxes with",
      "a token of your smolmachines account",
    ],
  ],
  devEnv: {
    prefix: "SMOLMACHINES_NAME_PREFIX",
    egressProxy: "SMOLMACHINES_EGRESS_PROXY_URL",
    names: [
      "SMOLMACHINES_BASE_URL",
      "SMOLMACHINES_IMAGE",
      "SMOLMACHINES_CPUS",
      "SMOLMACHINES_MEMORY_MB",
      "SMOLMACHINES_DISK_GB",
    ],
  },
});
