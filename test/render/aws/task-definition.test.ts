import { describe, expect, test } from "vitest";
import { renderTaskDefinitions } from "../../../src/render/aws/task-definition.ts";
import { runRules } from "../../../src/rules/run-rules.ts";
import { example, renderWith } from "../support.ts";

interface Definition {
  family: string;
  cpu: string;
  containerDefinitions: {
    image: string;
    environment: { name: string; value: string }[];
    secrets: { name: string; valueFrom: string }[];
  }[];
}

function definitions(name: string, change: Parameters<typeof example>[1] = {}, options = {}): Map<string, Definition> {
  const rendered = renderWith(renderTaskDefinitions, example(name, change), options);
  expect(rendered.refusals).toEqual([]);
  return new Map(rendered.artifacts.map((artifact) => [artifact.name, JSON.parse(artifact.text) as Definition]));
}

function core(map: Map<string, Definition>) {
  const container = map.get("core.task-definition.json")?.containerDefinitions[0];
  if (container === undefined) throw new Error("core has a task definition");
  return container;
}

describe("a boxd deployment", () => {
  test("names boxd and none of the Lambda or Fly names", () => {
    const names = core(definitions("aws-boxd")).environment;
    expect(names).toContainEqual({ name: "SANDBOX_BACKEND", value: "boxd" });
    expect(names.filter(({ name }) => /^(AWS_SANDBOX_|FLY_)/.test(name))).toEqual([]);
  });

  test("gets its key by reference only", () => {
    expect(core(definitions("aws-boxd")).secrets).toContainEqual({
      name: "BOXD_API_KEY",
      valueFrom: "arn:aws:secretsmanager:us-west-2:210987654321:secret:acme-qm/BOXD_API_KEY",
    });
  });

  test("runs the copy of the core image in its own registry, by the digest that was reviewed", () => {
    expect(core(definitions("aws-boxd")).image).toMatch(
      /^210987654321\.dkr\.ecr\.us-west-2\.amazonaws\.com\/qm\/core@sha256:[0-9a-f]{64}$/,
    );
  });
});

test("a Lambda deployment gets the names of its MicroVMs", () => {
  const environment = core(definitions("aws-lambda")).environment;
  for (const pair of [
    { name: "SANDBOX_BACKEND", value: "aws" },
    { name: "AWS_SANDBOX_IMAGE", value: "acme-apps" },
    { name: "AWS_SANDBOX_IMAGE_VERSION", value: "3" },
    { name: "AWS_SANDBOX_REGION", value: "us-west-2" },
  ]) {
    expect(environment).toContainEqual(pair);
  }
});

test("names are sorted by code unit and stand once", () => {
  for (const definition of definitions("aws-boxd").values()) {
    for (const container of definition.containerDefinitions) {
      const plain = container.environment.map((entry) => entry.name);
      const secret = container.secrets.map((entry) => entry.name);
      expect(plain).toEqual([...plain].sort());
      expect(secret).toEqual([...secret].sort());
      expect(new Set([...plain, ...secret]).size).toBe(plain.length + secret.length);
    }
  }
});

test("an optional secret is named when .env has it or on demand, and the rest are listed", () => {
  const plain = renderWith(renderTaskDefinitions, example("aws-boxd"));
  expect(plain.notes.find((note) => note.artifact === "core.task-definition.json")?.message).toContain(
    "SLACK_BOT_TOKEN",
  );
  const named = core(definitions("aws-boxd", { env: "SLACK_BOT_TOKEN=xoxb-set\n" })).secrets.map((one) => one.name);
  expect(named).toContain("SLACK_BOT_TOKEN");
  expect(named).not.toContain("SLACK_APP_TOKEN");
  expect(core(definitions("aws-boxd", {}, { withOptional: true })).secrets.map((one) => one.name)).toContain(
    "SLACK_APP_TOKEN",
  );
});

test("what cannot be rendered is refused by name, each at its place", () => {
  const unpinned = example("aws-boxd", { config: (text) => text.replace(/(qm\/core)@sha256:[0-9a-f]+/, "$1:latest") });
  const [refusal] = renderWith(renderTaskDefinitions, unpinned).refusals;
  expect(refusal).toMatchObject({ artifact: "core.task-definition.json", rule: "render/image-not-pinned" });
  const old = renderWith(renderTaskDefinitions, example("aws-lambda", { release: "0.1.6" })).refusals;
  expect(old.map((one) => one.rule)).toContain("render/image-missing");
  const twice = example("aws-boxd", {
    config: (text) => text.replace('"HARNESS": "pi",', '"HARNESS": "pi", "ADMIN_GRANTS": "plain",'),
  });
  expect(renderWith(renderTaskDefinitions, twice).refusals).toMatchObject([{ rule: "render/name-twice" }]);
});

test("a definition above the limit of ECS is refused with both numbers, and check says it first; below it neither does", () => {
  const withBlob = (length: number) =>
    example("aws-boxd", {
      config: (text) => text.replace('"HARNESS": "pi",', `"HARNESS": "pi", "BLOB": "${"x".repeat(length)}",`),
    });
  const large = withBlob(70_000);
  const [refusal] = renderWith(renderTaskDefinitions, large).refusals;
  const [finding] = runRules(large).filter(({ rule }) => rule === "aws/task-size");
  expect(finding?.message).toBe(refusal?.message);
  expect(large.document.text.slice(finding?.range?.start.offset, finding?.range?.end.offset)).toBe('"BLOB"');
  const fits = withBlob(50_000);
  expect(renderWith(renderTaskDefinitions, fits).refusals).toEqual([]);
  expect(runRules(fits).filter(({ rule }) => rule === "aws/task-size")).toEqual([]);
  expect(refusal?.rule).toBe("render/too-large");
  expect(refusal?.message).toMatch(/7\d{4} bytes.*65536/);
});

test("core has none under background work control, where qm's own `up` makes an id for it", () => {
  const config = (text: string): string => text.replace(/"aws": \{/, '"aws": { "backgroundWorkControl": true,');
  const rendered = renderWith(renderTaskDefinitions, example("aws-boxd", { config, release: "0.1.12" }));
  expect(rendered.refusals.map(({ artifact, rule }) => [artifact, rule])).toEqual([
    ["core.task-definition.json", "render/deployment-identity"],
  ]);
  expect(rendered.artifacts.length).toBeGreaterThan(1);
});
