import { closestName } from "../../../src/base/closest-name.ts";
import { describe, expect, test } from "vitest";
import type { CoreEnvContext, SandboxField } from "../../../src/catalog/backends/backend.ts";
import { BACKENDS, findBackend } from "../../../src/catalog/backends/index.ts";
import { acceptedByQm, declarableTargets, inStockCore, runnableUnder } from "../../../src/catalog/backends/index.ts";
import { RELEASES } from "../../../src/catalog/releases/index.ts";
import type { Release } from "../../../src/catalog/releases/release.ts";
import { secretRows } from "../../../src/catalog/secrets.ts";
import type { SettingKey } from "../../../src/catalog/settings/index.ts";
import { TARGET_NAMES } from "../../../src/config/written-config.ts";

const FIELDS: readonly SandboxField[] = ["app", "image", "baseImage", "env", "secretEnv"];
const [AUGUST, NEWER] = RELEASES as [Release, Release];

function backend(name: string) {
  const found = findBackend(name);
  if (found === undefined) throw new Error(`no backend ${name}`);
  return found;
}

describe("where `sandbox.backend` may name a backend", () => {
  test.each([
    ["boxd", ["docker", "fly", "aws"], ["docker", "fly", "aws"]],
    ["sprites", ["docker", "fly", "aws"], ["docker", "fly", "aws"]],
    ["aws", ["aws"], ["aws"]],
    ["local", [], ["docker"]],
    ["agent37", [], ["docker", "fly", "aws"]],
    ["superserve", [], ["docker", "fly", "aws"]],
    ["smolmachines", [], []],
    ["e2b", [], []],
    ["modal", [], []],
    ["porter", [], []],
  ])("%s: 0.1.6 %j, 0.1.12 %j", (name, august, newer) => {
    expect(declarableTargets(backend(name), AUGUST)).toEqual(august);
    expect(declarableTargets(backend(name), NEWER)).toEqual(newer);
  });

  test("what a core can run, by name in `env.core` alone or not", () => {
    const runnable = (release: Release) => BACKENDS.filter((one) => runnableUnder(one, release)).map((one) => one.name);
    expect(runnable(AUGUST)).toEqual(["aws", "boxd", "local", "smolmachines", "sprites"]);
    expect(runnable(NEWER)).toEqual(BACKENDS.map((one) => one.name));
  });

  test("no release of qm knows boxd", () => {
    for (const release of RELEASES) {
      expect(inStockCore(backend("boxd"), release)).toBe(false);
      for (const target of TARGET_NAMES) expect(acceptedByQm("boxd", release, target)).toBe(false);
    }
  });

  test("a release names only backends that there are", () => {
    for (const release of RELEASES) {
      for (const name of [...release.coreBackends, ...Object.values(release.backendPolicy).flat()])
        expect(findBackend(name)?.name).toBe(name);
    }
  });
});

test.each([
  ["sprite", "sprites"],
  ["BOXD", "boxd"],
  ["box-d", "boxd"],
  ["smolmachine", "smolmachines"],
  ["kubernetes", null],
  ["", null],
  ["toString", null],
])("%j probably means %j", (name, meant) => {
  const names = BACKENDS.map((backend) => backend.name);
  expect(closestName(name, names)).toBe(meant);
  expect(findBackend(name)).toBeUndefined();
});

