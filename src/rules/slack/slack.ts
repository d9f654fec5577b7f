import type { Rule } from "../rule.ts";
import { processOf } from "../process.ts";

const SERVICES = '"services": ["core", "slack", "web-ui"]';

/** What the Slack part of core needs beside its mode. */
export const SLACK_RULES: readonly Rule[] = [
  {
    id: "slack/events-port",
    title: "Slack over http without a port",
    severity: "warning",
    why: "With SLACK_EVENTS_MODE `http` core listens for Slack's messages on SLACK_EVENTS_PORT. Without it core starts, and its Slack part fails again and again in the log.",
    bad: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "slack": { "SLACK_EVENTS_MODE": "http" } } }`,
    good: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "slack": { "SLACK_EVENTS_MODE": "http", "SLACK_EVENTS_PORT": "3000" } } }`,
    check(deployment, report) {
      const slack = processOf(deployment, "slack");
      if (slack?.text("slack.eventsMode")?.trim() !== "http" || !slack.lacks("slack.eventsPort")) return;
      report({
        message: `${slack.named("slack.eventsMode")} is \`http\` without ${slack.named("slack.eventsPort")}, so the Slack part never starts`,
        help: "set the port that Slack's messages arrive at",
        place: slack.place("slack.eventsMode"),
      });
    },
  },
];
