import { endpoint, mailDomain, mailList } from "./addresses.ts";
import { flag, number } from "./readings.ts";
import type { Reading } from "./setting.ts";
import { text, verbatim } from "./text.ts";
import { unfit } from "./unfit.ts";
import { choice } from "./words.ts";

const URL_TEXT = { takes: "an http or https URL" };
const BROKER = "the sign-in broker, where it is enabled";
const NOBODY = "nobody can sign in";
const JWKS_URI = "OIDC_JWKS_URI";

/** Without keys portal/issuer-keys judges it. The portal compares no issuer with the empty text. */
const blankIssuer: Reading["judge"] = (value, { other }) => {
  if ((other(JWKS_URI) ?? "").trim() === "") return null;
  const [message, otherwise] =
    value === ""
      ? ["is blank", `a sign-in of any issuer that signs with the keys at ${JWKS_URI} counts`]
      : ["is nothing but blanks, which count", NOBODY];
  return unfit({ otherwise }, message, "name the `issuer` of the provider's `/.well-known/openid-configuration`");
};

const PLAYGROUND = { when: { name: "PORTAL_PLAYGROUND", is: "1" } } as const;

/** What the portal reads from its environment, by key. */
export const PORTAL = {
  "portal.nodeEnv": choice(
    "NODE_ENV",
    "Whether the portal demands what production needs",
    ["production", "development", "test"],
    { setBy: "the image of the portal", default: "production", ownRules: true },
  ),
  "portal.publicUrl": text("PORTAL_PUBLIC_URL", "Address under which people reach the portal", {
    ...URL_TEXT,
    setBy: "`publicUrl`",
    ownRules: true,
  }),
  "portal.webUiUpstream": text("WEB_UI_UPSTREAM", "Where the portal finds web-ui", {
    ...URL_TEXT,
    setBy: "the target",
  }),
  "portal.adminUpstream": text("ADMIN_UPSTREAM", "Where the portal finds admin", { ...URL_TEXT, setBy: "the target" }),
  "portal.trustedHops": number("PORTAL_XFF_TRUSTED_HOPS", "Proxies before the portal whose X-Forwarded-For counts", {
    otherwise: "no proxy counts, so rate limits take all visitors for one",
    blankIsZero: true,
    default: "0",
  }),
  "portal.expectedTeamId": verbatim("PORTAL_EXPECTED_TEAM_ID", "Slack workspace whose members may sign in", {
    otherwise: NOBODY,
  }),

  "portal.sessionTtl": number("PORTAL_SESSION_TTL_S", "Seconds that a sign-in lasts without use", {
    positive: true,
    blankIsZero: true,
    default: "28800",
  }),
  "portal.sessionMaxTtl": number(
    "PORTAL_SESSION_MAX_TTL_S",
    "Seconds that a sign-in lasts at most, no less than PORTAL_SESSION_TTL_S",
    { positive: true, blankIsZero: true, default: "86400" },
  ),
  "portal.impersonateTtl": number(
    "PORTAL_IMPERSONATE_TTL_S",
    "Seconds that an administrator may act as somebody else",
    {
      positive: true,
      blankIsZero: true,
      otherwise: "acting as somebody else has no time that counts",
      default: "3600",
    },
  ),
  "portal.cookieDomain": text(
    "PORTAL_COOKIE_DOMAIN",
    "Domain of the sign-in cookie, where it is wider than the portal's host",
    { takes: "a domain", ownRules: true },
  ),
  "portal.appsDomain": text("PORTAL_APPS_DOMAIN", "Domain of agents' apps that share the sign-in", {
    takes: "a domain",
    ownRules: true,
  }),
  "portal.deployments": flag("PORTAL_DEPLOYMENTS_ENABLED", "Serve agents' apps behind the sign-in"),
  "portal.favicon": text("PORTAL_FAVICON_EMOJI", "Emoji that is the page's icon"),
  "portal.localBypass": flag(
    "PORTAL_LOCAL_AUTH_BYPASS",
    "Sign everybody in as PORTAL_DEV_PRINCIPAL, for development alone",
  ),
  "portal.devPrincipal": text("PORTAL_DEV_PRINCIPAL", "Person that PORTAL_LOCAL_AUTH_BYPASS signs in", {
    default: "dev-admin",
  }),
  "portal.playground": flag("PORTAL_PLAYGROUND", "Let visitors try agents without signing in"),
  "portal.playgroundMints": number(
    "PORTAL_PLAYGROUND_MINTS_PER_IP",
    "Visits of the playground from one address within its window",
    { ...PLAYGROUND, whole: true, least: 1, most: 64, default: "30" },
  ),
  "portal.playgroundWindow": number("PORTAL_PLAYGROUND_MINT_WINDOW_S", "Length of the playground's window in seconds", {
    ...PLAYGROUND,
    whole: true,
    least: 60,
    most: 86_400,
    default: "3600",
  }),
  "portal.flyAppName": text("FLY_APP_NAME", "Name of the portal's own Fly app", { setBy: "Fly" }),

  "portal.brokerEmbedded": flag("AUTH_EMBEDDED", "Run the sign-in broker inside the portal", {
    setBy: "the service `auth`",
  }),
  "portal.brokerPrefix": text("AUTH_BROKER_PREFIX", "Path of the sign-in broker below the portal's address", {
    setBy: BROKER,
    default: "/idp",
  }),
  "portal.brokerUpstream": text("AUTH_BROKER_UPSTREAM", "Where the portal finds the sign-in broker", {
    ...URL_TEXT,
    setBy: BROKER,
    ownRules: true,
  }),

  "portal.allowedEmails": mailList("OIDC_ALLOWED_EMAILS", "People who may sign in", { always: true, setBy: BROKER }),
  "portal.allowedEmailDomain": mailDomain("OIDC_ALLOWED_EMAIL_DOMAIN", "Domain whose people may sign in", {
    list: "env.portal.OIDC_ALLOWED_EMAILS",
    setBy: BROKER,
  }),
  "portal.authEndpoint": endpoint("OIDC_AUTH_ENDPOINT", "Where the identity provider signs people in", "browser", {
    setBy: BROKER,
    default: "https://slack.com/openid/connect/authorize",
  }),
  "portal.clientId": text("OIDC_CLIENT_ID", "The portal's id at the identity provider", {
    setBy: BROKER,
    ownRules: true,
  }),
  "portal.clientSecret": text("OIDC_CLIENT_SECRET", "The portal's secret at the identity provider: a secret", {
    isSecret: true,
    ownRules: true,
  }),
  "portal.issuer": verbatim("OIDC_ISSUER", "Identity provider that signs people in", {
    takes: "an https URL",
    setBy: BROKER,
    default: "https://slack.com",
    otherwise: NOBODY,
    judgeBlank: blankIssuer,
  }),
  "portal.jwksUri": endpoint(JWKS_URI, "Where the identity provider publishes its keys", "portal", {
    always: true,
    setBy: BROKER,
    default: "https://slack.com/openid/connect/keys",
  }),
  "portal.principalClaim": choice("OIDC_PRINCIPAL_CLAIM", "What identifies a person to qm", ["email", "sub"], {
    always: true,
    blankCounts: true,
    setBy: BROKER,
    default: "email",
  }),
  "portal.prompt": text("OIDC_PROMPT", "What the identity provider is told to ask people", {
    takes: "a value of OpenID Connect's `prompt`",
  }),
  "portal.scopes": text("OIDC_SCOPES", "What the portal asks the identity provider for", {
    takes: "scopes with spaces between them",
    setBy: BROKER,
    default: "openid profile email",
  }),
  "portal.tokenEndpoint": endpoint("OIDC_TOKEN_ENDPOINT", "Where the portal redeems a sign-in", "portal", {
    setBy: BROKER,
    default: "https://slack.com/api/openid.connect.token",
  }),
  "portal.userinfoEndpoint": endpoint("OIDC_USERINFO_ENDPOINT", "Where the portal asks who signed in", "portal", {
    setBy: BROKER,
    default: "https://slack.com/api/openid.connect.userInfo",
  }),
} as const;
