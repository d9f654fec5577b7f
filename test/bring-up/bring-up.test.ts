import { describe, expect, test } from "vitest";
import { changeConfig, CHANGES } from "./changes.ts";
import { mendDrifts } from "./drifts.ts";
import { programNamed } from "./programs.ts";
import { readCall } from "./stand-ins/read-call.mjs";
import { bringUp, follow, takeDown } from "./walk.ts";

/** The page with the most steps. All examples, releases and shells: every-page.ts. */
const PAGE = { example: "aws-boxd", release: "0.1.12", shell: "bash" };

describe("aws-boxd", () => {
  test("every command of bring-up.md, of diff's steps and of drift's findings runs in order, and the page can be taken back", async () => {
    const stage = bringUp(PAGE);
    mendDrifts(stage, "aws");
    const [{ after, isDone }] = CHANGES.aws;
    follow(stage, changeConfig(stage, after));
    expect(isDone(stage.world)).toBe(true);
    takeDown(stage);
    // None of the calls would pass with a flag or a word that its program does not have.
    const { calls } = stage.world;
    expect(calls.length).toBeGreaterThan(10);
    for (const [name, ...argv] of calls) {
      const program = await programNamed(name);
      const { title } = readCall(program, argv);
      expect(() => readCall(program, ["--zzz", ...argv]), `${name} --zzz`).toThrow("unknown flag --zzz");
      if (title !== "") expect(() => readCall(program, [`${argv[0]}x`])).toThrow(/unknown|not a whole/);
    }
  });
});

describe("a stand-in refuses", () => {
  test.each([
    ["fly", ["deploy", "--config", "core.fly.toml"], "deploy needs --app"],
    ["fly", ["apps", "create", "a", "b", "--org", "acme"], "takes 1 to 1 arguments"],
    ["fly", ["secrets", "import", "--stage=1", "--app", "acme-core"], "--stage takes no value"],
    ["aws", ["ecs", "update-service", "--region", "us-west-2", "--cluster"], "--cluster needs a value"],
    ["aws", ["ecs", "update-services"], "unknown command: ecs update-services"],
    ["docker", ["compose", "-f", "a.yaml", "-f", "b.yaml", "ps"], "takes --file once"],
    ["terraform", ["apply", "-var-file", "x.tfvars"], "-var-file needs a value"],
    ["npx", ["qm", "admin-login", "--sandbox-dir", "sandbox"], "unknown flag --sandbox-dir"],
  ] as const)("%s %j: %s", async (name, argv, message) => {
    const program = await programNamed(name);
    expect(() => readCall(program, argv)).toThrow(message);
  });
});
