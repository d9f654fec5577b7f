import { hostedBackend } from "./parts.ts";

/** E2B: reached through `env.core.SANDBOX_BACKEND` alone. */
export const BACKEND = hostedBackend({
  name: "e2b",
  title: "E2B",
  summary: "agents work in E2B sandboxes; needs E2B_API_KEY",
  keys: [["E2B_API_KEY", "E2B key that core runs the agents' sandboxes with", "e2b.dev/dashboard, API keys"]],
});