describe("secrets of backends", () => {
  test("BOXD_API_KEY goes to core whenever boxd is a selected backend, under every release", () => {
    for (const release of RELEASES) {
      const [row, ...others] = secretRows(release).filter((one) => one.name === "BOXD_API_KEY");
      expect(others).toEqual([]);
      expect(row).toMatchObject({
        service: "core",
        when: { kind: "backend", backend: "boxd" },
        source: { kind: "operator", hint: "boxd auth keys create qm --org <org>" },
      });
      expect(row).not.toHaveProperty("optional");
    }
  });

  test("FLY_SANDBOX_API_TOKEN is for fly, sprites and 0.1.6, and reaches core as FLY_API_TOKEN", () => {
    const rows = (release: Release) => secretRows(release).filter((one) => one.name === "FLY_SANDBOX_API_TOKEN");
    expect(rows(AUGUST)).toMatchObject([
      {
        setting: "core.flyApiToken",
        when: {
          kind: "all",
          of: [
            { kind: "target", target: "fly" },
            { kind: "backend", backend: "sprites" },
          ],
        },
      },
    ]);
    expect(rows(NEWER)).toEqual([]);
  });

  test("a release without a backend has none of its rows", () => {
    const names = new Set(secretRows(AUGUST).map((row) => row.name));
    for (const name of [
      "E2B_API_KEY",
      "MODAL_TOKEN_ID",
      "MODAL_TOKEN_SECRET",
      "PORTER_DEPLOY_API_TOKEN",
      "AGENT37_API_KEY",
      "SUPERSERVE_API_KEY",
      "DEPLOYMENT_CONTROL_SECRET",
      "DATABASE_POOL_URL",
    ]) {
      expect(names).not.toContain(name);
    }
    expect(names).toContain("SMOLMACHINES_TOKEN");
  });

  test("0.1.6 demands what its e-mail transport needs, 0.1.12 does not", () => {
    const optional = (release: Release) =>
      release.secrets
        .filter((row) => /^(SMTP_|RESEND_|AUTH_EMAIL_FROM)/.test(row.name) && row.service === "auth")
        .map((row) => row.optional ?? false);
    expect(optional(AUGUST)).toEqual([false, false, false, false, false]);
    expect(optional(NEWER)).toEqual([true, true, true, true, true]);
  });
});

