import type { ServiceSettingKey } from "../../catalog/settings/index.ts";
import { isPrivateToPortal, readWebUrl, urlHostKind } from "../../catalog/grammar/host.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field, type Finding, names, notStarting, refusedAtBoot, type Rule, samePath, beside } from "../rule.ts";
import { processOf, type ServiceProcess } from "../process.ts";

/** The address that a service insists on, as each of them sees it. */
const ADDRESSES = [
  ["portal", "portal.publicUrl"],
  ["auth", "auth.issuer"],
] as const;

/** Where people reach the portal, and where the portal reaches the sign-in broker. */
export const ADDRESS_RULES: readonly Rule[] = [
  {
    id: "portal/public-url",
    title: "Portal without an https address of its own",
    why: "In production the portal and the sign-in broker refuse to start under anything but https: their cookies and links could be read on the way. With the broker the portal's address must be `publicUrl`, below which the broker issues sign-ins.",
    bad: '{ "publicUrl": "http://qm.acme.dev", "services": ["core", "web-ui", "portal"] }',
    good: '{ "publicUrl": "https://qm.acme.dev", "services": ["core", "web-ui", "portal"] }',
    check(deployment, report) {
      const plain = ADDRESSES.flatMap(([service, key]) => {
        const running = processOf(deployment, service);
        return running?.isProduction === true && running.text(key)?.startsWith("https://") === false
          ? [{ service, running, key }]
          : [];
      });
      for (const [at, { service, running, key }] of plain.entries()) {
        const path = running.fieldOf(key);
        const others = plain.slice(at + 1).filter((other) => samePath(other.running.fieldOf(other.key), path));
        // Both mostly rest on `publicUrl`, which aws has a rule for.
        const isSaid = plain.slice(0, at).some((other) => samePath(other.running.fieldOf(other.key), path));
        if (isSaid || (deployment.target === "aws" && path[0] === "publicUrl")) continue;
        report(notHttps(deployment, running, key, [service, ...others.map((other) => other.service)]));
      }
      const portal = processOf(deployment, "portal");
      if (portal !== null) reportOtherAddress(deployment, portal, report);
    },
  },
  {
    id: "portal/broker-upstream",
    title: "Sign-in broker that the portal does not trust",
    why: "In production the portal refuses to start with a broker on a host that it does not take for private, or that is not the issuer of its sign-ins.",
    bad: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "AUTH_BROKER_UPSTREAM": "https://auth.acme.dev" } } }',
    good: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAIL_DOMAIN": "acme.dev" } } }',
    check(deployment, report) {
      const portal = processOf(deployment, "portal");
      const upstream = portal?.text("portal.brokerUpstream") ?? "";
      if (portal?.isProduction !== true || upstream === "") return;
      const path = portal.fieldOf("portal.brokerUpstream");
      const severity = refusedAtBoot(deployment);
      const place = { path, at: "value" } as const;
      const host = readWebUrl(upstream)?.hostname;
      if (host === undefined || !isPrivateToPortal(host)) {
        const isDerived = path[0] !== "env";
        report({
          message: `${field(path)} ${isDerived ? "gives the sign-in broker" : "names"} a host that the portal does not take for private: ${notStarting(deployment, "portal")}`,
          help: isDerived
            ? "end the namespace in `.internal` or `.local`"
            : "remove it, and enable the service `auth` where you want the broker of qm",
          severity,
          place,
        });
      } else if (!deployment.services.includes("auth") && !isOwnIssuer(portal)) {
        report({
          message: `${field(path)} names a sign-in broker that is not the issuer of sign-ins: ${notStarting(deployment, "portal")}`,
          help: "remove it, and enable the service `auth` where you want the broker of qm",
          severity,
          place,
        });
      }
    },
  },
];

function notHttps(
  deployment: Deployment,
  running: ServiceProcess,
  key: ServiceSettingKey,
  services: readonly ("portal" | "auth")[],
): Finding {
  const isBlank = running.text(key)?.trim() === "";
  const programs = new Set(services.map((service) => deployment.release.release.host[service]));
  const asHttps = "use an https address, through a reverse proxy or a tunnel";
  const trial = services.map((service) => `env.${service}.NODE_ENV`);
  return {
    message: `${running.named(key)} is ${isBlank ? "blank" : "no https address"}: ${[...programs].map((program) => notStarting(deployment, program)).join(", and ")}`,
    help: isBlank
      ? "remove it: `publicUrl` says it"
      : deployment.target === "docker" && urlHostKind(running.text(key) ?? "") === "loopback"
        ? `${asHttps}; for a trial on this machine alone, set ${names(trial)} to \`development\``
        : asHttps,
    severity: refusedAtBoot(deployment),
    place: running.place(key),
  };
}

/** The broker issues sign-ins for `publicUrl`: a portal at another address refuses them before it starts. */
function reportOtherAddress(deployment: Deployment, portal: ServiceProcess, report: (finding: Finding) => void): void {
  const { publicOrigin, services } = deployment;
  const written = portal.text("portal.publicUrl");
  if (written === undefined || publicOrigin === null || !services.includes("auth") || !portal.isProduction) return;
  if (!written.startsWith("https://") || written.replace(/\/$/, "") === publicOrigin) return;
  report({
    message: `${portal.named("portal.publicUrl")} is not the same as \`publicUrl\`, below which the sign-in broker issues sign-ins: ${notStarting(deployment, "portal")}`,
    help: "remove it: `publicUrl` says it",
    severity: refusedAtBoot(deployment),
    place: portal.place("portal.publicUrl"),
    related: [beside(["publicUrl"], "where sign-ins are issued")],
  });
}

function isOwnIssuer(portal: ServiceProcess): boolean {
  const own = (key: ServiceSettingKey): string => (portal.text(key) ?? "").replace(/\/$/, "");
  const prefix = portal.text("portal.brokerPrefix")?.replace(/\/$/, "") ?? "/idp";
  const issuer = own("portal.publicUrl") + prefix;
  return portal.text("portal.issuer") === issuer && portal.text("portal.authEndpoint") === `${issuer}/authorize`;
}
