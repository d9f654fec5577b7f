import { anyOf, fromOperator, isSet } from "../secret-row.ts";
import { hostedBackend } from "./parts.ts";

/** Porter: reached through `env.core.SANDBOX_BACKEND` alone. Its token also deploys agents' apps, whatever they work in. */
export const BACKEND = hostedBackend({
  name: "porter",
  title: "Porter",
  summary: "agents work in Porter sandboxes; needs PORTER_DEPLOY_API_TOKEN",
  secrets: [
    {
      name: "PORTER_DEPLOY_API_TOKEN",
      description: "Porter token that core runs sandboxes and deploys agents' apps with",
      service: "core",
      when: anyOf({ kind: "backend", backend: "porter" }, isSet("core.deployProvider", "porter")),
      source: fromOperator("an API token of your Porter project"),
    },
  ],
});
