import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { renderSlackManifests } from "../../src/render/slack-manifests.ts";
import { yamlText } from "../../src/render/yaml-text.ts";
import { answers, DEBIAN_PYTHON } from "../support/programs.ts";
import { contextOf, example } from "./support.ts";

const PYYAML = answers(DEBIAN_PYTHON, ["-c", "import yaml"]);

/** What PyYAML, a YAML 1.1 reader, makes of texts. */
function yaml11(texts: readonly string[]): readonly unknown[] {
  const program = "import json, sys, yaml\nprint(json.dumps([yaml.safe_load(text) for text in json.load(sys.stdin)]))";
  const run = spawnSync(DEBIAN_PYTHON, ["-c", program], { input: JSON.stringify(texts), encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as unknown[];
}

function manifests(name: string, config: (text: string) => string = (text) => text): Map<string, unknown> {
  const piece = renderSlackManifests(contextOf(example(name, { config })));
  return new Map(piece.artifacts.map((artifact) => [artifact.name, parse(artifact.text)]));
}

describe("the app manifest", () => {
  test.each(["on", "true", "123", "Acme:", "- x", "1:30", "null", "'quoted'", "# no"])(
    "keeps the name %j a string",
    (botName) => {
      const manifest = manifests("docker-boxd", (text) =>
        text.replace('"target"', `"botName": ${JSON.stringify(botName)}, "target"`),
      ).get("slack-app-manifest.yml");
      expect(manifest).toMatchObject({
        display_information: { name: botName },
        features: { bot_user: { display_name: botName } },
      });
    },
  );

  test("is there for every deployment, the sign-in one only where Slack signs in", () => {
    expect([...manifests("docker-boxd").keys()]).toEqual(["slack-app-manifest.yml"]);
    expect([...manifests("fly-sprites").keys()]).toEqual(["slack-app-manifest.yml"]);
    const slack = manifests("fly-sprites", (text) =>
      text.replace('https://accounts.google.com",', 'https://slack.com",'),
    );
    expect(slack.get("slack-sso-manifest.yml")).toMatchObject({
      oauth_config: { redirect_urls: ["https://acme-portal.fly.dev/auth/callback"] },
    });
  });
});

test.skipIf(!PYYAML)("readers of YAML 1.1 and 1.2 get the same data back (skipped without PyYAML)", () => {
  const text = fc.string({ unit: "binary" }).filter((value) => value.isWellFormed());
  const odd = [
    "<<",
    "=",
    "on",
    "Y",
    "no",
    "~",
    "1_000",
    "0b1",
    "22:22",
    "2001-01-01",
    "\u007f",
    "\u0085",
    "\ufeff",
    "- a",
    "? b",
    "&a",
    "*a",
    "!t",
    "%x",
    "@",
    "`",
  ];
  const value = fc.oneof(text, fc.constantFrom(...odd), fc.array(text));
  const samples = fc.sample(fc.dictionary(fc.oneof(text, fc.constantFrom(...odd)), value, { noNullPrototype: true }), {
    numRuns: 300,
    seed: 3,
  });
  const texts = samples.map((sample) => yamlText(sample));
  expect(texts.map((one) => parse(one))).toEqual(samples);
  expect(yaml11(texts)).toEqual(samples);
});
