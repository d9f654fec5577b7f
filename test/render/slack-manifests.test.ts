import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { renderSlackManifests } from "../../src/render/slack-manifests.ts";
import { yamlText } from "../../src/render/yaml-text.ts";
import { oddDocuments } from "./odd-documents.ts";
import { example, renderWith } from "./support.ts";

function manifests(name: string, config: (text: string) => string = (text) => text): Map<string, unknown> {
  const rendered = renderWith(renderSlackManifests, example(name, { config }));
  return new Map(rendered.artifacts.map((artifact) => [artifact.name, parse(artifact.text)]));
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

test("a reader of YAML 1.2 gets the same data back", () => {
  const samples = oddDocuments();
  expect(samples.map((sample) => parse(yamlText(sample)))).toEqual(samples);
});
