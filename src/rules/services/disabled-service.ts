import { assumedRelease, field, type Finding, removal, type Rule } from "../rule.ts";
import { RUNNABLE_SERVICE_NAMES, SERVICE_NAMES, type ServiceName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { knowsServices } from "./service-list.ts";

/** What is said about services that do not run. */
export const DISABLED_SERVICE_RULES: readonly Rule[] = [
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

function written({ document }: Deployment, path: ConfigPath): boolean {
  const value = document.value(path);
  return value !== undefined && (typeof value !== "object" || (value !== null && Object.keys(value).length > 0));
}

function notEnabled(path: ConfigPath, service: ServiceName): Finding {
  return {
    message: `\`${service}\` is not enabled, so ${field(path)} changes nothing`,
    help: `add \`${service}\` to \`services\`, or remove it`,
    place: { path },
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
