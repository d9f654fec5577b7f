import { text } from "../settings/text.ts";
import { hostedBackend } from "./parts.ts";

/** Superserve: newer releases accept it in `sandbox.backend` on every target; core must be told which template to boot. */
export const BACKEND = hostedBackend({
  name: "superserve",
  title: "Superserve",
  summary: "agents work in Superserve sandboxes; needs SUPERSERVE_API_KEY and `env.core.SUPERSERVE_TEMPLATE`",
  keys: [
    [
      "SUPERSERVE_API_KEY",
      "Superserve key that core runs the agents' sandboxes with",
      "an API key of your Superserve account",
    ],
  ],
  settings: [
    text("SUPERSERVE_TEMPLATE", "Superserve template that sandboxes boot", { example: "acme-agents", required: true }),
  ],
});
