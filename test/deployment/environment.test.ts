import { describe, expect, test } from "vitest";
import type { TreeEntry } from "../../src/deployment/inputs.ts";
import { BASE, environment, resolveUnder, workload } from "./resolving.ts";

const ALL = ["core", "slack", "web-ui", "admin", "portal", "auth"] as const;
const AWS = {
  accountId: "210987654321",
  region: "us-west-2",
  cluster: "acme-qm",
  networking: { cloudMapNamespace: "acme.internal" },
} as const;
const FLY = { target: "fly", publicUrl: "https://acme-portal.fly.dev", flyOrg: "acme-inc", region: "sjc" } as const;

function directory(path: string): TreeEntry {
  return { path, kind: "directory", size: 0, mode: 0o755, text: null, isText: true, leadsTo: null };
}

describe("qm 0.1.6, whose renderer cannot be run here (values from docs/contract/qm-rendering.md)", () => {
  test("docker: every service", () => {
    const deployment = resolveUnder(
      "0.1.6",
      {
        ...BASE,
        services: ALL,
        botName: " Ada ",
        env: {
          core: { HARNESS: "pi" },
          auth: { AUTH_EMAIL_TRANSPORT: "resend", AUTH_ALLOWED_EMAIL_DOMAIN: "acme.com" },
        },
        sandbox: { backend: "boxd" },
      },
      {
        sandboxTree: [
          directory("sandbox"),
          directory("sandbox/skills"),
          { ...directory("sandbox/skills/x"), kind: "symlink" },
        ],
      },
    );
    expect(deployment.workloads.map((each) => each.name)).toEqual(["core", "web-ui", "admin", "portal", "auth"]);
    expect(environment(deployment, "core")).toEqual({
      DATA_DIR: "/data",
      DEPLOYMENT_LAYER: "/layer",
      HARNESS: "pi",
      MODEL_PROVIDER: "anthropic",
      ORG_BRAND_SELF_LABEL: "Ada",
      ORG_ID: "acme",
      PORT: "8080",
      PUBLIC_WEB_URL: "https://qm.example.com",
      RUN_STORE: "postgres",
      SANDBOX_BACKEND: "boxd",
      SESSION_STORE: "postgres",
      WEB_UI_PUBLIC_URL: "https://qm.example.com",
    });
    expect(environment(deployment, "web-ui")).toEqual({
      CORE_API_URL: "http://core:8080",
      CORE_ORG_ID: "acme",
      PORT: "8080",
      WEB_UI_PUBLIC_URL: "https://qm.example.com",
    });
    expect(environment(deployment, "admin")).toEqual({
      ADMIN_BASE_PATH: "/admin",
      CORE_API_URL: "http://core:8080",
      CORE_ORG_ID: "acme",
      PORT: "8080",
    });
    expect(environment(deployment, "portal")).toEqual({
      ADMIN_UPSTREAM: "http://admin:8080",
      AUTH_BROKER_PREFIX: "/idp",
      AUTH_BROKER_UPSTREAM: "http://qm-acme-auth.internal:8080",
      CORE_API_URL: "http://core:8080",
      CORE_ORG_ID: "acme",
      OIDC_ALLOWED_EMAIL_DOMAIN: "acme.com",
      OIDC_AUTH_ENDPOINT: "https://qm.example.com/idp/authorize",
      OIDC_CLIENT_ID: "qm-portal",
      OIDC_ISSUER: "https://qm.example.com/idp",
      OIDC_JWKS_URI: "http://qm-acme-auth.internal:8080/.well-known/jwks.json",
      OIDC_PRINCIPAL_CLAIM: "email",
      OIDC_SCOPES: "openid email",
      OIDC_TOKEN_ENDPOINT: "http://qm-acme-auth.internal:8080/token",
      OIDC_USERINFO_ENDPOINT: "http://qm-acme-auth.internal:8080/userinfo",
      PORT: "8080",
      PORTAL_PUBLIC_URL: "https://qm.example.com",
      WEB_UI_UPSTREAM: "http://web-ui:8080",
    });
    expect(environment(deployment, "auth")).toEqual({
      AUTH_ALLOWED_EMAIL_DOMAIN: "acme.com",
      AUTH_BRAND_NAME: "Ada",
      AUTH_CLIENT_ID: "qm-portal",
      AUTH_EMAIL_TRANSPORT: "resend",
      AUTH_ISSUER: "https://qm.example.com/idp",
      AUTH_REDIRECT_URI: "https://qm.example.com/auth/callback",
      CORE_API_URL: "http://core:8080",
      CORE_ORG_ID: "acme",
      PORT: "8080",
    });
  });

  test("fly: sprites give the layer image to sandboxes and deployed apps, and env.core has no say in the latter", () => {
    const image = `registry.fly.io/acme-sandboxes@sha256:${"a".repeat(64)}`;
    const core = { FLY_ORG: "other", FLY_DEPLOY_BASE_IMAGE: "other", S3_BUCKET: "b" };
    const deployment = resolveUnder("0.1.6", {
      ...BASE,
      ...FLY,
      env: { core },
      sandbox: { app: "acme-sandboxes", image },
    });
    expect(environment(deployment, "core")).toMatchObject({
      FLY_BASE_IMAGE: image,
      FLY_DEPLOY_APP_PREFIX: "acme-d",
      FLY_DEPLOY_BASE_IMAGE: image,
      FLY_ORG: "acme-inc",
      FLY_SANDBOX_APP_NAME: "acme-sandboxes",
      HARNESS: "pi",
      QM_DEPLOYMENT_ID: "qm-v2:acme-inc:acme:acme",
      SANDBOX_BACKEND: "sprites",
      S3_BUCKET: "b",
      REQUIRE_SIGNED_PORTAL_IDENTITY: "1",
    });
  });

  test("fly: apps that agents deploy start from `sandbox.image`, also where env.core gives the sandboxes another", () => {
    const sandbox = { app: "acme-sandboxes", image: `registry.fly.io/acme-sandboxes@sha256:${"a".repeat(64)}` };
    const env = { core: { FLY_BASE_IMAGE: "other" } };
    const deployment = resolveUnder("0.1.6", { ...BASE, ...FLY, env, sandbox });
    const { FLY_BASE_IMAGE, FLY_DEPLOY_BASE_IMAGE } = environment(deployment, "core");
    expect([FLY_BASE_IMAGE, FLY_DEPLOY_BASE_IMAGE]).toEqual(["other", sandbox.image]);
  });

  test("fly: boxd gets none of the names of Sprites", () => {
    const deployment = resolveUnder("0.1.6", {
      ...BASE,
      ...FLY,
      env: { core: { FLY_DEPLOY_BASE_IMAGE: "other" } },
      sandbox: { backend: "boxd" },
    });
    const names = Object.keys(environment(deployment, "core")).filter(
      (name) => name.startsWith("FLY_") || name === "SANDBOX_BACKEND",
    );
    expect(names).toEqual(["FLY_DEPLOY_APP_PREFIX", "FLY_ORG", "SANDBOX_BACKEND"]);
  });

  test("fly: addresses of the services", () => {
    const deployment = resolveUnder("0.1.6", {
      ...BASE,
      ...FLY,
      appPrefix: "acme-qm",
      services: ALL,
      env: { auth: { AUTH_EMAIL_TRANSPORT: "resend" } },
    });
    expect(environment(deployment, "portal")).toMatchObject({
      CORE_API_URL: "http://acme-qm-core.internal:8080",
      WEB_UI_UPSTREAM: "http://acme-qm-web-ui.flycast",
      ADMIN_UPSTREAM: "http://acme-qm-admin.internal:8080",
      AUTH_BROKER_UPSTREAM: "http://acme-qm-auth.flycast",
    });
  });

  test("aws: boxd gets none of the Lambda names, the default backend all of them", () => {
    const config = {
      ...BASE,
      target: "aws",
      aws: AWS,
      env: { core: { AWS_DEPLOY_IMAGE: "acme-apps", DEPLOY_PROVIDER: "fly" } },
    };
    const boxd = environment(resolveUnder("0.1.6", { ...config, sandbox: { backend: "boxd" } }), "core");
    expect(boxd["SANDBOX_BACKEND"]).toBe("boxd");
    expect(Object.keys(boxd).filter((name) => name.startsWith("AWS_SANDBOX_"))).toEqual([]);
    expect(environment(resolveUnder("0.1.6", config), "core")).toMatchObject({
      AWS_SANDBOX_EXEC_ROLE_ARN: "arn:aws:iam::210987654321:role/acme-qm-microvm-exec",
      AWS_SANDBOX_IMAGE: "acme-apps",
      AWS_SANDBOX_IMAGE_VERSION: "",
      AWS_SANDBOX_REGION: "us-west-2",
      AWS_SANDBOX_S3_BUCKET: "qm-acme-fc5d44ee52bc",
      DEPLOY_PROVIDER: "aws",
      S3_BUCKET: "qm-acme-fc5d44ee52bc",
      SANDBOX_BACKEND: "aws",
    });
  });
});

