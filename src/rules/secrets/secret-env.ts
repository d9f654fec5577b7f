import { SERVICE_NAMES, type ServiceName } from "../../config/written-config.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { managedNames } from "../services/managed-env.ts";
import { field, type Rule, beside } from "../rule.ts";

/** One entry of `secretEnv`: the service's environment `name` gets the value that the store keeps as `secret`. */
export interface SecretRoute {
  readonly service: ServiceName;
  readonly name: string;
  readonly secret: string;
  readonly path: ConfigPath;
}

const CONTROL = "DEPLOYMENT_CONTROL_SECRET";

/** Where `secretEnv` sends secrets. */
export const SECRET_ENV_RULES: readonly Rule[] = [
  {
    id: "secrets/managed-name",
    title: "Secret under a managed name",
    clause: "config.secretEnv",
    why: "Some environment names are set by the target or by other fields. qm refuses a secret under one of them.",
    bad: '{ "secretEnv": { "core": { "PORT": "CORE_PORT" } } }',
    good: '{ "secretEnv": { "core": { "ACME_TOKEN": "ACME_TOKEN" } } }',
    check(deployment, report) {
      const managedBy = managedRoutes(deployment);
      for (const route of secretRoutes(deployment)) {
        const by = managedBy(route);
        if (by !== null)
          report({
            message: `${field(route.path)} is decided by ${by}`,
            help: "remove it",
            place: { path: route.path },
          });
      }
    },
  },
  {
    id: "secrets/core-only",
    title: "Secret that only core may have",
    clause: "config.secretEnv",
    why: "The key that controls deployments is core's: any other service that had it could pause and resume core's work.",
    bad: '{ "secretEnv": { "web-ui": { "ACME_CONTROL": "DEPLOYMENT_CONTROL_SECRET" } } }',
    good: '{ "secretEnv": { "core": { "ACME_TOKEN": "ACME_TOKEN" } } }',
    check(deployment, report) {
      for (const route of secretRoutes(deployment)) {
        const isControl = route.secret === CONTROL || route.name === CONTROL;
        if (isControl && !(route.service === "core" && route.secret === route.name)) {
          report({
            message: `${field(route.path)} takes \`${CONTROL}\` out of its place: only core may have it, under its own name`,
            help: "remove it",
            place: { path: route.path },
          });
        }
      }
    },
  },
  {
    id: "secrets/screen-token",
    title: "Security screen proxy and its token",
    clause: "config.secretEnv",
    why: "The proxy that screens messages lets core in by a token. qm refuses one of the two without the other.",
    bad: '{ "secretEnv": { "core": { "SECURITY_SCREEN_PROXY_TOKEN": "SCREEN_TOKEN" } } }',
    good: '{ "securityScreen": { "backend": "proxy", "provider": "acme", "endpoint": "https://screen.acme.dev", "rollout": "shadow" }, "secretEnv": { "core": { "SECURITY_SCREEN_PROXY_TOKEN": "SCREEN_TOKEN" } } }',
    check(deployment, report) {
      if (deployment.broken) return;
      const { config, document, release } = deployment;
      const token = nameOf(release.release, "core.securityScreenToken");
      const route = secretRoutes(deployment).find(({ service, name }) => service === "core" && name === token);
      const proxy = config.securityScreen?.backend === "proxy";
      if (proxy && route === undefined && document.node(["secretEnv", "core", token]) === undefined) {
        report({
          message: `\`securityScreen\` uses a proxy, and \`secretEnv.core.${token}\` is missing`,
          help: "route the token that the proxy knows core by, and keep its value in `.env` or the target's store",
          place: { path: ["securityScreen", "backend"] },
        });
      }
      // A screen of a wrong shape is reported as that.
      if (
        !proxy &&
        route !== undefined &&
        (config.securityScreen !== undefined || document.node(["securityScreen"]) === undefined)
      ) {
        report({
          message: `${field(route.path)} has nothing to open: \`securityScreen\` uses no proxy`,
          help: "set `securityScreen` to a proxy, or remove the token",
          place: { path: route.path },
          related: [beside(["securityScreen", "backend"], "what screens instead")],
        });
      }
    },
  },
  {
    id: "secrets/disabled-service",
    title: "Secret for a service that is not enabled",
    severity: "warning",
    clause: "config.secretEnv",
    why: "qm skips the routes of a service that `services` does not list, without a word: the secret is neither asked for nor delivered.",
    bad: '{ "services": ["core", "web-ui"], "secretEnv": { "admin": { "ACME_TOKEN": "ACME_TOKEN" } } }',
    good: '{ "services": ["core", "web-ui"], "secretEnv": { "web-ui": { "ACME_TOKEN": "ACME_TOKEN" } } }',
    check({ config, services, broken }, report) {
      if (broken || config.services === undefined) return;
      for (const service of SERVICE_NAMES) {
        if (services.includes(service) || Object.keys(config.secretEnv?.[service] ?? {}).length === 0) continue;
        report({
          message: `\`${service}\` is not enabled, so nothing of ${field(["secretEnv", service])} is delivered`,
          help: `add \`${service}\` to \`services\`, or remove the block`,
          place: { path: ["secretEnv", service] },
        });
      }
    },
  },
];

/** Every route of `secretEnv`, of services that are not enabled too. */
export function secretRoutes({ config }: Deployment): SecretRoute[] {
  return SERVICE_NAMES.flatMap((service) =>
    Object.entries(config.secretEnv?.[service] ?? {}).map(([name, secret]) => ({
      service,
      name,
      secret,
      path: ["secretEnv", service, name],
    })),
  );
}

/** Asks who decides an environment name that no secret may have; null where it is free. `secrets/managed-name` refuses the others. */
export function managedRoutes(deployment: Deployment): (route: SecretRoute) => string | null {
  const managedBy = managedNames(deployment, "secretEnv");
  const { services } = deployment;
  const servesAdmin = services.includes("portal") && services.includes("admin");
  return ({ service, name }) =>
    managedBy(service, name) ??
    (servesAdmin && name === "ADMIN_BASE_PATH" && service === "admin"
      ? "the portal, which serves admin under `/admin`"
      : null);
}