describe("fields of `sandbox`", () => {
  test("boxd takes none; each says that nothing delivers it, or what boots instead", () => {
    for (const release of RELEASES) expect(backend("boxd").fields(release)).toEqual([]);
    for (const field of ["env", "secretEnv"] as const)
      expect(backend("boxd").insteadOfField(field)).toMatch(
        new RegExp(`^nothing delivers \`sandbox.${field}\` to a boxd machine; `),
      );
    expect(backend("boxd").insteadOfField("image")).toContain("boxd's own image");
  });

  test("sprites takes all; without layer images `app` and `image` lie idle", () => {
    expect([...backend("sprites").fields(AUGUST)].sort()).toEqual([...FIELDS].sort());
    expect(backend("sprites").idleFields(AUGUST)).toEqual([]);
    expect(backend("sprites").fields(NEWER)).toEqual(["baseImage", "env", "secretEnv"]);
    expect(backend("sprites").idleFields(NEWER)).toEqual(["app", "image"]);
  });

  test.each(BACKENDS)("$name: a field is read, idle or neither, and each unread one has one line of advice", (one) => {
    for (const release of RELEASES) {
      const [read, idle] = [one.fields(release), one.idleFields(release)];
      expect(read.filter((field) => idle.includes(field))).toEqual([]);
      expect(read.includes("env")).toBe(one.sandboxEnvPrefix !== null);
      for (const field of FIELDS.filter((name) => !read.includes(name)))
        expect(one.insteadOfField(field)).toMatch(/^[a-z`].*[^.]$/);
    }
  });
});

describe("publish", () => {
  test("only sprites under a release with layer images, and not on aws", () => {
    const published = RELEASES.flatMap((release) =>
      BACKENDS.flatMap((one) =>
        TARGET_NAMES.filter((target) => one.publish(release, target).kind === "layer-image").map(
          (target) => `${release.version} ${one.name} ${target}`,
        ),
      ),
    );
    expect(published).toEqual(["0.1.6 sprites docker", "0.1.6 sprites fly"]);
  });

  test("boxd: says what boots, what still reaches agents, and what to do for executables", () => {
    for (const release of RELEASES) {
      for (const target of TARGET_NAMES) {
        expect(backend("boxd").publish(release, target)).toMatchObject({
          kind: "refused",
          why: expect.stringContaining("boxd's own image") as string,
          instead: expect.stringMatching(/deployment layer \(`qm layer sync`\).*executables do not/) as string,
        });
      }
    }
  });

  test.each([
    ["aws", "infra build-image"],
    ["local", "sandbox.image"],
    ["agent37", "qm layer sync"],
    ["superserve", "qm layer sync"],
  ])("%s: its own way forward", (name, way) => {
    expect(backend(name).publish(AUGUST, "docker")).toMatchObject({
      kind: "refused",
      instead: expect.stringContaining(way) as string,
    });
  });

  test("sprites on aws: qm's own command, since the pin lives in its manifest", () => {
    expect(backend("sprites").publish(AUGUST, "aws")).toMatchObject({
      instead: expect.stringContaining("npx @yc-software/qm@0.1.6 sandbox publish") as string,
    });
  });
});

describe("what backends put into core's environment", () => {
  const AWS = { accountId: "210987654321", region: "us-west-2", cluster: "acme", bucket: () => "acme-data" };
  const written =
    (key: SettingKey, value: string): CoreEnvContext["coreEnv"] =>
    (asked) =>
      asked === key ? value : null;
  function env(name: string, change: Partial<CoreEnvContext> = {}): Record<string, string> {
    const context: CoreEnvContext = {
      target: "docker",
      release: AUGUST,
      orgId: "acme",
      sandbox: {},
      coreEnv: () => null,
      aws: null,
      ...change,
    };
    const entries = backend(name).coreEnv(context);
    expect(entries.map((entry) => entry.name)).not.toContain("SANDBOX_BACKEND");
    return Object.fromEntries(entries.map((entry) => [entry.name, entry.value]));
  }

  test.each(TARGET_NAMES)(
    "boxd on %s: nothing but its name, which resolving puts, whatever stands in `sandbox` and `aws`",
    (target) => {
      const sandbox = { backend: "boxd", app: "a", image: "i", env: { A: "1" } };
      for (const release of RELEASES)
        expect(env("boxd", { target, release, sandbox, aws: AWS, coreEnv: () => "m" })).toEqual({});
    },
  );

  test("sprites: FLY_* only as far as the deployment supplies them and the release reads them", () => {
    const sandbox = { app: "acme-sandboxes", image: "r/i@sha256:0", env: { B: "2", A: "1" } };
    const resident = { FLY_RESIDENT_ENV_A: "1", FLY_RESIDENT_ENV_B: "2" };
    expect(env("sprites", { sandbox })).toEqual({
      FLY_BASE_IMAGE: "r/i@sha256:0",
      FLY_SANDBOX_APP_NAME: "acme-sandboxes",
      ...resident,
    });
    expect(env("sprites", { sandbox: { app: "acme-sandboxes", image: " " } })).toEqual({
      FLY_SANDBOX_APP_NAME: "acme-sandboxes",
    });
    expect(env("sprites", { sandbox, release: NEWER })).toEqual(resident);
  });

  test("local: the daemon and the image on docker, nothing of them elsewhere", () => {
    expect(env("local", { sandbox: { image: "acme/box" } })).toEqual({
      DOCKER_HOST: "unix:///var/run/docker.sock",
      LOCAL_SANDBOX_IMAGE: "acme/box",
      QM_CORE_CONTAINER: "qm-acme-core",
    });
    expect(env("local", { orgId: "ACME", sandbox: { image: " " } })["LOCAL_SANDBOX_IMAGE"]).toBe(
      "qm-acme-sandbox-local:latest",
    );
    expect(env("local", { target: "fly", sandbox: { image: "acme/box" } })).toEqual({});
  });

  test("aws: from the image that core deploys with; a role in `env.core` wins over the derived one", () => {
    const plain = env("aws", { target: "aws", aws: AWS, coreEnv: written("core.awsDeployImage", "acme-apps") });
    expect(plain).toEqual({
      AWS_SANDBOX_EXEC_ROLE_ARN: "arn:aws:iam::210987654321:role/acme-microvm-exec",
      AWS_SANDBOX_IMAGE: "acme-apps",
      AWS_SANDBOX_IMAGE_VERSION: "",
      AWS_SANDBOX_REGION: "us-west-2",
      AWS_SANDBOX_S3_BUCKET: "acme-data",
    });
    const role = "arn:aws:iam::210987654321:role/other";
    expect(env("aws", { target: "aws", aws: AWS, coreEnv: written("core.awsDeployRole", role) })).toMatchObject({
      AWS_SANDBOX_EXEC_ROLE_ARN: role,
    });
    expect(env("aws", { target: "aws", aws: AWS })).not.toHaveProperty("AWS_SANDBOX_IMAGE");
  });
});
