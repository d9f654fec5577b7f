import type { Deployment } from "../deployment/deployment.ts";
import { commentLines, generatedLines, publicArtifact } from "./artifact-text.ts";
import { piece, type Piece, type RenderContext } from "./context.ts";
import { yamlText } from "./yaml-text.ts";
import { appManifest, signInManifest } from "./slack/manifest.ts";

const SLACK_ENDPOINTS = ["OIDC_AUTH_ENDPOINT", "OIDC_TOKEN_ENDPOINT", "OIDC_USERINFO_ENDPOINT", "OIDC_ISSUER"] as const;

/** `slack-app-manifest.yml`, and `slack-sso-manifest.yml` where people sign in with Slack. */
export function renderSlackManifests({ deployment }: RenderContext): Piece {
  const bot = deployment.config.botName?.trim() || "qm";
  const artifacts = [manifest("slack-app-manifest.yml", appManifest(bot, deployment.config.orgId ?? ""))];
  if (signsInWithSlack(deployment) && deployment.publicOrigin !== null) {
    artifacts.push(manifest("slack-sso-manifest.yml", signInManifest(bot, deployment.publicOrigin)));
  }
  return piece({ artifacts });
}

function manifest(name: string, value: object) {
  return publicArtifact(
    name,
    commentLines("#", generatedLines("Paste it at api.slack.com/apps, Create New App, From a manifest.")) +
      yamlText(value),
  );
}

/** True when the portal trusts Slack: an OIDC endpoint at slack.com, or none at all and no broker of its own (then Slack is qm's default issuer). */
function signsInWithSlack(deployment: Deployment): boolean {
  if (!deployment.services.includes("portal") || deployment.services.includes("auth")) return false;
  const portal = deployment.config.env?.portal;
  const endpoints = SLACK_ENDPOINTS.flatMap((name) =>
    portal !== undefined && Object.hasOwn(portal, name) ? [portal[name] as string] : [],
  ).filter((value) => value.trim() !== "");
  return endpoints.length === 0 || endpoints.some(isSlackUrl);
}

function isSlackUrl(value: string): boolean {
  if (!URL.canParse(value.trim())) return false;
  const host = new URL(value.trim()).hostname;
  return host === "slack.com" || host.endsWith(".slack.com");
}
