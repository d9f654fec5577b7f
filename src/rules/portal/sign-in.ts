import { nameOf, wordsOf } from "../../catalog/settings/index.ts";
import { findPlaceholder } from "../../config/placeholder.ts";
import { envValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field, isUnsoundEnv, names, notStarting, refusedAtBoot, removal, type Report, type Rule } from "../rule.ts";
import { processOf } from "../process.ts";
import { readWebUrl } from "../../catalog/grammar/host.ts";
import { ownProviderValue } from "./allowed.ts";

export const SIGN_IN_RULES: readonly Rule[] = [
  {
    id: "portal/email-transport",
    title: "Sign-in broker without a way to send e-mails",
    clause: "config.v1",
    why: "The broker signs people in with links that it sends by e-mail. qm demands that the way is named, exactly as it writes it.",
    bad: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_BRAND_NAME": "Acme" } } }',
    good: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    check(deployment, report) {
      const { config, services, broken } = deployment;
      if (!services.includes("auth")) return;
      const name = nameOf(deployment.release.release, "auth.emailTransport");
      const path = ["env", "auth", name];
      if (envValue(config, "auth", name) !== null || broken || isUnsoundEnv(deployment, "auth", name)) return;
      report({
        message: `${field(path)} is not set, and \`auth\` must send its sign-in links somehow`,
        help: `set it to ${names(wordsOf("auth.emailTransport", deployment.release.release), "or")}`,
        place: { path },
      });
    },
  },
  {
    id: "portal/issuer-keys",
    title: "Identity provider without https keys",
    clause: "config.v1",
    why: "The portal checks each sign-in against keys of the identity provider. It knows where Slack has its keys; of any other issuer it must be told, and over plain http anybody on the way could sign in as anybody.",
    bad: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ISSUER": "https://id.acme.dev" } } }',
    good: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ISSUER": "https://id.acme.dev", "OIDC_JWKS_URI": "https://id.acme.dev/keys" } } }',
    check(deployment, report) {
      reportBlankIssuer(deployment, report);
      const issuer = ownProviderValue(deployment, "portal.issuer");
      const keys = ownProviderValue(deployment, "portal.jwksUri");
      const name = nameOf(deployment.release.release, "portal.jwksUri");
      const path = ["env", "portal", name];
      if (
        keys !== null ||
        issuer === null ||
        isSlack(issuer.value) ||
        findPlaceholder(issuer.value) !== null ||
        deployment.broken ||
        isUnsoundEnv(deployment, "portal", name)
      )
        return;
      report({
        message: `${field(issuer.path)} is not Slack, so ${field(path)} must say where its keys are`,
        help: "set it to the `jwks_uri` of the issuer's `/.well-known/openid-configuration`",
        place: { path: issuer.path },
      });
    },
  },
];

/** qm's own check takes a blank issuer for none; the portal takes it for one that is not Slack. */
function reportBlankIssuer(deployment: Deployment, report: Report): void {
  const portal = processOf(deployment, "portal");
  if (portal?.isProduction !== true || portal.text("portal.issuer")?.trim() !== "") return;
  if (!portal.lacks("portal.jwksUri")) return;
  report({
    message: `${portal.named("portal.issuer")} is blank, which the portal does not take for Slack, and it knows no keys of another: ${notStarting(deployment, "portal")}`,
    help: "remove it where people sign in with Slack",
    severity: refusedAtBoot(deployment),
    place: portal.place("portal.issuer"),
    fix: removal(portal.fieldOf("portal.issuer")),
  });
}

function isSlack(issuer: string): boolean {
  const host = readWebUrl(issuer)?.hostname;
  return host === "slack.com" || host?.endsWith(".slack.com") === true;
}
