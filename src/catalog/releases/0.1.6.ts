import type { Release } from "./release.ts";
import { CORE_SECRETS } from "./secrets/core.ts";
import { EDGE_SECRETS } from "./secrets/edge.ts";
import { brokerEmailSecrets } from "./secrets/email.ts";
import { fromOperator, HEX32 } from "../secret-sources.ts";

/** qm 0.1.6 of 21 August 2026: layer images and `sandbox publish`, a process per service, no published images. */
export const RELEASE: Release = {
  version: "0.1.6",
  host: { core: "core", "web-ui": "web-ui", admin: "admin", portal: "portal", auth: "auth", slack: "core" },
  secrets: [
    ...CORE_SECRETS,
    ...EDGE_SECRETS,
    ...brokerEmailSecrets(false),
    {
      // qm itself demands it of every fly deployment; only one that runs Sprites has any use for it.
      name: "FLY_SANDBOX_API_TOKEN",
      description: "Fly token that core manages the machines of the Sprites app with",
      service: "core",
      env: "FLY_API_TOKEN",
      when: {
        kind: "all",
        of: [
          { kind: "target", target: "fly" },
          { kind: "backend", backend: "sprites" },
        ],
      },
      source: fromOperator("fly tokens create deploy -a <sandbox-app> -x 8760h"),
    },
    {
      name: "AWS_DEPLOY_GATE_SECRET",
      description: "Guards the apps that agents deploy under your domain",
      service: "core",
      when: { kind: "env", service: "core", name: "AWS_DEPLOY_APPS_DOMAIN", is: "present" },
      source: HEX32,
    },
  ],
  images: null,
  sandboxBase: null,
  backendPolicy: { docker: ["sprites"], fly: ["sprites"], aws: ["sprites", "aws"] },
  coreBackends: ["aws", "local", "sprites", "smolmachines"],
  layerImages: true,
  scopeBackends: false,
  securityScreen: ["proxy"],
  securityScreenAlwaysRendered: false,
  demandsSandboxApp: ["docker", "fly"],
  defaultBackend: { fly: { backend: "sprites", ifApp: true }, aws: { backend: "aws" } },
  unsupportedFields: [
    "plugins.*.coreAccess",
    "aws.deploymentState",
    "aws.sharedAlb",
    "aws.backgroundWorkControl",
    "aws.services.*.publicPaths",
    "aws.services.*.assumeRoleArns",
  ],
  toolInstallFiles: false,
  awsDeployImage: "always",
  awsAdminWithoutPortal: true,
  ownedEnv: { fly: { core: ["FLY_DEPLOY_BASE_IMAGE"] }, aws: { core: ["DEPLOY_PROVIDER"] } },
  flyStackKeys: {
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
  defaultHarness: { docker: "mock", fly: "pi", aws: "mock" },
};
