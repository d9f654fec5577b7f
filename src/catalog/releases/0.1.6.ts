import { allOf, fromCommand, hasText, HEX32, onTarget, rowsOf } from "../secret-row.ts";
import type { Release } from "./release.ts";
import { BUILT_IN_SKILLS, OWN_CREDENTIALS } from "./layer/core.ts";
import { CORE_SECRETS } from "./secrets/core.ts";
import { brokerEmailSecrets, EDGE_SECRETS } from "./secrets/edge.ts";

/** qm 0.1.6 of 21 August 2026: layer images and `sandbox publish`, a process per service, no published images. */
export const RELEASE: Release = {
  version: "0.1.6",
  onNpm: false,
  runtimeKnown: true,
  renamed: {},
  unreadSettings: [
    "core.scopeBackends",
    "core.deployAppsDomain",
    "core.flyDeploySharedApp",
    "core.backgroundDeploymentId",
    "portal.brokerEmbedded",
    "portal.prompt",
    "admin.enabled",
    "web-ui.signedIdentity",
  ],
  host: { core: "core", "web-ui": "web-ui", admin: "admin", portal: "portal", auth: "auth", slack: "core" },
  secrets: [
    ...CORE_SECRETS,
    ...EDGE_SECRETS,
    ...brokerEmailSecrets(false),
    ...rowsOf("core", [
      {
        // qm itself demands it of every fly deployment; only one that runs Sprites has any use for it.
        name: "FLY_SANDBOX_API_TOKEN",
        description: "Fly token that core manages the machines of the Sprites app with",
        setting: "core.flyApiToken",
        when: allOf(onTarget("fly"), { kind: "backend", backend: "sprites" }),
        source: fromCommand("fly tokens create deploy -a <sandbox-app> -x 8760h"),
      },
      {
        name: "AWS_DEPLOY_GATE_SECRET",
        description: "Guards the apps that agents deploy under your domain",
        when: hasText("core.awsDeployAppsDomain"),
        source: HEX32,
      },
    ]),
  ],
  images: null,
  sandboxBase: null,
  backendPolicy: { docker: ["sprites"], fly: ["sprites"], aws: ["sprites", "aws"] },
  coreBackends: ["aws", "local", "sprites", "smolmachines"],
  deployProviders: ["aws", "docker", "fly"],
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
  ownCredentials: OWN_CREDENTIALS,
  plainCredentialPaths: false,
  builtInSkills: BUILT_IN_SKILLS,
  awsDeployImage: "always",
  coreHosts: false,
  awsAdminWithoutPortal: true,
  ownedEnv: { fly: { core: ["core.flyDeployBaseImage"] }, aws: { core: ["core.deployProvider"] } },
  adminLogin: false,
  migration: null,
  defaultHarness: { docker: "mock", fly: "pi", aws: "mock" },
};
