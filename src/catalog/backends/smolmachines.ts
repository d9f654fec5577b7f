import { hostedBackend } from "./parts/hosted.ts";

/** smolmachines: reached through `env.core.SANDBOX_BACKEND` alone; no release accepts it in `sandbox.backend`. */
export const BACKEND = hostedBackend({
  name: "smolmachines",
  title: "smolmachines",
  summary: "agents work in smolmachines; needs SMOLMACHINES_TOKEN",
  secrets: [
    [
      "SMOLMACHINES_TOKEN",
      "smolmachines token that core runs the agents' sandboxes with",
      "a token of your smolmachines account",
    ],
  ],
});
