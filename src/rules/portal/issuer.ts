import { readWebUrl } from "../../catalog/grammar/host.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { findPlaceholder } from "../../config/placeholder.ts";
import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { ownProviderValue } from "./allowed.ts";

/** Where the portal finds the keys that prove who signed in. */
export const ISSUER_KEYS: Rule = {
  id: "portal/issuer-keys",
  title: "Identity provider without https keys",
  severity: "error",
  clause: "config.v1",
  why: "The portal checks each sign-in against keys of the identity provider. It knows where Slack has its keys; of any other issuer it must be told, and over plain http anybody on the way could sign in as anybody.",
  bad: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ISSUER": "https://id.acme.dev" } } }',
  good: '{ "services": ["core", "web-ui", "portal"], "env": { "core": { "HARNESS": "pi" }, "portal": { "OIDC_ISSUER": "https://id.acme.dev", "OIDC_JWKS_URI": "https://id.acme.dev/keys" } } }',
  check(deployment, report) {
    const issuer = ownProviderValue(deployment, "portal.issuer");
    const keys = ownProviderValue(deployment, "portal.jwksUri");
    const name = nameOf(deployment.release.release, "portal.jwksUri");
    const path = ["env", "portal", name];
    if (keys !== null) {
      if (findPlaceholder(keys.value) !== null || readWebUrl(keys.value)?.protocol === "https:") return;
      report({
        message: `${field(path)} must be an https URL`,
        help: "use the address of the issuer's key set, as its `/.well-known/openid-configuration` names it",
        place: { path, at: "value" },
      });
      return;
    }
    const isUnsound =
      deployment.document.node(path) !== undefined && deployment.config.env?.portal?.[name] === undefined;
    if (
      issuer === null ||
      isSlack(issuer.value) ||
      findPlaceholder(issuer.value) !== null ||
      deployment.broken ||
      isUnsound
    )
      return;
    report({
      message: `${field(issuer.path)} is not Slack, so ${field(path)} must say where its keys are`,
      help: "set it to the `jwks_uri` of the issuer's `/.well-known/openid-configuration`",
      place: { path: issuer.path },
    });
  },
};

function isSlack(issuer: string): boolean {
  const host = readWebUrl(issuer)?.hostname;
  return host === "slack.com" || host?.endsWith(".slack.com") === true;
}
