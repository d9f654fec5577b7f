import type { RunnableServiceName } from "../../src/config/written-config.ts";

/**
 * Names in the environment of a Fly app that qm's own templates hold examples of and that a deployment must supply itself:
 * ours do not have them, so that an example never reaches a running service. By release.
 */
export const FLY_STACK_KEYS: {
  readonly [release: string]: { readonly [service in RunnableServiceName]?: readonly string[] };
} = {
  "0.1.6": {
    core: [
      "SNAPSHOT_STORE",
      "TRANSFER_STORE",
      "S3_BUCKET",
      "S3_REGION",
      "PUBLIC_WEB_URL",
      "FLY_ORG",
      "PI_DETECT_MODEL",
      "FLY_DEPLOY_BASE_IMAGE",
      "FLY_SANDBOX_APP_NAME",
      "FLY_BASE_IMAGE",
    ],
    "web-ui": ["WEB_UI_PUBLIC_URL"],
    admin: ["ADMIN_BASE_PATH"],
    portal: [
      "PORTAL_PUBLIC_URL",
      "OIDC_CLIENT_ID",
      "OIDC_ALLOWED_EMAILS",
      "OIDC_ALLOWED_EMAIL_DOMAIN",
      "PORTAL_EXPECTED_TEAM_ID",
      "OIDC_AUTH_ENDPOINT",
      "OIDC_TOKEN_ENDPOINT",
      "OIDC_USERINFO_ENDPOINT",
      "OIDC_ISSUER",
      "OIDC_JWKS_URI",
      "OIDC_SCOPES",
      "OIDC_PRINCIPAL_CLAIM",
      "AUTH_BROKER_UPSTREAM",
      "AUTH_BROKER_PREFIX",
    ],
    auth: [
      "AUTH_ISSUER",
      "AUTH_CLIENT_ID",
      "AUTH_REDIRECT_URI",
      "AUTH_EMAIL_TRANSPORT",
      "AUTH_BRAND_NAME",
      "AUTH_ALLOWED_EMAIL_DOMAIN",
      "SMTP_PORT",
      "SMTP_TLS",
    ],
  },
  "0.1.12": {
    core: [
      "SNAPSHOT_STORE",
      "TRANSFER_STORE",
      "S3_BUCKET",
      "S3_REGION",
      "PUBLIC_WEB_URL",
      "FLY_ORG",
      "PI_DETECT_MODEL",
    ],
    "web-ui": ["WEB_UI_PUBLIC_URL"],
    portal: [
      "PORTAL_PUBLIC_URL",
      "OIDC_CLIENT_ID",
      "OIDC_ALLOWED_EMAILS",
      "OIDC_ALLOWED_EMAIL_DOMAIN",
      "PORTAL_EXPECTED_TEAM_ID",
      "OIDC_AUTH_ENDPOINT",
      "OIDC_TOKEN_ENDPOINT",
      "OIDC_USERINFO_ENDPOINT",
      "OIDC_ISSUER",
      "OIDC_JWKS_URI",
      "OIDC_SCOPES",
      "OIDC_PRINCIPAL_CLAIM",
      "AUTH_BROKER_UPSTREAM",
      "AUTH_BROKER_PREFIX",
      "OIDC_PROMPT",
    ],
  },
};
