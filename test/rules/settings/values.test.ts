import { describe, expect, test } from "vitest";
import { settingsOf } from "../../../src/catalog/settings/index.ts";
import { RELEASES } from "../../../src/catalog/releases/index.ts";
import type { Finding } from "../../../src/rules/rule.ts";
import { SETTING_VALUE_RULES } from "../../../src/rules/settings/values.ts";
import { deploymentOf } from "../../support/fragment.ts";
import { type Row, ROWS, type Verdict } from "./rows.ts";

const BROKER = ["core", "web-ui", "admin", "portal", "auth", "slack"];
const OWN_PROVIDER = ["core", "web-ui", "admin", "portal", "slack"];
const MAIL = { AUTH_EMAIL_TRANSPORT: "resend", AUTH_ALLOWED_EMAIL_DOMAIN: "acme.dev" };

/** What the rules find of one value under one name. */
function findings({ service, beside = {} }: Row, name: string, value: string, release: string): readonly Finding[] {
  const env: Record<string, Record<string, string>> = {
    core: { HARNESS: "pi" },
    ...(service === "auth" ? { auth: MAIL } : {}),
  };
  env[service] = { ...env[service], ...beside, [name]: value };
  const services = service === "auth" ? BROKER : OWN_PROVIDER;
  const deployment = deploymentOf(JSON.stringify({ services, env }), { release });
  const found: Finding[] = [];
  for (const rule of SETTING_VALUE_RULES) rule.check(deployment, (finding) => found.push(finding));
  return found;
}

function severity(verdict: Verdict, release: string): string | undefined {
  if (verdict === "fine") return undefined;
  if (verdict === "refused") return release === "0.1.6" ? "error" : "warning";
  return verdict === "error" ? "error" : "warning";
}

const TABLE = ROWS.flatMap((row) => {
  const rows = row.boot.length === 0 ? "" : ` (boot row${row.boot.length > 1 ? "s" : ""} ${row.boot.join(", ")})`;
  const releases = row.release === undefined ? RELEASES.map(({ version }) => version) : [row.release];
  return row.names
    .split(" ")
    .flatMap((name) => releases.map((release) => ({ title: `${name} under ${release}${rows}`, row, name, release })));
});

test.each(TABLE)("$title", ({ row, name, release }) => {
  for (const [verdict, values] of Object.entries(row.values) as [Verdict, readonly string[]][]) {
    for (const value of values) {
      const found = findings(row, name, value, release);
      const expected = severity(verdict, release);
      expect(
        found.map((one) => one.severity),
        JSON.stringify(value),
      ).toEqual(expected === undefined ? [] : [expected]);
    }
  }
});

describe("a bad value", () => {
  const message = (
    service: "core" | "slack" | "portal",
    name: string,
    value: string,
    release = "0.1.6",
  ): Finding | undefined => findings({ boot: [], service, names: name, values: {} }, name, value, release)[0];

  test("is told with what follows, as sure as it is known", () => {
    expect(message("core", "WORKERS", "many")?.message).toBe("`env.core.WORKERS` is no number: core does not start");
    expect(message("core", "WORKERS", "many", "0.1.12")?.message).toBe(
      "`env.core.WORKERS` is no number: core very likely does not start",
    );
    expect(message("core", "SNAPSHOT_STORE", "S3")?.message).toBe(
      "`env.core.SNAPSHOT_STORE` names `S3`, which qm does not know: core keeps them on its own disk",
    );
  });

  test("has a fix where the meaning is certain", () => {
    const fixed = (found: Finding | undefined) => found?.fix?.changes[0];
    expect(fixed(message("core", "SNAPSHOT_STORE", "S3"))).toMatchObject({ value: "s3" });
    expect(fixed(message("core", "RATE_LIMIT_WINDOW_MS", "60_000"))).toMatchObject({ value: "60000" });
    expect(fixed(message("portal", "PORTAL_PLAYGROUND", "true"))).toMatchObject({ value: "1" });
    expect(fixed(message("core", "WORKERS", "many"))).toBeUndefined();
  });

  test("is never shown where it may be secret", () => {
    for (const name of ["HARNESS", "WORKERS", "SEED_SKILLS", "OPENAI_BASE_URL", "ORG_BRAND_ACCENT"])
      expect(JSON.stringify(message("core", name, "https://ann:hunter2@x?sk-Canary0123456789abcdef"))).not.toMatch(
        /hunter2|Canary/,
      );
  });

  test("is judged where the process reads it: env.slack in core, env.portal in the broker of 0.1.12", () => {
    expect(message("slack", "WORKERS", "many")?.message).toMatch(/^`env.slack.WORKERS` is no number: core/);
    const env = { core: { HARNESS: "pi" }, portal: { AUTH_LINK_TTL_S: "9999" }, auth: MAIL };
    const judged = (release: string): number => {
      let count = 0;
      const deployment = deploymentOf(JSON.stringify({ services: BROKER, env }), { release });
      for (const rule of SETTING_VALUE_RULES) rule.check(deployment, () => count++);
      return count;
    };
    expect([judged("0.1.6"), judged("0.1.12")]).toEqual([0, 1]);
  });

  test("of core's demand for signed identities counts outside of production alone, where nothing implies it", () => {
    const found = (mode: string): number => {
      const env = { core: { HARNESS: "pi", REQUIRE_SIGNED_PORTAL_IDENTITY: "true", NODE_ENV: mode } };
      let count = 0;
      const deployment = deploymentOf(JSON.stringify({ env }), { release: "0.1.6" });
      for (const rule of SETTING_VALUE_RULES) rule.check(deployment, () => count++);
      return count;
    };
    expect([found("production"), found("development")]).toEqual([0, 1]);
  });
});

test("every default and example of the vocabulary is fine by its own reading", () => {
  for (const release of RELEASES) {
    const context = { release, production: true, other: () => null };
    for (const service of ["core", "web-ui", "admin", "portal", "auth", "slack"] as const) {
      for (const { name, reading, default: standard, example } of settingsOf(release, service).values()) {
        for (const value of [standard, example, ...(reading.words?.(release) ?? [])]) {
          if (value === undefined || (name === "SMTP_TLS" && value === "none")) continue;
          expect(reading.judge(value, context), `${name}=${value}`).toBeNull();
        }
      }
    }
  }
});
