import {
  allOf,
  type Condition,
  fromOperator,
  made,
  isNotSet,
  isSet,
  rowsOf,
  type SecretRow,
} from "../../secret-row.ts";

/** Sign-in is left to an identity provider outside: the broker is off. */
const NO_BROKER: Condition = { kind: "service", service: "auth", enabled: false };
const BROKER: Condition = { kind: "service", service: "auth", enabled: true };

const BROKER_CLIENT_SECRET = made("AUTH_CLIENT_SECRET", "Shared by the portal and the sign-in broker");

const SLACK_ROWS = rowsOf("slack", [
  {
    name: "SLACK_BOT_TOKEN",
    description: "Bot token of the Slack app (xoxb-…)",
    optional: true,
    source: fromOperator("Slack app, OAuth & Permissions"),
  },
  {
    name: "SLACK_APP_TOKEN",
    description: "App-level token for socket mode (xapp-…)",
    optional: true,
    source: fromOperator("Slack app, Basic Information, App-Level Tokens"),
  },
  {
    name: "SLACK_SIGNING_SECRET",
    description: "Proves that an event over http comes from Slack",
    when: isSet("slack.eventsMode", "http"),
    source: fromOperator("Slack app, Basic Information, App Credentials"),
  },
]);

/** Keys of core that other services share with it. */
const SHARED_ROWS: readonly SecretRow[] = [
  ...(["slack", "web-ui", "admin", "portal", "auth"] as const).map((service) => ({
    ...made("CORE_SIGNING_SECRET", "Signs requests between the services and core"),
    service,
  })),
  ...(["portal", "web-ui", "admin"] as const).map((service) => ({
    ...made("PORTAL_IDENTITY_SECRET", "Signs who is signed in, from the portal to the services behind it"),
    service,
  })),
];

const PORTAL_ROWS = rowsOf("portal", [
  {
    name: "OIDC_CLIENT_ID",
    description: "Client id at the identity provider that signs people in",
    setting: "portal.clientId",
    when: allOf(NO_BROKER, isNotSet("portal.clientId")),
    source: fromOperator("the OpenID Connect client at your identity provider"),
  },
  {
    name: "OIDC_CLIENT_SECRET",
    description: "Client secret at the identity provider that signs people in",
    setting: "portal.clientSecret",
    when: NO_BROKER,
    source: fromOperator("the OpenID Connect client at your identity provider"),
  },
  {
    name: "PORTAL_EXPECTED_TEAM_ID",
    description: "Slack workspace whose members may sign in (T…)",
    setting: "portal.expectedTeamId",
    when: allOf(
      NO_BROKER,
      isNotSet("portal.allowedEmails"),
      isNotSet("portal.allowedEmailDomain"),
      isNotSet("portal.expectedTeamId"),
    ),
    source: fromOperator("the team id of your Slack workspace"),
  },
  made("PORTAL_SESSION_SECRET", "Encrypts sign-in sessions of the portal"),
]);

const BROKER_ROWS: readonly SecretRow[] = [
  ...rowsOf("auth", [
    made("AUTH_SIGNING_JWK", "Private P-256 key that signs the identity tokens of the sign-in broker", {
      kind: "p256-jwk",
    }),
    made("AUTH_TOKEN_SECRET", "Protects the sign-in links and codes that the broker sends"),
    BROKER_CLIENT_SECRET,
  ]),
  { ...BROKER_CLIENT_SECRET, service: "portal", setting: "portal.clientSecret", when: BROKER },
  allowedEmails("auth"),
  { ...allowedEmails("portal"), setting: "portal.allowedEmails" },
];

/** The row that brings the list of people who may sign in to one service: needed where no domain says who may. */
export function allowedEmails(service: "auth" | "portal" | "core"): SecretRow {
  return {
    name: "AUTH_ALLOWED_EMAILS",
    description: "Comma-separated e-mail addresses that may sign in",
    service,
    when: allOf(BROKER, isNotSet("auth.allowedEmailDomain")),
    source: fromOperator("the addresses of your people, or set `env.auth.AUTH_ALLOWED_EMAIL_DOMAIN` instead"),
  };
}

/** The sender of sign-in e-mails as one service reads it. */
export const EMAIL_FROM = {
  name: "AUTH_EMAIL_FROM",
  description: "Sender of sign-in e-mails",
  source: fromOperator("an address of a domain that your mail provider has verified"),
};

export const RESEND_KEY = {
  name: "RESEND_API_KEY",
  description: "Resend key that sends e-mails",
  source: fromOperator("resend.com/api-keys"),
};

/** What the sign-in broker needs to send e-mails; newer releases start without it and sign nobody in by e-mail. */
export function brokerEmailSecrets(optional: boolean): readonly SecretRow[] {
  const smtp = isSet("auth.emailTransport", "smtp");
  const provider = { when: smtp, source: fromOperator("your mail provider") };
  const host = { when: smtp, source: fromOperator("the host name of your mail provider") };
  const rows = [
    EMAIL_FROM,
    { ...RESEND_KEY, when: isSet("auth.emailTransport", "resend") },
    { ...host, name: "SMTP_HOST", description: "Mail server that sends sign-in e-mails" },
    { ...provider, name: "SMTP_USERNAME", description: "User name at the mail server" },
    { ...provider, name: "SMTP_PASSWORD", description: "Password at the mail server" },
  ];
  return rowsOf("auth", optional ? rows.map((row) => ({ ...row, optional })) : rows);
}

/** The rows of slack, web-ui, admin, portal and auth that every known release has. */
export const EDGE_SECRETS: readonly SecretRow[] = [...SLACK_ROWS, ...SHARED_ROWS, ...PORTAL_ROWS, ...BROKER_ROWS];
