import { findSecretPlaceholder } from "../../config/placeholder.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import type { Rule } from "../rule.ts";
import { processOf } from "../process.ts";
import { entriesByName, inEnvFile } from "./entries.ts";

export const SLACK_TOKEN_RULES: readonly Rule[] = [
  {
    id: "env-file/one-slack-token",
    title: "One of Slack's two tokens",
    severity: "warning",
    concerns: "secret-values",
    why: "In socket mode core needs a bot token and an app token. With one of them it starts without Slack, and says nothing. On fly and aws the other may be in the target's store: an info.",
    bad: "SLACK_BOT_TOKEN=xoxb-acme\n",
    good: "SLACK_BOT_TOKEN=xoxb-acme\nSLACK_APP_TOKEN=xapp-acme\n",
    check(deployment, report) {
      const slack = processOf(deployment, "slack");
      if (slack === null || deployment.env === null || slack.text("slack.eventsMode")?.trim() === "http") return;
      const tokens = ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"].flatMap((env) => {
        const secret = secretOf(deployment, env);
        return secret === undefined ? [] : [{ secret, entry: entriesByName(deployment).get(secret.name) }];
      });
      const filled = tokens.filter(
        ({ entry }) => entry !== undefined && entry.value.trim() !== "" && findSecretPlaceholder(entry.value) === null,
      );
      const missing = tokens.find((token) => !filled.includes(token));
      const [given] = filled;
      if (missing === undefined || given?.entry === undefined) return;
      report({
        message: `\`${given.secret.name}\` has a value and \`${missing.secret.name}\` has none, so core starts without Slack`,
        help: `set it with \`qm-deploy secrets set ${missing.secret.name}\`, or leave both out`,
        command: `qm-deploy secrets set ${missing.secret.name}`,
        severity: deployment.target === "docker" ? "warning" : "info",
        place: inEnvFile(deployment, given.entry.keyRange),
        related:
          missing.entry === undefined
            ? []
            : [{ place: inEnvFile(deployment, missing.entry.keyRange), message: "without a value" }],
      });
    },
  },
];

/** The secret that the Slack part gets under a name. */
function secretOf({ secrets, release }: Deployment, name: string): Secret | undefined {
  return secrets.find(({ destinations }) =>
    destinations.some(({ workload, env }) => workload === release.release.host.slack && env === name),
  );
}
