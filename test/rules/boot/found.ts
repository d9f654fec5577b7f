import { describe, expect, test } from "vitest";
import type { TreeEntry } from "../../../src/deployment/inputs.ts";
import type { RuleId } from "../../../src/diagnostics/rule-ids.generated.ts";
import { runRules } from "../../../src/rules/run-rules.ts";
import { deploymentOf, type FragmentContext, treeOf } from "../../support/fragment.ts";

/** What stands around the config of a row: without it qm 0.1.6 and no `.env`. */
export type Around = Pick<FragmentContext, "release" | "env" | "sandboxTree">;

/** What a rule says of a config laid over the sound deployment: severity and the first field or name of each message. */
export function found(rule: RuleId, config: object, around: Around = {}): string[] {
  const deployment = deploymentOf(JSON.stringify(config), around);
  return runRules(deployment)
    .filter((diagnostic) => diagnostic.rule === rule)
    .map(({ severity, message }) => `${severity} ${/`([^`]*)`/.exec(message)?.[1] ?? message}`);
}

interface Variables {
  readonly [name: string]: string;
}
type Env = { readonly [service in "core" | "portal" | "auth" | "web-ui" | "admin" | "slack"]?: Variables };

/** What is written, and the severity and first field of each finding. */
export type Row = readonly [config: object, expected: readonly string[], around?: Around];

export const CORE = ["core", "web-ui"];
export const PORTAL = ["core", "web-ui", "admin", "portal"];
const AUTH = ["core", "slack", "web-ui", "admin", "portal", "auth"];

/** A config with these services, in which `env` is added to what they cannot do without. */
export function having(services: readonly string[], env: Env, more: object = {}): object {
  const auth = services.includes("auth") ? { auth: { AUTH_EMAIL_TRANSPORT: "resend", ...env.auth } } : {};
  return { services, ...more, env: { ...env, ...auth, core: { HARNESS: "pi", ...env.core } } };
}

export function core(variables: Variables, more: object = {}): object {
  return having(CORE, { core: variables }, more);
}

export function portal(variables: Variables, more: object = {}): object {
  return having(PORTAL, { portal: variables }, more);
}

/** With every service, the sign-in broker too. */
export function auth(env: Env, more: object = {}): object {
  return having(AUTH, env, more);
}

export const HTTP = { publicUrl: "http://qm.acme.dev" };
export const LOCAL = { publicUrl: "http://localhost:8081" };

/** What lifts what production demands. */
export const TRIAL = { NODE_ENV: "development" };

/** A `.env` with every secret that core with web-ui on docker demands. */
export const SOUND_SECRETS = [
  "ANTHROPIC_API_KEY=a1",
  "BOXD_API_KEY=b2",
  "PUBLIC_API_URL=https://qm.acme.dev",
  ...[
    "CAPABILITY_SECRET",
    "CONNECTOR_SECRET_KEY",
    "CORE_SIGNING_SECRET",
    "PORTAL_IDENTITY_SECRET",
    "SKILL_SIGNING_SECRET",
  ].map((name, at) => `${name}=${String(at).repeat(64)}`),
  "",
].join("\n");

/** A layer with one skill. */
export function skillTree(): readonly TreeEntry[] {
  return treeOf(new Map([["sandbox/skills/acme/SKILL.md", "---\nname: acme\n---\n"]]), "sandbox");
}

/** Tests by rule and by rows of docs/contract/qm-boot.md; under qm 0.1.6 where a row does not say otherwise. */
export function testRelations(table: readonly (readonly [rows: string, rule: RuleId, all: readonly Row[]])[]): void {
  describe.each(table)("%s: %s", (_rows, rule, all) => {
    const rows = all.map(([config, expected, around = {}]) => ({
      config,
      expected,
      around,
      what: JSON.stringify(config),
    }));
    test.each(rows)("$what", ({ config, expected, around }) => expect(found(rule, config, around)).toEqual(expected));

    test("fires, and is silent elsewhere", () =>
      expect(new Set(all.map(([, expected]) => expected.length > 0)).size).toBe(2));
  });
}
