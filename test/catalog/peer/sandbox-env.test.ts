import { nameOf } from "../../../src/catalog/settings/index.ts";
import { expect, test } from "vitest";
import { findBackend } from "../../../src/catalog/backends/index.ts";
import type { CoreEnvContext } from "../../../src/catalog/backends/backend.ts";
import { findRelease } from "../../../src/catalog/releases/index.ts";
import type { Release } from "../../../src/catalog/releases/release.ts";
import type { TargetName, WrittenSandbox } from "../../../src/config/written-config.ts";
import { deployment, loadWithPeer, type PeerConfig, peerModule, type TestEnv } from "./peer.ts";

const release = findRelease("0.1.12") as Release;
const { sandboxCoreEnv } = await peerModule("contract.js");
const { serviceEnvironment } = await peerModule("backends/aws.js");

function load(target: TargetName, sandbox: WrittenSandbox, env: TestEnv = {}): PeerConfig {
  const loaded = loadWithPeer(deployment(target, { sandbox }, env));
  if (!loaded.ok) throw new Error(loaded.message);
  return loaded.config;
}

function ours(
  target: TargetName,
  sandbox: WrittenSandbox,
  change: Partial<CoreEnvContext> = {},
): Record<string, string> {
  const context: CoreEnvContext = {
    target,
    release,
    orgId: "acme",
    sandbox,
    coreEnv: () => null,
    aws: null,
    ...change,
  };
  const entries = findBackend(sandbox.backend ?? "")?.coreEnv(context) ?? [];
  return {
    // Resolving puts the name, for every backend alike.
    SANDBOX_BACKEND: sandbox.backend ?? "",
    ...Object.fromEntries(entries.map((entry) => [entry.name, entry.value])),
  };
}

test.each<[TargetName, WrittenSandbox, TestEnv]>([
  ["docker", { backend: "local" }, {}],
  ["docker", { backend: "local", image: "acme/box:1" }, {}],
  ["docker", { backend: "sprites", env: { A: "1" } }, {}],
  ["fly", { backend: "sprites", env: { A: "1" }, app: "acme" }, {}],
  ["fly", { backend: "agent37" }, {}],
  ["aws", { backend: "sprites" }, {}],
  ["docker", { backend: "superserve" }, { core: { SUPERSERVE_TEMPLATE: "t" } }],
])("on %s, %j: what qm 0.1.12 puts into core", (target, sandbox, env) => {
  const theirs = sandboxCoreEnv(load(target, sandbox, env)).env as Record<string, string>;
  // Intended: qm leaves SANDBOX_BACKEND out for sprites, and core then refuses to start in production.
  if (sandbox.backend === "sprites") {
    expect(theirs).not.toHaveProperty("SANDBOX_BACKEND");
    theirs["SANDBOX_BACKEND"] = "sprites";
  }
  const { DOCKER_HOST: _host, QM_CORE_CONTAINER: _container, ...rest } = ours(target, sandbox); // qm adds these two elsewhere
  // The image that qm builds by itself where none is named is also added elsewhere; test/deployment compares it with a real `up`.
  if (sandbox.backend === "local" && sandbox.image === undefined)
    theirs["LOCAL_SANDBOX_IMAGE"] = "qm-acme-sandbox-local:latest";
  expect(rest).toEqual(theirs);
});

test.each([
  {},
  { AWS_DEPLOY_IMAGE_VERSION: "3" },
  { AWS_DEPLOY_EXEC_ROLE_ARN: "arn:aws:iam::210987654321:role/other" },
])("Lambda MicroVMs with %j: what qm 0.1.12 puts into core", (core) => {
  const coreEnv = { AWS_DEPLOY_IMAGE: "acme-apps", ...core };
  const theirs = serviceEnvironment(load("aws", { backend: "aws" }, { core: coreEnv }), "core") as Record<
    string,
    string
  >;
  const aws = {
    accountId: "210987654321",
    region: "us-west-2",
    cluster: "acme-qm",
    bucket: () => theirs["S3_BUCKET"] ?? "",
  };
  const sandbox = Object.entries(theirs).filter(([name]) => /SANDBOX/.test(name));
  const written: { readonly [name: string]: string } = coreEnv;
  const found = ours("aws", { backend: "aws" }, { coreEnv: (key) => written[nameOf(release, key)] ?? null, aws });
  expect(found).toEqual(Object.fromEntries(sandbox));
});
