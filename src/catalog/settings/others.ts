/** What web-ui, admin and slack read from their environment, and what every service reads (`all.…`), by key. */
export const OTHERS = {
  "web-ui.publicUrl": "WEB_UI_PUBLIC_URL",
  "web-ui.signedIdentity": "REQUIRE_SIGNED_PORTAL_IDENTITY",
  "admin.basePath": "ADMIN_BASE_PATH",
  "admin.enabled": "ADMIN_ENABLED",
  "slack.eventsMode": "SLACK_EVENTS_MODE",

  "all.port": "PORT",
  "all.orgId": "CORE_ORG_ID",
  "all.coreUrl": "CORE_API_URL",
  "all.deploymentId": "QM_DEPLOYMENT_ID",
} as const;
