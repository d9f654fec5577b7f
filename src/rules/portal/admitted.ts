import { isDottedDomain } from "../../catalog/grammar/dns.ts";
import { isEmail } from "../../catalog/grammar/email.ts";
import { notStarting, refusedAtBoot, type Rule } from "../rule.ts";
import { processOf } from "../process.ts";
import { emailsOf } from "./allowed.ts";

/** Who may sign in where several lists say it, or none does. */
export const ADMITTED_RULES: readonly Rule[] = [
  {
    id: "portal/nobody-allowed",
    title: "Portal that does not know who may sign in",
    why: "In production the portal starts only with a list of people, a domain or a Slack workspace: without one everybody with an account at the identity provider could sign in.",
    bad: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAILS": "," } } }',
    good: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAILS": "ann@acme.dev" } } }',
    check(deployment, report) {
      const portal = processOf(deployment, "portal");
      if (portal?.isProduction !== true) return;
      const severity = refusedAtBoot(deployment);
      const team = portal.text("portal.expectedTeamId") ?? "";
      if (team !== "" && team.trim() === "")
        report({
          message: `${portal.named("portal.expectedTeamId")} holds nothing but blanks: ${notStarting(deployment, "portal")}`,
          help: "name the Slack workspace (`T…`), or remove it",
          severity,
          place: portal.place("portal.expectedTeamId"),
        });
      const emails = portal.text("portal.allowedEmails");
      if (emails === undefined || emailsOf(emails).length > 0) return;
      if (portal.isSet("portal.expectedTeamId") || portal.isSet("portal.allowedEmailDomain")) return;
      report({
        message: `${portal.named("portal.allowedEmails")} names nobody, and nothing else says who may sign in: ${notStarting(deployment, "portal")}`,
        help: "list people, or set `OIDC_ALLOWED_EMAIL_DOMAIN` to their domain",
        severity,
        place: portal.place("portal.allowedEmails"),
      });
    },
  },
  {
    id: "portal/outside-domain",
    title: "People whom the domain shuts out",
    severity: "warning",
    why: "With a list of people and a domain both must hold: an address outside the domain can never sign in.",
    bad: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAILS": "ann@acme.dev, bob@other.dev", "OIDC_ALLOWED_EMAIL_DOMAIN": "acme.dev" } } }',
    good: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ALLOWED_EMAILS": "ann@acme.dev, bob@acme.dev", "OIDC_ALLOWED_EMAIL_DOMAIN": "acme.dev" } } }',
    check(deployment, report) {
      const portal = processOf(deployment, "portal");
      const domain = portal?.text("portal.allowedEmailDomain")?.trim().toLowerCase() ?? "";
      if (portal === null || !isDottedDomain(domain)) return;
      const emails = emailsOf(portal.text("portal.allowedEmails") ?? "");
      const outside = emails.filter((email) => isEmail(email) && !email.toLowerCase().endsWith(`@${domain}`));
      if (outside.length === 0) return;
      report({
        message: `${portal.named("portal.allowedEmails")} names ${outside.length === 1 ? "somebody" : `${outside.length} people`} outside ${portal.named("portal.allowedEmailDomain")}, who can never sign in, as both must hold`,
        help: "remove the domain, or those outside it",
        place: portal.place("portal.allowedEmails"),
        related: [{ place: portal.place("portal.allowedEmailDomain"), message: "the domain" }],
      });
    },
  },
];
