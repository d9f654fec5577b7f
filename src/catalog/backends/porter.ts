import { fromOperator } from "../secret-sources.ts";
import type { Backend } from "./backend.ts";
import { hostedBackend } from "./parts/hosted.ts";

/** Porter: reached through `env.core.SANDBOX_BACKEND` alone. Its token also deploys agents' apps, whatever they work in. */
export const BACKEND: Backend = {
  ...hostedBackend({
    name: "porter",
    title: "Porter",
    summary: "agents work in Porter sandboxes; needs PORTER_DEPLOY_API_TOKEN",
    secrets: [],
  }),
  secrets: [
    {
      name: "PORTER_DEPLOY_API_TOKEN",
      description: "Porter token that core runs sandboxes and deploys agents' apps with",
      service: "core",
      when: {
        kind: "any",
        of: [
          { kind: "backend", backend: "porter" },
          { kind: "env", service: "core", name: "DEPLOY_PROVIDER", in: ["porter"] },
        ],
      },
      source: fromOperator("an API token of your Porter project"),
    },
  ],
};
