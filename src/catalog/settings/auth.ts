/** What the sign-in broker reads from its environment, by key. */
export const AUTH = {
  "auth.allowedEmailDomain": "AUTH_ALLOWED_EMAIL_DOMAIN",
  "auth.brandName": "AUTH_BRAND_NAME",
  "auth.clientId": "AUTH_CLIENT_ID",
  "auth.emailTransport": "AUTH_EMAIL_TRANSPORT",
  "auth.issuer": "AUTH_ISSUER",
  "auth.redirectUri": "AUTH_REDIRECT_URI",
} as const;
