import { join } from "node:path";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { corePublicHosts } from "../../../src/render/aws/core-hosts.ts";
import { readTfvars, tfvarsText } from "../../../src/render/aws/tfvars-document.ts";
import { renderTfvars } from "../../../src/render/aws/tfvars.ts";
import { example, renderWith } from "../support.ts";
import { runs } from "../../support/runs.ts";

const ROOT = join(import.meta.dirname, "../../..");

function tfvarsOf(name: string, existing: string | null = null): string {
  const rendered = renderWith(renderTfvars, example(name), { existingTfvars: existing });
  expect(rendered.refusals).toEqual([]);
  return rendered.artifacts[0]?.text ?? "";
}

describe("an existing file", () => {
  const EXISTING = [
    "# our notes\r\n",
    'github_repository = "acme/qm" # ours\r\n',
    '/* block\r\n   org_id = "commented" */\r\n',
    'org_id = "stale" # whose\r\n',
    "certificate_arn = <<EOT\r\nnot = a\r\nEOT\r\n",
    "db_multi_az = true // keep\r\n",
    'services = {\r\n  "gone" = { a = [1, "}"] }\r\n}\r\n',
    'org_id = "twice"\r\n',
  ].join("");

  test("keeps operator values and comments byte for byte, and rendering again changes nothing", () => {
    const text = tfvarsOf("aws-boxd", EXISTING);
    for (const kept of [
      "# our notes\r\n",
      'github_repository = "acme/qm" # ours\r\n',
      '/* block\r\n   org_id = "commented" */\r\n',
      "certificate_arn = <<EOT\r\nnot = a\r\nEOT\r\n",
      "db_multi_az = true // keep\r\n",
    ]) {
      expect(text).toContain(kept);
    }
    expect(text).toContain('org_id = "acme" # whose\r\n');
    expect(text).not.toContain("stale");
    expect(text).not.toContain("twice");
    expect(text).not.toContain("gone");
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(tfvarsOf("aws-boxd", text)).toBe(text);
  });

  test("loses what the config no longer says, and keeps what is not ours to say", () => {
    const before = 'github_environment = "production"\ncore_public_hosts = ["api.acme-corp.dev"]\n';
    expect(tfvarsOf("aws-boxd", before)).toMatch(/^github_environment = ""\ncore_public_hosts = \[\]$/m);
    const old = renderWith(renderTfvars, example("aws-boxd", { release: "0.1.6" }), { existingTfvars: before });
    expect(old.artifacts[0]?.text).toMatch(/^core_public_hosts = \["api\.acme-corp\.dev"\]$/m);
  });

  test("is split without losing a byte, whatever it holds", () => {
    const fragment = fc.constantFrom(
      "a = 1",
      "b = <<E",
      "E",
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      "#",
      "//",
      "/*",
      "*/",
      "=",
      "==",
      " ",
      "\n",
      "\r\n",
      "$",
      "x",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fragment, fc.string()), { maxLength: 40 }), (fragments) => {
        const text = fragments.join("");
        expect(tfvarsText(readTfvars(text))).toBe(text);
      }),
      { numRuns: runs(50, 500) },
    );
  });
});

describe("names that lead past the portal", () => {
  test.each([
    ["no others", {}, {}, {}],
    ["apiUrl", { apiUrl: "https://api.acme-corp.dev" }, {}, {}],
    ["apiUrl on the public name", { apiUrl: "https://qm.acme-corp.dev" }, {}, {}],
    ["agents' apps", {}, { DEPLOY_APPS_DOMAIN: "apps.qm.acme-corp.dev" }, {}],
    ["agents' apps, by the older name", {}, { AWS_DEPLOY_APPS_DOMAIN: "Apps.acme-corp.dev." }, {}],
    ["both", { apiUrl: "https://api.acme-corp.dev" }, { DEPLOY_APPS_DOMAIN: "apps.qm.acme-corp.dev" }, {}],
    [
      "apps behind a shared load balancer",
      { aws: { sharedAlb: true, alb: "acme" } },
      { DEPLOY_APPS_DOMAIN: "apps.qm.acme-corp.dev" },
      { PORTAL_APPS_DOMAIN: "apps.qm.acme-corp.dev", PORTAL_COOKIE_DOMAIN: "qm.acme-corp.dev" },
    ],
  ])("%s: as qm 0.1.12 derives them", async (_, top, core, portal) => {
    const { awsCoreHostnames } = (await import(join(ROOT, "node_modules/@yc-software/qm/dist/src/aws-routing.js"))) as {
      awsCoreHostnames(config: object): string[];
    };
    let written: { env: object; aws: object } = { env: {}, aws: {} };
    const deployment = example("aws-boxd", {
      config: (text) => {
        const config = parse(text) as { env: { core: object }; aws: object };
        const publicUrl = "https://qm.acme-corp.dev";
        const env = { ...config.env, core: { ...config.env.core, ...core }, portal };
        written = {
          ...config,
          publicUrl,
          ...top,
          env,
          aws: { ...config.aws, ...("aws" in top ? top.aws : {}) },
        } as never;
        return JSON.stringify(written);
      },
    });
    expect(corePublicHosts(deployment)).toEqual(awsCoreHostnames(written));
  });
});
