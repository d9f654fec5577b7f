import { describe, expect, test } from "vitest";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { checkDeployment } from "../../src/views/check.ts";
import { explain, type ExplanationOf } from "../../src/views/explain/explain.ts";
import { suggestThing } from "../../src/views/explain/suggest.ts";
import { environmentTable } from "../../src/views/explain/environment-table.ts";
import { explanationText } from "../../src/views/explain/text.ts";
import { ruleRegistry } from "../../src/rules/registry.ts";
import { BASE, resolve, resolveUnder } from "../deployment/resolving.ts";

const CONFIG = `{
  "contract": 1,
  "orgId": "acme",
  "publicUrl": "https://qm.acme-corp.dev",
  "target": "docker",
  "modelProvider": "anthropic",
  "services": ["core", "web-ui", "slack"],
  "env": { "core": { "SMTP_PASSWORD": "correct horse" }, "slack": { "GREETING": "hello" } },
  "sandbox": { "backend": "boxd" }
}`;

function ask(deployment: Deployment, thing: string) {
  return explain(thing, { deployment, checked: checkDeployment(deployment) });
}

const docker = resolveUnder("0.1.12", CONFIG);

describe("a rendered name", () => {
  test("has its value, its place in the file, its artifacts, and what would win over it", () => {
    const [subject] = ask(docker, "core.SANDBOX_BACKEND") as [ExplanationOf<"environment">];
    expect(subject).toMatchObject({
      kind: "environment",
      workload: "core",
      value: "boxd",
      overriddenBy: ["env.core.SANDBOX_BACKEND", "env.slack.SANDBOX_BACKEND"],
    });
    expect(subject.origin.places).toEqual([
      { field: "sandbox.backend", file: "qm.config.jsonc", line: 9, column: 16, written: true },
    ]);
    expect(subject.artifacts).toEqual(["compose.yaml", "core.env"]);
  });

  test("of slack is overridden by core, and not by itself", () => {
    const [subject] = ask(docker, "GREETING") as [ExplanationOf<"environment">];
    expect(subject.origin.places[0]?.field).toBe("env.slack.GREETING");
    expect(subject.overriddenBy).toEqual(["env.core.GREETING"]);
  });

  test("that the target fixes is overridden by nothing", () => {
    const subjects = ask(resolve({ ...BASE, env: { core: { PORT: "1" } } }), "PORT").filter(
      (subject) => subject.kind === "environment",
    );
    expect(subjects.map(({ workload }) => workload)).toEqual(["core", "web-ui"]);
    expect(subjects.map(({ overriddenBy }) => overriddenBy)).toEqual([[], []]);
    expect(subjects[0]?.shadowed.map(({ value }) => value)).toEqual(["1"]);
  });

  test("says what it shadows", () => {
    const [subject] = ask(
      resolve({ ...BASE, sandbox: { backend: "boxd" }, env: { core: { SANDBOX_BACKEND: "local" } } }),
      "core.SANDBOX_BACKEND",
    ) as [ExplanationOf<"environment">];
    expect(subject.value).toBe("local");
    expect(subject.shadowed.map(({ value, origin }) => [value, origin.places[0]?.field])).toEqual([
      ["boxd", "sandbox.backend"],
    ]);
  });

  test("that may be secret is hidden, in words and in data", () => {
    const [subject] = ask(docker, "SMTP_PASSWORD") as [ExplanationOf<"environment">];
    expect(subject.value).toBe("[hidden]");
    expect(
      JSON.stringify([
        subject,
        explanationText([subject]),
        environmentTable(docker),
        ask(docker, "env"),
        ask(docker, "env.core"),
      ]),
    ).not.toContain("horse");
  });
});

describe("a secret", () => {
  test("has its reason, its place, where it goes and how to get it; never its value", () => {
    const key = "bx_live_2f8c1d9e7a6b5c4d3e2f1a0b9c8d7e6f";
    const deployment = resolve(CONFIG, {
      envFile: { file: ".env", text: `BOXD_API_KEY=${key}\nSLACK_BOT_TOKEN=\n`, mode: 0o600 },
    });
    const [subject] = ask(deployment, "BOXD_API_KEY") as [ExplanationOf<"secret">];
    expect(subject).toMatchObject({
      kind: "secret",
      used: true,
      required: true,
      managedBy: "operator",
      hasValue: true,
      destinations: [{ workload: "core", env: "BOXD_API_KEY" }],
    });
    expect(subject.because.map(({ field }) => field)).toEqual(["sandbox.backend"]);
    expect(subject.making).toContain("boxd auth keys create");
    expect(subject.artifacts).toContain(".env.example");
    expect((ask(deployment, "SLACK_BOT_TOKEN")[0] as ExplanationOf<"secret">).hasValue).toBe(false);
    expect(JSON.stringify([subject, explanationText([subject])])).not.toContain(key);
  });

  test("that only another deployment uses says when it would be used", () => {
    const [subject] = ask(docker, "SPRITES_TOKEN") as [ExplanationOf<"secret">];
    expect(subject).toMatchObject({ used: false, required: false, destinations: [] });
    expect(subject.reason).toContain("agents run on `sprites`");
  });
});

