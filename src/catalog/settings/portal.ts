/** What the portal reads from its environment, by key. */
export const PORTAL = {
  "portal.publicUrl": "PORTAL_PUBLIC_URL",
  "portal.webUiUpstream": "WEB_UI_UPSTREAM",
  "portal.adminUpstream": "ADMIN_UPSTREAM",
  "portal.trustedHops": "PORTAL_XFF_TRUSTED_HOPS",
  "portal.expectedTeamId": "PORTAL_EXPECTED_TEAM_ID",

  "portal.brokerEmbedded": "AUTH_EMBEDDED",
  "portal.brokerPrefix": "AUTH_BROKER_PREFIX",
  "portal.brokerUpstream": "AUTH_BROKER_UPSTREAM",

  "portal.allowedEmails": "OIDC_ALLOWED_EMAILS",
  "portal.allowedEmailDomain": "OIDC_ALLOWED_EMAIL_DOMAIN",
  "portal.authEndpoint": "OIDC_AUTH_ENDPOINT",
  "portal.clientId": "OIDC_CLIENT_ID",
  "portal.clientSecret": "OIDC_CLIENT_SECRET",
  "portal.issuer": "OIDC_ISSUER",
  "portal.jwksUri": "OIDC_JWKS_URI",
  "portal.principalClaim": "OIDC_PRINCIPAL_CLAIM",
  "portal.scopes": "OIDC_SCOPES",
  "portal.tokenEndpoint": "OIDC_TOKEN_ENDPOINT",
  "portal.userinfoEndpoint": "OIDC_USERINFO_ENDPOINT",
} as const;
