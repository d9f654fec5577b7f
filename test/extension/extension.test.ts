import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempDirectory } from "../workspace/temp.ts";
import { SourceCopy } from "./copy.ts";

// What CONTRIBUTING says about adding a backend and a release, done in a copy of the sources: one file each (a release
// also has its templates), `npm run generate`, a build. Nothing else is touched, and everything follows.

const ADDED = join(import.meta.dirname, "added");
const BACKEND_FILE = "src/catalog/backends/acmebox.ts";
const RELEASE_FILE = "src/catalog/releases/0.1.13.ts";
const TEMPLATES = "templates/fly/0.1.13";
const IMAGE = `ghcr.io/acme/qm-core@sha256:${"15".repeat(32)}`;

let copy: SourceCopy;

beforeAll(() => {
  copy = new SourceCopy();
  cpSync(join(ADDED, "acmebox.ts.txt"), join(copy.root, BACKEND_FILE));
  cpSync(join(ADDED, "0.1.13.ts.txt"), join(copy.root, RELEASE_FILE));
  cpSync(join(copy.root, "templates/fly/0.1.12"), join(copy.root, TEMPLATES), { recursive: true });
  copy.run("scripts/generate.mjs");
  copy.run("scripts/build.mjs");
}, 600_000);

afterAll(() => rmSync(copy.root, { recursive: true, force: true }));

/** A deployment of the copy's command line: the config as an object. */
function deployment(config: object, release = "0.1.13"): string {
  return tempDirectory({
    "qm.config.jsonc": JSON.stringify({ contract: 1, orgId: "acme", modelProvider: "anthropic", ...config }),
    "package.json": JSON.stringify({ devDependencies: { "@yc-software/qm": release } }),
  });
}

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly help: string;
}

interface CheckView {
  readonly sandbox: { readonly backend: string | null; readonly selected: readonly string[] };
  readonly release: { readonly resolved: string };
  readonly secrets: readonly { readonly name: string; readonly required: boolean; readonly destinations: unknown }[];
  readonly diagnostics: readonly Finding[];
}

function check(directory: string, ...args: readonly string[]): CheckView {
  const { out } = copy.cli(["check", "--format", "json", ...args, "."], directory);
  return (JSON.parse(out) as { deployments: [CheckView] }).deployments[0];
}

function findings(view: CheckView, rule: string): readonly Finding[] {
  return view.diagnostics.filter((each) => each.rule === rule);
}