describe("a field", () => {
  test("has what it decides", () => {
    const [subject] = ask(docker, "sandbox.backend") as [ExplanationOf<"setting">];
    expect(subject).toMatchObject({
      kind: "setting",
      value: "boxd",
      secrets: ["BOXD_API_KEY"],
      environment: [{ workload: "core", name: "SANDBOX_BACKEND" }],
      overriddenBy: [],
    });
    expect(subject.artifacts).toEqual(expect.arrayContaining(["core.env", "compose.yaml", ".env.example"]));
  });

  test("that loses says against what", () => {
    const deployment = resolve({ ...BASE, sandbox: { backend: "boxd" }, env: { core: { SANDBOX_BACKEND: "local" } } });
    expect((ask(deployment, "sandbox.backend")[0] as ExplanationOf<"setting">).overriddenBy).toEqual([
      "env.core.SANDBOX_BACKEND",
    ]);
  });

  test("that is not set is known by the schema, one that is not is unknown", () => {
    expect(ask(docker, "basePort")[0]).toMatchObject({
      kind: "setting",
      value: null,
      takes: "a number",
      artifacts: [],
    });
    expect(ask(docker, "sandbox.bakend")).toEqual([]);
    expect(ask(docker, "__proto__")).toEqual([]);
    expect(ask(docker, "constructor")).toEqual([]);
  });
});

test("a rule has what it says here, a backend its role, a release whether it is used", () => {
  const faulty = resolve({ ...BASE, sandbox: { backend: "boxd", app: "x" } });
  expect(ask(faulty, "sandbox/fly-only-field")[0]).toMatchObject({
    kind: "rule",
    findings: [{ file: "qm.config.jsonc" }],
  });
  expect(ask(docker, "boxd")[0]).toMatchObject({ kind: "backend", role: "primary", secrets: ["BOXD_API_KEY"] });
  expect(ask(docker, "sprites")[0]).toMatchObject({ role: "not selected" });
  expect(ask(docker, "0.1.12")[0]).toMatchObject({ kind: "release", used: true });
  expect(explain("sandbox/fly-only-field", { deployment: null, checked: null })[0]).toMatchObject({ findings: null });
});

test("everything in the table and every rule can be explained, and reads as text", () => {
  for (const row of environmentTable(docker)) {
    const subjects = ask(docker, `${row.workload}.${row.name}`);
    expect(subjects.map(({ kind }) => kind)).toContain(row.secret === null ? "environment" : "secret");
    for (const subject of subjects) expect(explanationText([subject]).text).not.toMatch(/undefined|\[object/);
  }
  for (const rule of ruleRegistry().keys()) expect(ask(docker, rule)).toHaveLength(1);
});

test.each([
  ["core.SANDBOX_BACKNED", "core.SANDBOX_BACKEND"],
  ["BOXD_API_KEYS", "BOXD_API_KEY"],
  ["sandbox.bakend", "sandbox.backend"],
  ["sandbox/fly-only-feild", "sandbox/fly-only-field"],
  ["fly-only-field", "sandbox/fly-only-field"],
  ["basePrt", "basePort"],
  ["spries", "sprites"],
  ["entirely different", null],
])("%s probably means %s", (thing, meant) => {
  expect(suggestThing(thing, docker)).toBe(meant);
});

describe("a setting that qm reads", () => {
  const names = (thing: string) =>
    explain(thing, { deployment: null, checked: null }).filter((subject) => subject.kind === "name");

  test("is explained without a deployment, with its words, default and what another value does", () => {
    expect(names("BOXD_VCPU")).toMatchObject([
      { field: "env.core.BOXD_VCPU", backend: "boxd", releases: ["0.1.6", "0.1.12"] },
    ]);
    const text = explanationText(names("env.core.DEPLOY_PROVIDER")).text;
    expect(text).toContain("`porter` under 0.1.12");
    expect(text).toMatch(/otherwise +the service does not start \(only likely of 0\.1\.12\)/);
    expect(names("env.portal.HARNESS")).toEqual([]);
    expect(names("WEB_UI_PUBLIC_URL").map(({ service }) => service)).toEqual(["core", "web-ui"]);
  });

  test("is what its field takes, and is found when it is misspelt", () => {
    const fields = ask(docker, "env.core.SEED_SKILLS").filter((subject) => subject.kind === "setting");
    expect(explanationText(fields).text).toMatch(/takes +`true`/);
    expect(suggestThing("SEED_SKILS", null)).toBe("SEED_SKILLS");
    expect(explanationText(names("OIDC_PROMPT")).text).toMatch(/releases +qm 0\.1\.12 alone/);
  });
});
