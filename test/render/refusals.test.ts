import { describe, expect, test } from "vitest";
import { renderDeployment } from "../../src/render/render.ts";
import { example, PLAIN } from "./support.ts";

/** CAPABILITY_SECRET is a secret of core on every target. */
const addPlainSecret = (text: string): string =>
  text.replace('"HARNESS": "pi"', '"HARNESS": "pi", "CAPABILITY_SECRET": "plain-4711"');

describe.each([
  ["fly-boxd", "core.fly.toml", "on Fly the secret would win over `[env]` without a word"],
  ["docker-boxd", "compose.yaml", "compose would let the plain value win over the secret"],
  [
    "aws-boxd",
    "core.task-definition.json",
    "ECS refuses a container with the same name in `environment` and `secrets`",
  ],
])("a name of %s that is both plain and secret", (name, artifact, why) => {
  test(`keeps ${artifact} from being rendered, which otherwise is`, () => {
    const sound = renderDeployment(example(name), PLAIN);
    expect(sound.artifacts.map((one) => one.name)).toContain(artifact);
    const { artifacts, refusals } = renderDeployment(example(name, { config: addPlainSecret }), PLAIN);
    expect(artifacts.map((one) => one.name)).not.toContain(artifact);
    expect(refusals.filter(({ rule }) => rule === "render/name-twice")).toMatchObject([
      {
        artifact,
        message: "`CAPABILITY_SECRET` reaches `core` both as a plain value and as a secret",
        help: `keep one of the two: ${why}`,
      },
    ]);
    expect(JSON.stringify(refusals)).not.toContain("4711");
  });
});