/** Every file that `render` writes, as one text. */
function rendered(directory: string): string {
  const done = copy.cli(["render", "."], directory);
  expect(done, done.out + done.err).toMatchObject({ status: 0 });
  return readdirSync(join(directory, "rendered"), { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

function awsService(name: string) {
  return { ecrRepository: `qm/${name}`, ecsService: `acme-${name}`, cpu: 512, memory: 1024 };
}

const TARGETS = {
  docker: { target: "docker", publicUrl: "http://localhost:8081" },
  fly: { target: "fly", publicUrl: "https://qm.acme.dev", flyOrg: "acme", region: "iad" },
  aws: {
    target: "aws",
    publicUrl: "https://qm.acme.dev",
    aws: {
      accountId: "210987654321",
      region: "us-west-2",
      cluster: "acme-qm",
      deployRoleArn: "arn:aws:iam::210987654321:role/acme-qm-deploy",
      secretsPrefix: "acme-qm/",
      imageLabel: "stable",
      networking: { cloudMapNamespace: "acme-qm.internal" },
      alb: "acme-qm",
      rdsInstance: "acme-qm-db",
      services: { core: awsService("core"), "web-ui": awsService("web-ui"), portal: awsService("portal") },
    },
  },
} as const;

/** What core needs on every target and on each. */
const CORE = {
  docker: { HARNESS: "pi" },
  fly: { HARNESS: "pi", SNAPSHOT_STORE: "s3", TRANSFER_STORE: "s3", S3_BUCKET: "acme-qm", S3_REGION: "auto" },
  aws: { HARNESS: "pi", AWS_DEPLOY_IMAGE: "acme-apps" },
};

test("nothing but the added and the generated files is other than in the repository", () => {
  const templates = readdirSync(join(copy.root, TEMPLATES)).map((name) => `${TEMPLATES}/${name}`);
  const own = [BACKEND_FILE, RELEASE_FILE, ...templates];
  const others = copy.changed().filter((path) => !own.includes(path));
  expect(others).toEqual([
    "docs/backends.md",
    "docs/settings.md",
    "schema/qm.config.schema.json",
    "src/catalog/backends/all.generated.ts",
    "src/catalog/fly-templates.generated.ts",
    "src/catalog/releases/all.generated.ts",
    "src/cli/catalog-names.generated.ts",
  ]);
});

describe("an added backend", () => {
  const on = (target: keyof typeof TARGETS, env: object = {}, more: object = {}): object => ({
    ...TARGETS[target],
    services: ["core", "web-ui"],
    sandbox: { backend: "acmebox" },
    env: { core: { ...CORE[target], ...env } },
    ...more,
  });

  test("check judges its settings, their family and the names of its machines", () => {
    const view = check(deployment(on("docker", { ACMEBOX_CPUS: "3", ACMEBOX_CPU: "1" })));
    expect(view.sandbox).toMatchObject({ backend: "acmebox", selected: ["acmebox"] });
    expect(findings(view, "settings/choice")[0]?.message).toBe(
      "`env.core.ACMEBOX_CPUS` is not a size that Acmebox has",
    );
    expect(findings(view, "settings/unknown-name")[0]).toMatchObject({
      message: "`env.core.ACMEBOX_CPU` is no setting of `acmebox`",
      help: "did you mean `ACMEBOX_CPUS`?",
    });
    expect(findings(view, "boxd/prefix-unset")[0]?.message).toContain("`env.core.ACMEBOX_NAME_PREFIX` is not set");
    expect(findings(view, "sandbox/core-image")[0]?.message).toContain("does not implement `acmebox`");
  });

  test("check knows where it may be declared, and whose settings lie idle", () => {
    const [refused] = findings(check(deployment(on("aws"))), "sandbox/backend-not-available");
    expect(refused?.severity).toBe("error");
    expect(refused?.message + (refused?.help ?? "")).toMatch(/docker.*fly/);
    const other = on("docker", { ACMEBOX_CPUS: "1" }, { sandbox: { backend: "local" } });
    expect(findings(check(deployment(other)), "sandbox/idle-setting")[0]?.message).toContain("`acmebox`");
  });

  test("two deployments with one prefix would share machines", () => {
    const config = (orgId: string): string =>
      JSON.stringify({ contract: 1, modelProvider: "anthropic", ...on("docker"), orgId });
    const directory = tempDirectory({ "a/qm.config.jsonc": config("one"), "b/qm.config.jsonc": config("two") });
    const { out } = copy.cli(["check", "--format", "json", "."], directory);
    const { deployments } = JSON.parse(out) as { deployments: CheckView[] };
    for (const view of deployments)
      expect(findings(view, "boxd/shared-machines")[0]?.help).toContain("`env.core.ACMEBOX_NAME_PREFIX`");
  });

  test("secrets and explain name what it needs", () => {
    const directory = deployment(on("fly"));
    const { secrets } = check(directory);
    expect(secrets.find(({ name }) => name === "ACMEBOX_API_KEY")).toMatchObject({
      required: true,
      destinations: [{ workload: "core", env: "ACMEBOX_API_KEY" }],
    });
    expect(copy.cli(["secrets", "."], directory).out).toContain("ACMEBOX_API_KEY");
    expect(copy.cli(["explain", "ACMEBOX_API_KEY"], directory).out).toContain("acmebox keys create");
    expect(copy.cli(["explain", "acmebox"], directory).out).toContain("docker, fly");
    expect(copy.cli(["explain", "core.SANDBOX_BACKEND"], directory).out).toContain("sandbox.backend");
  });

  test.each(["docker", "fly"] as const)("render on %s puts its name and settings into core", (target) => {
    const config = on(target, { ACMEBOX_CPUS: "2" }, { imageOverrides: { core: IMAGE } });
    const text = rendered(deployment(config));
    expect(text).toMatch(/SANDBOX_BACKEND\W+acmebox/);
    expect(text).toMatch(/ACMEBOX_CPUS\W+2/);
    expect(text).toContain("Agents work on Acmebox machines");
  });

  test("init scaffolds it and asks for its key", () => {
    const directory = tempDirectory();
    const args = ["init", "made", "--yes", "--org", "acme", "--target", "fly", "--backend", "acmebox"];
    const done = copy.cli(args, directory);
    expect(done.status, done.out + done.err).toBe(0);
    const config = readFileSync(join(directory, "made/qm.config.jsonc"), "utf8");
    expect(config).toContain('"backend": "acmebox"');
    expect(config).toMatch(/"ACMEBOX_NAME_PREFIX": "[a-z]+-\w+"/);
    expect(config).toContain("ACMEBOX_CPUS");
    expect(readFileSync(join(directory, "made/.env"), "utf8")).toContain("ACMEBOX_API_KEY=");
  });

  test("dev-env hands it to a contributor's core", () => {
    const env = { ACMEBOX_API_KEY: "key-of-acmebox-0123", ACMEBOX_CPUS: "2" };
    const done = copy.cli(["dev-env", "--sandbox", "acmebox", "--format", "json"], tempDirectory(), env);
    expect(JSON.parse(done.out)).toMatchObject({
      ok: true,
      env: { SANDBOX_BACKEND: "acmebox", ACMEBOX_NAME_PREFIX: "qmdev", ACMEBOX_CPUS: "2" },
      secret: { name: "ACMEBOX_API_KEY", source: "environment" },
    });
  });

  test("docs, schema and help list it", () => {
    const page = copy.text("docs/backends.md");
    expect(page).toContain("## acmebox");
    expect(page).toContain("| 0.1.13 | docker, fly | one of your own |");
    expect(page).toContain("`ACMEBOX_CPUS`");
    expect(copy.text("schema/qm.config.schema.json")).toContain('"acmebox"');
    expect(copy.cli(["dev-env", "--help"], copy.root).out).toContain('"acmebox"');
  });
});

describe("an added release", () => {
  const signIn = (target: keyof typeof TARGETS, portal: object = {}, services: readonly string[] = ["auth"]) => ({
    ...TARGETS[target],
    services: ["core", "web-ui", "portal", ...services],
    env: { core: CORE[target], auth: { AUTH_EMAIL_TRANSPORT: "resend" }, portal },
  });

  test.each(["docker", "fly", "aws"] as const)("render on %s says the new name, and the old one nowhere", (target) => {
    const text = rendered(deployment(signIn(target)));
    expect(text).toContain("OIDC_SUBJECT_CLAIM");
    expect(text).not.toContain("OIDC_PRINCIPAL_CLAIM");
    const before = rendered(deployment(signIn(target), "0.1.12"));
    expect(before).toContain("OIDC_PRINCIPAL_CLAIM");
    expect(before).not.toContain("OIDC_SUBJECT_CLAIM");
  });

  test("check manages and judges the new name, and takes the old one for any other", () => {
    const managed = check(deployment(signIn("docker", { OIDC_SUBJECT_CLAIM: "email", OIDC_PRINCIPAL_CLAIM: "email" })));
    expect(managed.release.resolved).toBe("0.1.13");
    expect(findings(managed, "services/managed-env").map(({ message }) => message)).toEqual([
      "`env.portal.OIDC_SUBJECT_CLAIM` is decided by the sign-in broker (service `auth`)",
    ]);
    const portal = { OIDC_ALLOWED_EMAIL_DOMAIN: "acme.dev", OIDC_SUBJECT_CLAIM: "sub", OIDC_PRINCIPAL_CLAIM: "sub" };
    const claims = findings(check(deployment(signIn("docker", portal, []))), "portal/principal-claim");
    expect(claims.map(({ message }) => message)).toEqual([
      "`env.portal.OIDC_SUBJECT_CLAIM` must be `email`, as `env.portal.OIDC_ALLOWED_EMAIL_DOMAIN` lets people in by their e-mail",
    ]);
  });

  test("upgrade renames what the config sets, and says what a workload gets under another name", () => {
    const portal = { OIDC_PRINCIPAL_CLAIM: "email" };
    const directory = deployment(signIn("docker", portal, []), "0.1.12");
    const shown = JSON.parse(copy.cli(["upgrade", "0.1.13", "--format", "json"], directory).out);
    expect(shown.fixes).toEqual(["rename `env.portal.OIDC_PRINCIPAL_CLAIM` to `OIDC_SUBJECT_CLAIM`"]);
    expect(shown.workloads.find(({ name }: { name: string }) => name === "portal").environment).toEqual([
      { name: "OIDC_SUBJECT_CLAIM", change: "renamed", formerName: "OIDC_PRINCIPAL_CLAIM", from: "email", to: "email" },
    ]);
    expect(shown.lost).toEqual([]);
  });

  test("secrets are those of the release that it follows", () => {
    const names = (release: string): string[] =>
      check(deployment(signIn("fly"), release)).secrets.map(({ name }) => name);
    expect(names("0.1.13")).toEqual(names("0.1.12"));
  });

  test("explain and the choice of the release know it", () => {
    const directory = deployment(signIn("docker"));
    expect(copy.cli(["explain", "portal.OIDC_SUBJECT_CLAIM"], directory).out).toContain("email");
    expect(copy.cli(["explain", "0.1.13"], directory)).toMatchObject({ status: 0 });
    const [unknown] = findings(check(deployment(signIn("docker"), "0.1.14")), "release/unknown-version");
    expect(unknown?.message).toContain("0.1.13");
  });

  test("init pins it as the newest, and docs list it", () => {
    const directory = tempDirectory();
    const done = copy.cli(["init", "made", "--yes", "--org", "acme", "--target", "docker"], directory);
    expect(done.status, done.out + done.err).toBe(0);
    expect(readFileSync(join(directory, "made/package.json"), "utf8")).toContain('"0.1.13"');
    expect(copy.text("docs/backends.md").match(/\| 0\.1\.13 \|/g)).toHaveLength(11);
  });

  test("dev-env hands on what it calls its settings", () => {
    const done = copy.cli(["dev-env", "--sandbox", "local", "--format", "json"], tempDirectory());
    expect(JSON.parse(done.out)).toMatchObject({ env: { SANDBOX_BACKEND: "local" } });
  });
});
