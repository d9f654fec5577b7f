import type { Rule } from "../rule.ts";

/** What plain http is on aws, as words that complete "`publicUrl` …", and what to do. */
export const NO_PLAIN_HTTP = {
  problem: "must be https on aws",
  help: "use an https address with a certificate of ACM",
};

/** Addresses on aws. */
export const HTTPS_RULES: readonly Rule[] = [
  {
    id: "aws/https",
    title: "Plain http on aws",
    severity: "error",
    clause: "config.v1",
    why: "A portal hands out sign-ins, and agents carry their rights with each call of core. Over plain http both can be read on the way; qm refuses it on aws.",
    bad: '{ "target": "aws", "publicUrl": "http://qm.acme.dev" }',
    good: '{ "target": "aws", "publicUrl": "https://qm.acme.dev" }',
    check({ target, publicOrigin, services, model }, report) {
      if (target !== "aws" || publicOrigin === null || publicOrigin.startsWith("https:")) return;
      const hasPortal = services.includes("portal");
      if (!hasPortal && model.harness === "mock") return;
      report({
        message: `\`publicUrl\` ${NO_PLAIN_HTTP.problem} ${hasPortal ? "with `portal`" : `with the harness \`${model.harness?.slice(0, 40)}\``}`,
        help: NO_PLAIN_HTTP.help,
        place: { path: ["publicUrl"], at: "value" },
      });
    },
  },
  {
    id: "aws/protocols",
    title: "`apiUrl` with another protocol than `publicUrl`",
    severity: "error",
    clause: "config.v1",
    why: "Both are addresses of the same load balancer; qm refuses one with TLS and the other without.",
    bad: '{ "target": "aws", "apiUrl": "http://api.acme.dev" }',
    good: '{ "target": "aws", "apiUrl": "https://api.acme.dev" }',
    check({ target, config, publicOrigin }, report) {
      const { apiUrl } = config;
      if (
        target !== "aws" ||
        apiUrl === undefined ||
        publicOrigin === null ||
        new URL(apiUrl).protocol === new URL(publicOrigin).protocol
      )
        return;
      report({
        message: "`apiUrl` has another protocol than `publicUrl`",
        help: "use https for both",
        place: { path: ["apiUrl"], at: "value" },
      });
    },
  },
];
