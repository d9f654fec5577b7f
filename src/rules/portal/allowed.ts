import { field, removal, replacement, type Rule } from "../rule.ts";
import { isDottedDomain } from "../../catalog/grammar/dns.ts";
import { badEntries, isEmail } from "../../catalog/grammar/email.ts";
import { findPlaceholder } from "../../config/placeholder.ts";
import { nameOf, type ServiceSettingKey } from "../../catalog/settings/index.ts";
import { settingValue, type PlacedValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";

export const ALLOWED_RULES: readonly Rule[] = [
  {
    id: "portal/email-domain",
    title: "E-mail domain that is none",
    clause: "config.v1",
    why: "It decides who may sign in. The portal compares it with what stands after the `@`, so a list or an address lets nobody in.",
    bad: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend", "AUTH_ALLOWED_EMAIL_DOMAIN": "@acme.dev" } } }',
    good: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend", "AUTH_ALLOWED_EMAIL_DOMAIN": "acme.dev" } } }',
    check(deployment, report) {
      const written = allowedDomain(deployment);
      if (written === null || isDottedDomain(written.value) || findPlaceholder(written.value) !== null) return;
      const bare = written.value.startsWith("@") ? written.value.slice(1) : "";
      const path = written.path;
      report({
        message: `${field(path)} must be one domain, such as \`acme.com\`, without \`@\` and without commas`,
        help: deployment.services.includes("auth")
          ? "name one domain, or list people in AUTH_ALLOWED_EMAILS instead"
          : `name one domain, or list people in \`env.portal.${nameOf(deployment.release.release, "portal.allowedEmails")}\` instead`,
        place: { path, at: "value" },
        fix: replacement(path, isDottedDomain(bare) ? bare : null, `remove the \`@\` of ${field(path)}`),
      });
    },
  },
  {
    id: "portal/allowed-emails",
    title: "List of people that is no list of addresses",
    clause: "config.v1",
    why: "It decides who may sign in. An entry that is no e-mail address matches nobody.",
    bad: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAILS": "ann@acme.dev; bob@acme.dev" } } }',
    good: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAILS": "ann@acme.dev, bob@acme.dev" } } }',
    check(deployment, report) {
      const written = ownProviderValue(deployment, "portal.allowedEmails");
      if (written === null || findPlaceholder(written.value) !== null) return;
      const bad = badEntries(written.value, (entry) => entry === "" || isEmail(entry));
      if (bad.length === 0) return;
      report({
        message: `${field(written.path)} must be a comma list of e-mail addresses: entry ${bad.join(", ")} is none`,
        help: "write the addresses with commas between them",
        place: { path: written.path, at: "value" },
      });
    },
  },
  {
    id: "portal/principal-claim",
    title: "Allowed e-mails with another principal",
    clause: "config.v1",
    why: "A list of e-mails or a domain can only be trusted when the portal identifies people by their e-mail.",
    bad: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAIL_DOMAIN": "acme.dev", "OIDC_PRINCIPAL_CLAIM": "sub" } } }',
    good: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAIL_DOMAIN": "acme.dev", "OIDC_PRINCIPAL_CLAIM": "email" } } }',
    check(deployment, report) {
      const claim = ownProviderValue(deployment, "portal.principalClaim");
      if (claim === null || claim.value === "email") return;
      const list =
        ownProviderValue(deployment, "portal.allowedEmailDomain") ??
        ownProviderValue(deployment, "portal.allowedEmails");
      if (list === null) return;
      report({
        message: `${field(claim.path)} must be \`email\`, as ${field(list.path)} lets people in by their e-mail`,
        help: "set it to `email` or remove it",
        place: { path: claim.path, at: "value" },
        fix: removal(claim.path),
      });
    },
  },
];

/** A setting of the portal that counts: the portal runs, and with an identity provider of the deployer's own. */
export function ownProviderValue(
  { config, services, release }: Deployment,
  key: Extract<ServiceSettingKey, `portal.${string}`>,
): PlacedValue | null {
  return services.includes("portal") && !services.includes("auth") ? settingValue(config, release.release, key) : null;
}

function allowedDomain(deployment: Deployment): PlacedValue | null {
  const { config, services, release } = deployment;
  if (services.includes("auth")) return settingValue(config, release.release, "auth.allowedEmailDomain");
  return ownProviderValue(deployment, "portal.allowedEmailDomain");
}
