import { expect, test } from "vitest";
import { PLAIN } from "../../src/diagnostics/reporters/reporter.ts";
import { diffDeployments } from "../../src/views/diff/diff.ts";
import { diffMarkdown } from "../../src/views/diff/markdown.ts";
import { diffText } from "../../src/views/diff/text.ts";
import { explain } from "../../src/views/explain/explain.ts";
import { environmentTable } from "../../src/views/explain/environment-table.ts";
import { explanationText } from "../../src/views/explain/text.ts";
import { pathsBelow } from "../../src/config/node.ts";
import { inTurn } from "../support/runs.ts";
import { BASE, resolve } from "../deployment/resolving.ts";

const MARK = "zq7Kd03fX9pL2vBn8RtY5wQc";

const FORMS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `sk-ant-api03-${secret}`,
  (secret) => `https://user:${secret}@host.acme-corp.dev/path`,
  (secret) => `https://host.acme-corp.dev/?token=${secret}`,
  (secret) => `https://hooks.acme-corp.dev/services/${secret}`,
  (secret) => `postgres://qm:${secret}@db:5432/qm`,
  (secret) => `{"default": "${secret}"}`,
  (secret) => `"${secret}" and "more"`,
  (secret) => `${secret} with spaces`,
  (secret) => `line\n${secret}\\`,
];

const NAMES = [
  "FOO",
  "SMTP_PASS",
  "OIDC_TOKEN_URL",
  "JWKS_URI",
  "SLACK_WEBHOOK_URL",
  "SANDBOX_BACKEND",
  "BOXD_BASE_URL",
  "S3_BUCKET",
  "HARNESS",
  "PUBLIC_API_URL",
  "PORT",
];

test.each(FORMS.map((form, at) => [at, form] as const))(
  "no secret in a config or in .env comes out of explain or diff (form %i)",
  (turn, form) => {
    const env = Object.fromEntries(NAMES.map((name) => [name, form(MARK)]));
    const config = {
      ...BASE,
      services: ["core", "web-ui", "slack"],
      env: { core: env, slack: env, "web-ui": env },
      imageOverrides: { core: `registry.dev/core:${form(MARK)}` },
      plugins: [{ name: "p", image: form(MARK), env, secrets: [{ name: "P_TOKEN", description: "a token" }] }],
      sandbox: { backend: form(MARK), env },
      aws: { secret: form(MARK) },
    };
    const envFile = { file: ".env", text: `BOXD_API_KEY='${MARK}1'\nP_TOKEN=${MARK}2\n`, mode: 0o600 };
    const planted = resolve(config, { envFile });
    const plain = resolve(BASE);
    const printed: string[] = [JSON.stringify(environmentTable(planted))];
    const things = [...pathsBelow(planted.document.root), ...NAMES, "P_TOKEN"];
    for (const thing of inTurn(things, 4, turn)) {
      const subjects = explain(thing, { deployment: planted, checked: null });
      printed.push(JSON.stringify(subjects), explanationText(subjects).text);
    }
    for (const [a, b] of [
      [plain, planted],
      [planted, plain],
    ] as const) {
      const diff = diffDeployments({ named: "a", deployment: a }, { named: "b", deployment: b });
      printed.push(JSON.stringify(diff), diffText(diff, PLAIN).text, diffMarkdown(diff).text);
    }
    const leaks = printed.flatMap((text) =>
      [...text.matchAll(new RegExp(MARK, "g"))].map(({ index }) => text.slice(Math.max(0, index - 120), index + 30)),
    );
    expect(leaks).toEqual([]);
    expect(printed.join("")).toContain("[hidden]");
  },
);
