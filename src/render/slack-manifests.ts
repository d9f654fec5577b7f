import type { Deployment } from "../deployment/deployment.ts";
import { settingValue } from "../deployment/env-values.ts";
import { type Artifact, generatedHeader, publicArtifact, type RenderContext, type RenderOutput } from "./artifact.ts";
import { yamlText } from "./yaml-text.ts";

const ENDPOINTS = ["portal.authEndpoint", "portal.tokenEndpoint", "portal.userinfoEndpoint", "portal.issuer"] as const;

/** `slack-app-manifest.yml`, and `slack-sso-manifest.yml` where people sign in with Slack. */
export function renderSlackManifests({ deployment }: RenderContext): readonly RenderOutput[] {
  const bot = deployment.config.botName?.trim() || "qm";
  const artifacts = [manifest("slack-app-manifest.yml", appManifest(bot, deployment.config.orgId ?? ""))];
  if (signsInWithSlack(deployment) && deployment.publicOrigin !== null) {
    artifacts.push(manifest("slack-sso-manifest.yml", signInManifest(bot, deployment.publicOrigin)));
  }
  return artifacts;
}

function manifest(name: string, value: object): Artifact {
  const header = generatedHeader("#", "Paste it at api.slack.com/apps, Create New App, From a manifest.");
  return publicArtifact(name, header + yamlText(value));
}

/** True when the portal trusts Slack: an OIDC endpoint at slack.com, or none at all and no broker of its own (then Slack is qm's default issuer). */
function signsInWithSlack(deployment: Deployment): boolean {
  if (!deployment.services.includes("portal") || deployment.services.includes("auth")) return false;
  const endpoints = ENDPOINTS.flatMap(
    (key) => settingValue(deployment.config, deployment.release.release, key)?.value ?? [],
  );
  return endpoints.length === 0 || endpoints.some(isSlackUrl);
}

function isSlackUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const host = new URL(value).hostname;
  return host === "slack.com" || host.endsWith(".slack.com");
}

/** Scopes and events of qm's bot: what its core asks of Slack (identifiers are Slack's). */
const BOT_SCOPES = `
  app_mentions:read assistant:write channels:history channels:manage channels:read chat:write chat:write.customize
  emoji:read files:read files:write groups:history groups:read groups:write im:history im:read im:write
  mpim:history mpim:read mpim:write pins:read pins:write reactions:read reactions:write users:read
  users:read.email
`
  .trim()
  .split(/\s+/);
const BOT_EVENTS = `
  app_mention assistant_thread_context_changed assistant_thread_started channel_created channel_rename
  channel_unarchive member_joined_channel member_left_channel message.channels message.groups message.im
  message.mpim reaction_added reaction_removed
`
  .trim()
  .split(/\s+/);

/** Slack app manifest of the bot; Socket Mode, so that core needs no inbound address. */
function appManifest(bot: string, org: string): object {
  return {
    display_information: {
      name: bot,
      description: `${bot} works with the people of ${org}`,
      background_color: "#1f2937",
    },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: bot, always_online: true },
      agent_view: { agent_description: `Ask ${bot} anything, also about what you are looking at.` },
    },
    oauth_config: { scopes: { bot: BOT_SCOPES } },
    settings: {
      event_subscriptions: { bot_events: BOT_EVENTS },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
}

/** Slack app manifest for signing in with Slack (OpenID Connect). */
function signInManifest(bot: string, publicOrigin: string): object {
  return {
    display_information: {
      name: `${bot} SSO`,
      description: `Sign in to ${bot} with Slack`,
      background_color: "#1f2937",
    },
    oauth_config: {
      redirect_urls: [`${publicOrigin}/auth/callback`],
      scopes: { user: ["openid", "profile", "email"] },
    },
    settings: { org_deploy_enabled: false, socket_mode_enabled: false, token_rotation_enabled: false },
  };
}
