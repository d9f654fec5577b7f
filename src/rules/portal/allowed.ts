import { field, removal, type Rule } from "../rule.ts";
import type { ServiceSettingKey } from "../../catalog/settings/index.ts";
import { settingValue, type PlacedValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";

export const ALLOWED_RULES: readonly Rule[] = [
  {
    id: "portal/principal-claim",
    title: "Allowed e-mails with another principal",
    clause: "config.v1",
    why: "A list of e-mails or a domain can only be trusted when the portal identifies people by their e-mail.",
    bad: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAIL_DOMAIN": "acme.dev", "OIDC_PRINCIPAL_CLAIM": "sub" } } }',
    good: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAIL_DOMAIN": "acme.dev", "OIDC_PRINCIPAL_CLAIM": "email" } } }',
    check(deployment, report) {
      const claim = ownProviderValue(deployment, "portal.principalClaim");
      if (claim?.value !== "sub") return;
      const emails = ownProviderValue(deployment, "portal.allowedEmails");
      // A list of commas names nobody, so that it asks nothing of the claim.
      const named = emails === null || emailsOf(emails.value).length === 0 ? null : emails;
      const list = ownProviderValue(deployment, "portal.allowedEmailDomain") ?? named;
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

/** The entries of a list of people as the portal reads them. */
export function emailsOf(list: string): string[] {
  return list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** A setting of the portal that counts: the portal runs, and with an identity provider of the deployer's own. */
export function ownProviderValue(
  { config, services, release }: Deployment,
  key: Extract<ServiceSettingKey, `portal.${string}`>,
): PlacedValue | null {
  return services.includes("portal") && !services.includes("auth") ? settingValue(config, release.release, key) : null;
}
