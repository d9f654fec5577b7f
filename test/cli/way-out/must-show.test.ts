import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { RELEASES } from "../../../src/catalog/releases/index.ts";
import { settingsOf } from "../../../src/catalog/settings/index.ts";
import { COMMANDS } from "../../../src/cli/commands/index.ts";
import type { CommandDefinition } from "../../../src/cli/command-definition.ts";
import { main } from "../../../src/cli/main.ts";
import { SERVICE_NAMES } from "../../../src/config/written-config.ts";
import { prettyReporter } from "../../../src/diagnostics/reporters/pretty.ts";
import { redactText } from "../../../src/base/redact.ts";
import { ruleRegistry } from "../../../src/rules/registry.ts";
import { runRules } from "../../../src/rules/run-rules.ts";
import { deploymentView } from "../../../src/views/deployment-view.ts";
import { explain } from "../../../src/views/explain/explain.ts";
import { explanationText } from "../../../src/views/explain/text.ts";
import { valueMask } from "../../../src/views/value-mask.ts";
import { OPTIONS, printed as reported } from "../../diagnostics/views.ts";
import { deploymentFrom } from "../../support/fragment.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { fakeIo } from "../fake-io.ts";
import { soundConfig } from "../deployments.ts";

const HIDDEN = /\[hidden\]|•••/;
const EXAMPLES = join(import.meta.dirname, "../../../examples");

async function printed(argv: readonly string[], cwd: string): Promise<string> {
  const io = fakeIo(argv, { cwd, env: { PATH: "" } });
  await main(io);
  return io.out + io.err;
}

/** What cannot be a secret, by the name that it stands under. */
const PLAIN: readonly (readonly [name: string, value: string])[] = [
  ["BOXD_VCPU", "4"],
  ["BOXD_DISK_GB", "100"],
  ["SANDBOX_TIMEOUT_SEC", "0.5"],
  ["RATE", "-12.75"],
  ["PORT", "8080"],
  ["ENABLED", "true"],
  ["ACCOUNT", "123456789012"],
  ["SANDBOX_SCOPE_BACKENDS", '{"team":"boxx"}'],
  ["SANDBOX_SCOPE_BACKENDS", '{"default":"boxd","team:eng":"sprites"}'],
  ["SECRETS_BACKEND", "aws"],
  ["SECRETS_PREFIX", "qm/acme/"],
  ["AUTH_TOKEN_TTL", "3600"],
  ["MAX_CONTEXT_TOKENS", "128000"],
  ["TOKEN_LIFETIME", "15m"],
  ["OIDC_TOKEN_ENDPOINT", "https://login.acme-corp.dev/oauth2/v2.0/token"],
  ["SECRET_NAME_ARN", "arn:aws:secretsmanager:us-east-1:123456789012:secret:qm/acme"],
  ["MODEL", "claude-sonnet-4-5-20250929"],
  ["MODEL", "gpt-5.1-codex-mini"],
  ["INSTANCE", "t4g.small"],
  ["VM", "shared-cpu-2x"],
  ["REGION", "eu-central-1"],
  ["PLATFORM", "linux/amd64"],
  ["ROLE", "arn:aws:iam::123456789012:role/qm-core-task"],
  ["IMAGE", `ghcr.io/acme/core:v1.12.3@sha256:${"3f9a8b7c".repeat(8)}`],
  ["IMAGE", "registry.fly.io/acme-core:2026-11-30"],
  ["URL", "https://qm.acme-corp.dev:8443/api/v1?x=1#top"],
  ["EMAIL", "Acme Robot <no-reply@acme-corp.dev>"],
  ["EMAILS", "ann@acme-corp.dev, bob.b@acme-corp.dev"],
  ["GRANTS", "ann@acme-corp.dev:org_admin"],
  ["CIDR", "10.0.0.0/16"],
  ["CRON", "*/5 * * * *"],
  ["TEXT", "Größe überall, ¿qué tal? 日本語"],
  ["PATH_OF", "/var/lib/qm/data/acme-1"],
  ["VERSION", "0.1.12"],
  ["DATE", "2026-11-30T10:00:00Z"],
  ["TAG", "release-2026.11"],
];

