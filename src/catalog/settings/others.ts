import { baseUrl } from "./addresses.ts";
import { flag, number } from "./readings.ts";
import { text } from "./text.ts";
import { choice } from "./words.ts";

const URL_TEXT = { takes: "an http or https URL" };
const TIMER = { positive: true, blankIsZero: true, otherwise: "web-ui does it every millisecond" } as const;
const DEFAULT = { positive: true, otherwise: "the default counts" } as const;
const NODE_ENV = ["production", "development", "test"];

/** What web-ui reads from its environment, by key. */
export const WEB_UI = {
  "web-ui.nodeEnv": choice("NODE_ENV", "`test` alone lets ALLOW_UNSIGNED_TEST_IDENTITY count", NODE_ENV, {
    setBy: "the image of web-ui",
    default: "production",
    ownRules: true,
  }),
  "web-ui.publicUrl": text("WEB_UI_PUBLIC_URL", "Address under which people reach web-ui", {
    ...URL_TEXT,
    setBy: "`publicUrl`",
  }),
  "web-ui.signedIdentity": flag(
    "REQUIRE_SIGNED_PORTAL_IDENTITY",
    "Take a person's identity only with the portal's signature",
    { setBy: "the target", otherwise: "identities are taken without a signature" },
  ),
  "web-ui.unsignedIdentity": flag("ALLOW_UNSIGNED_TEST_IDENTITY", "Take anybody for whom they say they are, in tests", {
    ownRules: true,
  }),
  "web-ui.deployAppsDomain": text("DEPLOY_APPS_DOMAIN", "Domain of agents' apps that pages may frame", {
    takes: "a domain",
  }),
  "web-ui.principals": text("WEB_UI_PRINCIPALS", "People who may sign in while no portal stands before web-ui", {
    takes: "ids with commas between them",
  }),
  "web-ui.deliveryPoll": number("WEB_DELIVERY_POLL_MS", "Milliseconds between two looks for messages", {
    ...TIMER,
    default: "2500",
  }),
  "web-ui.feedReconnect": number(
    "STATE_FEED_RECONNECT_MS",
    "Milliseconds before a lost connection to core is tried again",
    { ...TIMER, default: "3000" },
  ),
  "web-ui.favicon": text("WEB_UI_FAVICON_EMOJI", "Emoji that is the page's icon"),
  "web-ui.dev": flag("WEB_UI_DEV", "Serve pages for development"),
} as const;

/** What the admin pages read from their environment, by key. */
export const ADMIN = {
  "admin.nodeEnv": choice("NODE_ENV", "`test` alone lets ALLOW_UNSIGNED_TEST_IDENTITY count", NODE_ENV, {
    setBy: "the image of admin",
    default: "production",
    ownRules: true,
  }),
  "admin.basePath": text("ADMIN_BASE_PATH", "Path of the admin pages", {
    takes: "a path",
    setBy: "the target",
    ownRules: true,
  }),
  "admin.enabled": flag("ADMIN_ENABLED", "Serve the admin pages from web-ui", { setBy: "the service `admin`" }),
  "admin.unsignedIdentity": flag("ALLOW_UNSIGNED_TEST_IDENTITY", "Take anybody for whom they say they are, in tests", {
    ownRules: true,
  }),
} as const;

/** What the Slack part of core reads from its environment, by key. */
export const SLACK = {
  "slack.eventsMode": choice("SLACK_EVENTS_MODE", "How Slack hands messages over", ["socket", "http"], {
    trim: true,
    otherwise: "it counts as `socket`",
    default: "socket",
  }),
  "slack.eventsPort": number("SLACK_EVENTS_PORT", "Port for Slack's messages; `http` demands it", {
    positive: true,
    otherwise: "it counts as not set",
  }),
  "slack.apiUrl": baseUrl("SLACK_API_URL", "Address of Slack's API, where it is not the public one", {
    otherwise: "the Slack part does not start",
  }),
  "slack.identityEmail": text(
    "SLACK_IDENTITY_EMAIL",
    "`0` tells people apart by their Slack id instead of their e-mail address",
  ),
  "slack.logLevel": text("SLACK_LOG_LEVEL", "How much the Slack part logs", {
    takes: "`debug`, `info`, `warn` or `error`",
  }),
  "slack.userSnapshotTtl": number(
    "SLACK_USER_SNAPSHOT_TTL_MS",
    "Milliseconds that the list of people is kept",
    DEFAULT,
  ),
  "slack.channelMembersTtl": number(
    "SLACK_CHANNEL_MEMBERS_TTL_MS",
    "Milliseconds that a channel's members are kept",
    DEFAULT,
  ),
  "slack.userCacheTtl": number("SLACK_USER_CACHE_TTL_MS", "Milliseconds that one person's profile is kept", DEFAULT),
  "slack.maxPrivateChannels": number("SLACK_MAX_PRIVATE_CHANNELS", "Private channels that are looked at", DEFAULT),
  "slack.recentMessages": number("SLACK_RECENT_MESSAGES", "Messages of a channel that agents see", DEFAULT),
  "slack.userToken": text("SLACK_USER_TOKEN", "Token of a person: a secret", { isSecret: true, ownRules: true }),
  "slack.copilotToken": text("SLACK_COPILOT_BOT_TOKEN", "Token of the copilot's bot: a secret", {
    isSecret: true,
    ownRules: true,
  }),
  "slack.displayName": text("SLACK_BOT_DISPLAY_NAME", "Name under which agents post"),
  "slack.iconEmoji": text("SLACK_BOT_ICON_EMOJI", "Emoji that agents post with"),
} as const;

/** What every service but core reads from its environment, and marks of the target on all of them, by key. */
export const ALL = {
  "all.port": number("PORT", "Port that the service listens on", { setBy: "the target", default: "8080" }),
  "all.orgId": text("CORE_ORG_ID", "Organisation of the deployment", { setBy: "`orgId`", ownRules: true }),
  "all.coreUrl": text("CORE_API_URL", "Where the service finds core", {
    ...URL_TEXT,
    setBy: "the target",
    ownRules: true,
  }),
  "all.brandingDebug": text("BRANDING_DEBUG", "Log what is fetched of the brand, where it is not blank"),
  "all.deploymentId": text("QM_DEPLOYMENT_ID", "Mark by which qm knows the deployment's Fly apps", {
    setBy: "the target on fly",
  }),
} as const;
