import {
  allOf,
  anyOf,
  fromCommand,
  fromOperator,
  hasText,
  HEX32,
  isSet,
  rowsOf,
  type SecretRow,
} from "../secret-row.ts";
import type { Release } from "./release.ts";
import { BUILT_IN_SKILLS, OWN_CREDENTIALS } from "./layer/core.ts";
import { CORE_SECRETS } from "./secrets/core.ts";
import { allowedEmails, brokerEmailSecrets, EDGE_SECRETS, EMAIL_FROM, RESEND_KEY } from "./secrets/edge.ts";

/** Rows that 0.1.6 has not, or has otherwise. */
const SECRETS: readonly SecretRow[] = [
  ...brokerEmailSecrets(true),
  ...rowsOf("core", [
    { ...EMAIL_FROM, optional: true },
    { ...RESEND_KEY, optional: true },
    allowedEmails("core"),
    {
      name: "DEPLOYMENT_CONTROL_SECRET",
      description: "Signs the orders that pause and resume background work during a deploy",
      when: { kind: "background-work-control" },
      source: HEX32,
    },
    {
      name: "FLY_DEPLOY_WIREGUARD_PEERS",
      description: "WireGuard peers through which core reaches the shared app that agents deploy to",
      when: allOf(isSet("core.deployProvider", "fly"), isSet("core.flyDeploySharedApp")),
      source: fromCommand("fly wireguard create <fly-org>"),
    },
    {
      name: "DATABASE_POOL_URL",
      description: "Postgres connection through a pooler, where there is one",
      optional: true,
      source: fromOperator(null),
    },
    {
      name: "DATABASE_POOL_CA_CERT",
      description: "PEM certificate of the authority that signed the pooler's certificate",
      optional: true,
      source: fromOperator(null),
    },
    {
      name: "AWS_DEPLOY_GATE_SECRET",
      description: "Guards the apps that agents deploy under your domain",
      when: anyOf(hasText("core.awsDeployAppsDomain"), hasText("core.deployAppsDomain")),
      source: HEX32,
    },
  ]),
];

/** qm 0.1.12: published images, no layer images; admin runs in web-ui and auth in portal. */
export const RELEASE: Release = {
  version: "0.1.12",
  onNpm: true,
  runtimeKnown: false,
  renamed: {},
  unreadSettings: [],
  host: { core: "core", "web-ui": "web-ui", admin: "web-ui", portal: "portal", auth: "portal", slack: "core" },
  secrets: [...CORE_SECRETS, ...EDGE_SECRETS, ...SECRETS],
  images: {
    core: "ghcr.io/yc-software/qm/core@sha256:8859f0debbd5c6de2166c64bde18797c48ae638dd320de5861c0a5e36ddaff64",
    "web-ui": "ghcr.io/yc-software/qm/web-ui@sha256:746ca51bb2dcb4d9d7295d57bfe7b4868c8aecb30f30bafc80fc9573e358be99",
    admin: "ghcr.io/yc-software/qm/admin@sha256:3e62508338529d03262a5f331bf3d16e712990c54f83bc753527aeae19ea0325",
    portal: "ghcr.io/yc-software/qm/portal@sha256:e7a6eb83acb828c3dbd68b2514986218f2946dbd3bf1d563f768eb26e1d8457a",
    auth: "ghcr.io/yc-software/qm/auth@sha256:6a7f59003e36488d5f3e1dfb066272edaf56d5981e53583d74346ffa51522b3f",
  },
  sandboxBase:
    "ghcr.io/yc-software/qm/sandbox-base@sha256:9c632c8359eb41a626880b4669328c8fbe2fe7e7d38b99e5cc37fd389c2d04ab",
  backendPolicy: {
    docker: ["local", "sprites", "agent37", "superserve"],
    fly: ["sprites", "agent37", "superserve"],
    aws: ["sprites", "aws", "agent37", "superserve"],
  },
  coreBackends: ["aws", "local", "sprites", "smolmachines", "agent37", "superserve", "e2b", "modal", "porter"],
  deployProviders: ["aws", "docker", "fly", "porter"],
  layerImages: false,
  scopeBackends: true,
  securityScreen: ["off", "model", "proxy"],
  securityScreenAlwaysRendered: true,
  demandsSandboxApp: [],
  defaultBackend: { aws: { backend: "aws" } },
  unsupportedFields: [],
  toolInstallFiles: true,
  ownCredentials: { ...OWN_CREDENTIALS, ".config/glab-cli": "directory" },
  plainCredentialPaths: true,
  builtInSkills: BUILT_IN_SKILLS,
  awsDeployImage: "when-used",
  coreHosts: true,
  awsAdminWithoutPortal: false,
  ownedEnv: {},
  adminLogin: true,
  migration: ["node", "src/migrate-main.ts"],
  defaultHarness: { docker: "mock", fly: "pi", aws: "mock" },
};
