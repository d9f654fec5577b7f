import { number } from "../settings/readings.ts";
import { text } from "../settings/text.ts";
import { hostedBackend } from "./parts.ts";

const EGRESS = "SMOLMACHINES_EGRESS_PROXY_URL";

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
  settings: [
    text("SMOLMACHINES_BASE_URL", "Address of the smolmachines API, where it is not the public one"),
    text("SMOLMACHINES_IMAGE", "Image that machines boot"),
    number("SMOLMACHINES_CPUS", "CPUs of each machine"),
    number("SMOLMACHINES_MEMORY_MB", "Memory of each machine in MB"),
    number("SMOLMACHINES_DISK_GB", "Disk of each machine in GB"),
    text("SMOLMACHINES_NAME_PREFIX", "Start of every machine name"),
    text(EGRESS, "Proxy that all traffic of agents is forced through"),
  ],
  egressSetting: EGRESS,
  devEnv: { prefix: "SMOLMACHINES_NAME_PREFIX" },
});
