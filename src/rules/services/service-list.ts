import type { ConfigPath } from "../../base/config-path.ts";
import { RUNNABLE_SERVICE_NAMES, SERVICE_NAMES, type ServiceName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { servicePath } from "../../deployment/plugins.ts";
import { type Finding, type Rule, assumedRelease, field, removal, beside } from "../rule.ts";

/** Which services run, and what is said about those that do not. */
export const SERVICE_LIST_RULES: readonly Rule[] = [
  {
    id: "services/core-missing",
    title: "No core",
    clause: "config.v1",
    why: "Every other service is a client of core.",
    bad: '{ "services": ["web-ui"] }',
    good: '{ "services": ["core", "web-ui"] }',
    check(deployment, report) {
      if (!knowsServices(deployment) || has(deployment, "core")) return;
      report({
        message: "`services` does not have `core`",
        help: "add it: every other service works with core",
        place: { path: ["services"] },
      });
    },
  },
  {
    id: "services/portal-missing",
    title: "Service that needs the portal",
    clause: "config.v1",
    why: "The portal is what publishes the sign-in broker, and on aws the only thing that may stand between the load balancer and the web interface.",
    bad: '{ "services": ["core", "web-ui", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    good: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    check(deployment, report) {
      if (!knowsServices(deployment) || has(deployment, "portal")) return;
      const { target, release, document } = deployment;
      const dependants: ServiceName[] = ["auth", ...(target === "aws" ? (["web-ui", "admin"] as const) : [])];
      for (const service of dependants) {
        if (!has(deployment, service) || (service === "admin" && release.release.awsAdminWithoutPortal)) continue;
        report({
          message:
            service === "auth"
              ? "`auth` needs `portal`, which is not in `services`"
              : `on aws \`${service}\` needs \`portal\`, which is not in \`services\``,
          help: `add \`portal\`, or remove \`${service}\`${service === "admin" ? assumedRelease(deployment) : ""}`,
          place: { path: servicePath(document, service) },
        });
      }
    },
  },
  {
    id: "services/web-ui-missing",
    title: "Portal without a web interface",
    severity: "warning",
    clause: "config.v1",
    why: "The portal signs people in and hands them to the web interface; without it they meet an error page. On aws qm refuses it.",
    bad: '{ "services": ["core", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    good: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    check(deployment, report) {
      if (!knowsServices(deployment) || !has(deployment, "portal") || has(deployment, "web-ui")) return;
      report({
        message: "`portal` has nothing to hand people to: `web-ui` is not in `services`",
        help: "add `web-ui`, or remove `portal`",
        severity: deployment.target === "aws" ? "error" : "warning",
        place: { path: servicePath(deployment.document, "portal") },
      });
    },
  },
  {
    id: "services/duplicate",
    title: "Service named twice",
    severity: "warning",
    why: "The second one changes nothing, and perhaps another service was meant.",
    bad: '{ "services": ["core", "web-ui", "web-ui"] }',
    good: '{ "services": ["core", "web-ui"] }',
    check({ document }, report) {
      const written = document.value(["services"]);
      if (!Array.isArray(written) || new Set(written).size === written.length) return;
      for (const [at, service] of written.entries()) {
        if (typeof service !== "string" || written.indexOf(service) === at) continue;
        const path = ["services", at];
        report({
          message: `\`services[${at}]\` names a service a second time`,
          help: "remove it",
          place: { path },
          related: [beside(["services", written.indexOf(service)], "the first time")],
          fix: removal(path, "safe"),
        });
      }
    },
  },
  {
    id: "services/disabled-service",
    title: "Setting of a service that does not run",
    severity: "warning",
    why: "An environment, image or machine size of a service that is not enabled, or that runs inside another one, changes nothing.",
    bad: '{ "services": ["core", "web-ui"], "env": { "core": { "HARNESS": "pi" }, "admin": { "ACME_MODE": "1" } } }',
    good: '{ "services": ["core", "web-ui"], "env": { "core": { "HARNESS": "pi" }, "web-ui": { "ACME_MODE": "1" } } }',
    check(deployment, report) {
      if (!knowsServices(deployment)) return;
      for (const service of deployment.document.value(["env"]) === undefined ? [] : SERVICE_NAMES) {
        if (deployment.services.includes(service)) continue;
        const path = ["env", service];
        if (written(deployment, path)) report(notEnabled(path, service));
      }
      for (const block of deployment.target === "fly" ? ["imageOverrides", "vms"] : ["imageOverrides"]) {
        if (!written(deployment, [block])) continue;
        for (const service of RUNNABLE_SERVICE_NAMES) {
          const path = [block, service];
          if (!written(deployment, path)) continue;
          const host = deployment.release.release.host[service];
          if (!deployment.services.includes(service) && !deployment.workloads.some(({ name }) => name === service))
            report(notEnabled(path, service));
          else if (host !== service) report(hosted(path, service, host, deployment));
        }
      }
    },
  },
];

/** True where all of `services` is understood, so that a service which is not among them really is not meant. */
export function knowsServices({ broken, config, document }: Deployment): boolean {
  const written = document.value(["services"]);
  return (
    !broken && config.services !== undefined && Array.isArray(written) && written.length === config.services.length
  );
}

/**
 * True where the list of a deployment's secrets can be complete: its target is known and all of `services` is understood and has
 * core. Elsewhere a secret that is not listed may be needed all the same.
 */
export function knowsSecrets(deployment: Deployment): boolean {
  return deployment.target !== null && knowsServices(deployment) && has(deployment, "core");
}

function has(deployment: Deployment, service: ServiceName): boolean {
  return deployment.services.includes(service);
}

function written({ document }: Deployment, path: ConfigPath): boolean {
  const value = document.value(path);
  return value !== undefined && (typeof value !== "object" || (value !== null && Object.keys(value).length > 0));
}

function notEnabled(path: ConfigPath, service: ServiceName): Finding {
  return {
    message: `\`${service}\` is not enabled, so ${field(path)} changes nothing`,
    help: `add \`${service}\` to \`services\`, or remove it`,
    place: { path },
    related: [{ place: { path: ["services"] }, message: "the services that run" }],
    fix: removal(path),
  };
}

function hosted(path: ConfigPath, service: ServiceName, host: ServiceName, deployment: Deployment): Finding {
  return {
    message: `in qm ${deployment.release.resolved} \`${service}\` runs inside \`${host}\`, so ${field(path)} changes nothing`,
    help: `use ${field([path[0] as string, host])}${assumedRelease(deployment)}`,
    place: { path },
    fix: removal(path),
  };
}