describe("provenance", () => {
  test("what a target fixes wins and keeps what it shadows", () => {
    const deployment = resolveUnder("0.1.12", {
      ...BASE,
      target: "aws",
      aws: AWS,
      env: { core: { PORT: "1", SESSION_STORE: "memory" } },
    });
    const find = (name: string) => workload(deployment, "core").environment.find((entry) => entry.name === name);
    expect(find("PORT")).toMatchObject({
      value: "8080",
      provenance: { kind: "target" },
      shadowed: [{ value: "1", provenance: { kind: "config", path: ["env", "core", "PORT"] } }],
    });
    expect(find("SESSION_STORE")).toMatchObject({ value: "postgres", shadowed: [{ value: "memory" }] });
  });

  test("a declaration that the environment overrides is shadowed", () => {
    const deployment = resolveUnder("0.1.12", {
      ...BASE,
      env: { core: { SANDBOX_BACKEND: " boxd " } },
      sandbox: { backend: "sprites" },
    });
    expect(workload(deployment, "core").environment.find((entry) => entry.name === "SANDBOX_BACKEND")).toEqual({
      name: "SANDBOX_BACKEND",
      value: "boxd",
      provenance: { kind: "config", path: ["env", "core", "SANDBOX_BACKEND"] },
      shadowed: [{ value: "sprites", provenance: { kind: "config", path: ["sandbox", "backend"] } }],
    });
  });

  test("of hosted services the host wins, whatever the order in `services`", () => {
    for (const services of [
      ["core", "web-ui", "admin"],
      ["core", "admin", "web-ui"],
    ]) {
      const deployment = resolveUnder("0.1.12", {
        ...BASE,
        services,
        env: { "web-ui": { THEME: "host" }, admin: { THEME: "guest" } },
      });
      expect(workload(deployment, "web-ui").environment.find((entry) => entry.name === "THEME")).toMatchObject({
        value: "host",
        shadowed: [{ value: "guest" }],
      });
      expect(workload(deployment, "web-ui").hosts).toEqual(["web-ui", "admin"]);
    }
  });

  test("a guest without its host makes the host a workload", () => {
    const deployment = resolveUnder("0.1.12", { ...BASE, services: ["core", "admin"] });
    expect(workload(deployment, "web-ui")).toMatchObject({ hosts: ["admin"], path: ["services", 1] });
  });

  test("blank values that resolving reads are not rendered", () => {
    const core = { SANDBOX_BACKEND: " ", SANDBOX_SECONDARY_BACKEND: "", HARNESS: "", MODEL_PROVIDER: " ", OTHER: "" };
    const deployment = resolveUnder("0.1.12", { ...BASE, ...FLY, env: { core } });
    expect(environment(deployment, "core")).toMatchObject({ HARNESS: "pi", MODEL_PROVIDER: "anthropic", OTHER: "" });
    expect(Object.keys(environment(deployment, "core"))).not.toContain("SANDBOX_SECONDARY_BACKEND");
    expect(deployment.model).toMatchObject({ provider: "anthropic", harness: "pi" });
  });

  test("a secondary backend gets what it needs too, without its name", () => {
    const core = { SANDBOX_BACKEND: "boxd", SANDBOX_SECONDARY_BACKEND: "sprites" };
    const deployment = resolveUnder("0.1.12", {
      ...BASE,
      env: { core },
      sandbox: { env: { A: "1" }, secretEnv: ["TOOL"] },
    });
    expect(environment(deployment, "core")).toMatchObject({ SANDBOX_BACKEND: "boxd", FLY_RESIDENT_ENV_A: "1" });
    expect(deployment.secrets.find((secret) => secret.name === "TOOL")?.destinations).toEqual([
      { workload: "core", env: "FLY_RESIDENT_ENV_TOOL" },
    ]);
  });
});