describe("what cannot be a secret is shown", () => {
  test.each(PLAIN)("%s=%s in explain, in a message and in a code frame", (name, value) => {
    const config = { env: { core: { [name]: value, ANTHROPIC_API_KEY: "hunter2", SMTP_PASSWORD: "hunter3" } } };
    const text = JSON.stringify({ ...(JSON.parse(soundConfig()) as object), ...config }, null, 2);
    const deployment = deploymentFrom(text, { release: "0.1.12" });
    expect(valueMask(deployment)(name, value)).toBe(value);
    expect(redactText(`\`env.core.${name}\` is \`${value}\`, which is no word`)).toContain(`\`${value}\``);
    const view = deploymentView(deployment, runRules(deployment), false);
    const report = reported(prettyReporter({ ...OPTIONS, columns: 400 }), [view], { [view.config]: text });
    // The findings about the two secrets have it in the lines beside theirs.
    expect(report).toContain(JSON.stringify(value).slice(1, -1));
    expect(report).not.toContain("hunter");
  });

  const words = RELEASES.flatMap((release) =>
    SERVICE_NAMES.flatMap((service) =>
      [...settingsOf(release, service).values()]
        .filter(({ isSecret }) => isSecret !== true)
        .flatMap((setting) =>
          [setting.default, setting.example, ...(setting.reading.words?.(release) ?? [])]
            .filter((value) => value !== undefined)
            .map((value) => [setting.name, value] as const),
        ),
    ),
  );
  test("every word, default and example of the vocabulary", () => {
    const mask = valueMask(deploymentFrom(soundConfig(), { release: "0.1.12" }));
    expect(words.length).toBeGreaterThan(100);
    expect(words.filter(([name, value]) => mask(name, value) !== value)).toEqual([]);
  });
});

describe("what we say ourselves is shown", () => {
  function* helps(commands: readonly CommandDefinition[], above: readonly string[]): Iterable<string[]> {
    for (const { name, commands: below = [] } of commands) {
      yield [...above, name, "--help"];
      yield* helps(below, [...above, name]);
    }
  }

  test("help of every command", async () => {
    for (const argv of [["--help"], ...helps(COMMANDS, [])])
      expect(await printed(argv, EXAMPLES), argv.join(" ")).not.toMatch(HIDDEN);
  });

  test("every rule with its fragments, every backend and release", () => {
    const things = [...ruleRegistry().keys(), "boxd", "sprites", "aws", "local", ...RELEASES.map((one) => one.version)];
    for (const thing of things) {
      const subjects = explain(thing, { deployment: null, checked: null });
      expect(subjects, thing).not.toEqual([]);
      expect(JSON.stringify(subjects) + explanationText(subjects).text, thing).not.toMatch(HIDDEN);
    }
  });
});

describe("of a sound deployment nothing is hidden", () => {
  const scratch = mkdtempSync(join(tmpdir(), "qm-deploy-shown-"));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  const names = readdirSync(EXAMPLES).filter((name) => name !== "library");

  test.each(names)("example %s", async (name) => {
    const cwd = join(scratch, name);
    cpSync(join(EXAMPLES, name), cwd, { recursive: true });
    const all = [
      ...["pretty", "json", "github", "sarif", "junit"].map((format) => ["check", "--format", format]),
      ...["pretty", "json"].flatMap((format) => [
        ["explain", "--format", format],
        ["secrets", "--format", format],
        ["secrets", "check", "--format", format],
        ["render", "--check", "--format", format],
        ["diff", "../docker-boxd", "--format", format],
      ]),
      ["diff", "../docker-boxd", "--format", "github"],
      ...["mermaid", "svg", "json"].map((format) => ["graph", "--format", format]),
      ["init", "--dry-run"],
      ["secrets", "example"],
      ["render"],
    ];
    for (const argv of all) expect(await printed(argv, cwd), argv.join(" ")).not.toMatch(HIDDEN);
  });

  test("a name of a directory stays as it is", async () => {
    const place = "previews/pr-1234-3f9a8b7c6d5e/qm.config.jsonc";
    const cwd = tempDirectory({ [place]: "{}" });
    for (const format of ["pretty", "json", "github", "sarif", "junit"])
      expect(await printed(["check", ".", "--format", format], cwd), format).toContain(place);
  });
});
