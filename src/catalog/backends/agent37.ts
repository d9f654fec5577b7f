import { hostedBackend } from "./parts.ts";

/** Agent37: newer releases accept it in `sandbox.backend` on every target. */
export const BACKEND = hostedBackend({
  name: "agent37",
  title: "Agent37",
  summary: "agents work in Agent37 sandboxes; needs AGENT37_API_KEY",
  keys: [
    ["AGENT37_API_KEY", "Agent37 key that core runs the agents' sandboxes with", "an API key of your Agent37 account"],
  ],
});
