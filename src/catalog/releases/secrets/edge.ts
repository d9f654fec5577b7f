import type { Condition } from "../../condition.ts";
import type { SecretRow } from "../../secret-row.ts";
import { fromOperator, HEX32, P256_JWK } from "../../secret-sources.ts";

/** Sign-in is left to an identity provider outside: the broker is off. */
const NO_BROKER: Condition = { kind: "service", service: "auth", enabled: false };

/** The broker is on, and no domain says who may sign in. */
const BROKER_WITHOUT_DOMAIN: Condition = {
  kind: "all",
  of: [
    { kind: "service", service: "auth", enabled: true },
    { kind: "env", service: "auth", name: "AUTH_ALLOWED_EMAIL_DOMAIN", is: "absent" },
  ],
};

const SLACK_ROWS: readonly SecretRow[] = [
  {
    name: "SLACK_BOT_TOKEN",
    description: "Bot token of the Slack app (xoxb-…)",
    service: "slack",
    optional: true,
    source: fromOperator("Slack app, OAuth & Permissions"),
  },
  {
    name: "SLACK_APP_TOKEN",
    description: "App-level token for socket mode (xapp-…)",
    service: "slack",
    optional: true,
    source: fromOperator("Slack app, Basic Information, App-Level Tokens"),
  },
  {
    name: "SLACK_SIGNING_SECRET",
    description: "Proves that an event over http comes from Slack",
    service: "slack",
    when: { kind: "env", service: "slack", name: "SLACK_EVENTS_MODE", in: ["http"] },
    source: fromOperator("Slack app, Basic Information, App Credentials"),
  },
];

/** Keys of core that other services share with it. */
const SHARED_ROWS: readonly SecretRow[] = [
  ...(["slack", "web-ui", "admin", "portal", "auth"] as const).map((service): SecretRow => ({
    name: "CORE_SIGNING_SECRET",
    description: "Signs requests between the services and core",
    service,
    source: HEX32,
  })),
  ...(["portal", "web-ui", "admin"] as const).map((service): SecretRow => ({
    name: "PORTAL_IDENTITY_SECRET",
    description: "Signs who is signed in, from the portal to the services behind it",
    service,
    source: HEX32,
  })),
];

const PORTAL_ROWS: readonly SecretRow[] = [
  {
    name: "OIDC_CLIENT_ID",
    description: "Client id at the identity provider that signs people in",
    service: "portal",
    when: { kind: "all", of: [NO_BROKER, { kind: "env", service: "portal", name: "OIDC_CLIENT_ID", is: "absent" }] },
    source: fromOperator("the OpenID Connect client at your identity provider"),
  },
  {
    name: "OIDC_CLIENT_SECRET",
    description: "Client secret at the identity provider that signs people in",
    service: "portal",
    when: NO_BROKER,
    source: fromOperator("the OpenID Connect client at your identity provider"),
  },
  {
    name: "PORTAL_EXPECTED_TEAM_ID",
    description: "Slack workspace whose members may sign in (T…)",
    service: "portal",
    when: {
      kind: "all",
      of: [
        NO_BROKER,
        ...["OIDC_ALLOWED_EMAILS", "OIDC_ALLOWED_EMAIL_DOMAIN", "PORTAL_EXPECTED_TEAM_ID"].map((name): Condition => ({
          kind: "env",
          service: "portal",
          name,
          is: "absent",
        })),
      ],
    },
    source: fromOperator("the team id of your Slack workspace"),
  },
  {
    name: "PORTAL_SESSION_SECRET",
    description: "Encrypts sign-in sessions of the portal",
    service: "portal",
    source: HEX32,
  },
];

const AUTH_ROWS: readonly SecretRow[] = [
  {
    name: "AUTH_SIGNING_JWK",
    description: "Private P-256 key that signs the identity tokens of the sign-in broker",
    service: "auth",
    source: P256_JWK,
  },
  {
    name: "AUTH_TOKEN_SECRET",
    description: "Protects the sign-in links and codes that the broker sends",
    service: "auth",
    source: HEX32,
  },
  {
    name: "AUTH_CLIENT_SECRET",
    description: "Shared by the portal and the sign-in broker",
    service: "auth",
    source: HEX32,
  },
  {
    name: "AUTH_CLIENT_SECRET",
    description: "Shared by the portal and the sign-in broker",
    service: "portal",
    env: "OIDC_CLIENT_SECRET",
    when: { kind: "service", service: "auth", enabled: true },
    source: HEX32,
  },
  allowedEmails("auth"),
  allowedEmails("portal", "OIDC_ALLOWED_EMAILS"),
];

/** The row that brings the list of people who may sign in to one service. */
export function allowedEmails(service: "auth" | "portal" | "core", env?: string): SecretRow {
  return {
    name: "AUTH_ALLOWED_EMAILS",
    description: "Comma-separated e-mail addresses that may sign in",
    service,
    ...(env === undefined ? {} : { env }),
    when: BROKER_WITHOUT_DOMAIN,
    source: fromOperator("the addresses of your people, or set `env.auth.AUTH_ALLOWED_EMAIL_DOMAIN` instead"),
  };
}

/** The rows of slack, web-ui, admin, portal and auth that every known release has. */
export const EDGE_SECRETS: readonly SecretRow[] = [...SLACK_ROWS, ...SHARED_ROWS, ...PORTAL_ROWS, ...AUTH_ROWS];
