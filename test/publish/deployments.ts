import { soundConfig } from "../cli/deployments.ts";

/** A digest that is not made of zeros, which would be a placeholder. */
export const SHA = "9d".repeat(32);

/** A sprites deployment for docker under 0.1.6 with comments to lose; `sandbox` is what follows `backend` and `app`. */
export function spritesConfig(sandbox = "", target = "docker"): string {
  const fly = `\n  "region": "sjc", "flyOrg": "acme", // Fly's own\n  "env": { "core": { "SNAPSHOT_STORE": "s3", "TRANSFER_STORE": "s3", "S3_BUCKET": "acme", "S3_REGION": "auto" } },`;
  return `// what runs qm for us
{
  "contract": 1,
  "orgId": "acme", // the org
  "publicUrl": "https://qm.acme-corp.dev",
  "target": "${target}",${target === "fly" ? fly : ""}
  "services": ["core", "web-ui"],
  "modelProvider": "anthropic",
  "imageOverrides": { "core": "registry.acme-corp.dev/core@sha256:${SHA}" },
  "sandbox": {
    "backend": "sprites", // for now
    /* the app of our
       sandboxes */
    "app": "acme-sandboxes"${sandbox} // last
  },
}
`;
}

/** A layer with one tool. */
export const TOOL = {
  "sandbox/tools/acme/tool.json": '{ "id": "acme", "label": "Acme" }\n',
  "sandbox/tools/acme/acme": "#!/bin/sh\necho acme\n",
};

/** A layer with a Dockerfile of its own on an image that can move. */
export const DOCKERFILE = {
  ...TOOL,
  "sandbox/Dockerfile": "FROM debian:12-slim\nCOPY tools/acme/acme /usr/local/bin/acme\n",
};

const AWS = {
  target: "aws",
  publicUrl: "https://qm.acme-corp.dev",
  services: ["core"],
  aws: {
    accountId: "123456789012",
    region: "eu-central-1",
    cluster: "acme",
    deployRoleArn: "arn:aws:iam::123456789012:role/deploy",
    secretsPrefix: "acme/",
    imageLabel: "live",
    networking: { cloudMapNamespace: "acme.internal" },
    services: {
      core: { ecrRepository: "acme-core", ecsService: "acme-core", cpu: 1024, memory: 2048, architecture: "amd64" },
    },
  },
};

/** A deployment whose backend boots no published image, with the arguments to judge it by and what the refusal must say. */
export interface RefusedDeployment {
  readonly name: string;
  readonly config: string;
  readonly args?: readonly string[];
  readonly says: readonly string[];
  /** True where `check` has an error as well; both are said then. */
  readonly isFaulty?: true;
}

const NEEDED_CORE = {
  docker: {},
  fly: { SNAPSHOT_STORE: "s3", TRANSFER_STORE: "s3", S3_BUCKET: "acme", S3_REGION: "auto" },
  aws: { AWS_DEPLOY_IMAGE: "acme-microvm", PUBLIC_API_URL: "https://qm.acme-corp.dev" },
};

/** A deployment that `check` passes, apart from values of secrets. */
function on(target: "docker" | "fly" | "aws", sandbox: object, core: object = {}): string {
  const more = target === "aws" ? AWS : target === "fly" ? { region: "sjc", flyOrg: "acme" } : {};
  return soundConfig({ target, ...more, sandbox, env: { core: { ...NEEDED_CORE[target], ...core } } });
}

const BOXD = ["boxd machines boot boxd's own image", "qm layer sync", "executables do not", "let a skill install them"];

export const REFUSED: readonly RefusedDeployment[] = [
  { name: "boxd on docker", config: on("docker", { backend: "boxd" }), says: BOXD },
  { name: "boxd on fly", config: on("fly", { backend: "boxd" }), says: BOXD },
  { name: "boxd on aws", config: on("aws", { backend: "boxd" }), says: BOXD },
  { name: "boxd under 0.1.12", config: on("docker", { backend: "boxd" }), args: ["--release", "0.1.12"], says: BOXD },
  { name: "boxd by env.core over sprites", config: on("docker", {}, { SANDBOX_BACKEND: "boxd" }), says: BOXD },
  { name: "aws", config: on("aws", { backend: "aws" }), says: ["Lambda MicroVMs boot", "infra build-image"] },
  { name: "aws by default", config: on("aws", {}), says: ["Lambda MicroVMs boot"] },
  {
    name: "local",
    config: on("docker", { backend: "local" }),
    args: ["--release", "0.1.12"],
    says: ["needs no registry", "qm-deploy sandbox build --tag"],
  },
  {
    name: "agent37",
    config: on("docker", { backend: "agent37" }),
    args: ["--release", "0.1.12"],
    says: ["would reach no agent", "qm layer sync"],
  },
  {
    name: "superserve",
    config: on("fly", { backend: "superserve" }, { SUPERSERVE_TEMPLATE: "acme" }),
    args: ["--release", "0.1.12"],
    says: ["would reach no agent", "qm layer sync"],
  },
  {
    name: "e2b",
    config: on("docker", {}, { SANDBOX_BACKEND: "e2b" }),
    args: ["--release", "0.1.12"],
    says: ["would reach no agent"],
  },
  {
    name: "smolmachines",
    config: on("docker", {}, { SANDBOX_BACKEND: "smolmachines" }),
    says: ["would reach no agent"],
  },
  {
    name: "sprites on aws",
    config: on("aws", { backend: "sprites", app: "acme-sandboxes" }),
    says: ["qm's own deployment manifest", "npx @yc-software/qm@0.1.6 sandbox publish"],
  },
  {
    name: "sprites under 0.1.12",
    config: on("docker", { backend: "sprites" }),
    args: ["--release", "0.1.12"],
    says: ["no layer image under qm 0.1.12", "qm layer sync"],
  },
  {
    name: "no backend",
    config: on("docker", {}),
    args: ["--release", "0.1.12"],
    says: ["no sandbox backend is selected"],
  },
  {
    name: "a backend that nobody knows",
    config: on("docker", {}, { SANDBOX_BACKEND: "sprits" }),
    says: ["not one that qm-deploy knows", "`boxd`"],
    isFaulty: true,
  },
  {
    name: "boxd with a fault beside it",
    config: on("docker", { backend: "boxd" }).replace('"orgId"', '"orgid"'),
    says: ["`qm-deploy check` refuses the deployment", ...BOXD],
    isFaulty: true,
  },
];