describe("workloads", () => {
  test("plugins of the config and of Dockerfiles", () => {
    const file = { kind: "file", size: 1, mode: 0o644, text: "FROM x", isText: true, leadsTo: null } as const;
    const plugins = [
      { name: "ledger", image: "acme/ledger:1", env: { A: "1" }, secrets: [{ name: "LEDGER_KEY", required: false }] },
      { name: "core" },
      { name: "ledger" },
      { name: "quiet", coreAccess: false },
    ];
    const deployment = resolveUnder(
      "0.1.12",
      { ...BASE, plugins },
      {
        pluginsTree: [
          directory("plugins/notes"),
          { ...file, path: "plugins/notes/Dockerfile" },
          directory("plugins/empty"),
        ],
      },
    );
    const found = deployment.workloads.filter((each) => each.kind === "plugin");
    expect(
      found.map(({ name, path, image, sourceDirectory }) => [name, path, image?.reference ?? null, sourceDirectory]),
    ).toEqual([
      ["ledger", ["plugins", 0], "acme/ledger:1", null],
      ["quiet", ["plugins", 3], null, null],
      ["notes", ["plugins"], null, "plugins/notes"],
    ]);
    expect(environment(deployment, "ledger")).toEqual({
      A: "1",
      CORE_API_URL: "http://core:8080",
      CORE_ORG_ID: "acme",
      PORT: "8080",
    });
    expect(environment(deployment, "quiet")).toEqual({ CORE_ORG_ID: "acme", PORT: "8080" });
    const signing = deployment.secrets.find((secret) => secret.name === "CORE_SIGNING_SECRET");
    expect(signing?.destinations.map((destination) => destination.workload)).toEqual([
      "core",
      "ledger",
      "notes",
      "web-ui",
    ]);
  });

  test("places stay right beside parts of a wrong shape", () => {
    const deployment = resolveUnder("0.1.12", {
      ...BASE,
      services: ["core", 7, "web-ui"],
      plugins: [5, { name: "ledger", image: "img" }],
    });
    expect(workload(deployment, "web-ui").path).toEqual(["services", 2]);
    expect(workload(deployment, "ledger").path).toEqual(["plugins", 1]);
    expect(
      workload(deployment, "ledger").environment.every(
        (entry) => entry.provenance.kind !== "config" || entry.provenance.path[1] !== 0,
      ),
    ).toBe(true);
  });

  test("images: the override, else what the release published", () => {
    const config = { ...BASE, imageOverrides: { core: "acme/core:1", "web-ui": " " } };
    expect(workload(resolveUnder("0.1.12", config), "core").image).toEqual({
      reference: "acme/core:1",
      provenance: { kind: "config", path: ["imageOverrides", "core"] },
    });
    expect(workload(resolveUnder("0.1.12", config), "web-ui").image).toMatchObject({
      provenance: { kind: "default", release: "0.1.12" },
    });
    expect(workload(resolveUnder("0.1.6", config), "web-ui").image).toBeNull();
  });
});
