import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DOCKERFILE, SHA, spritesConfig, TOOL } from "../../publish/deployments.ts";
import { PUSHED, StandIns } from "../../publish/stand-in.ts";
import { tempDirectory } from "../../workspace/temp.ts";
import { runCli } from "../built.ts";
import { argsOf, BASE, ENV, KNOWN, NAME, PINNED, recorded, REPOSITORY, rig, TOKEN } from "./rig.ts";

describe("publish", () => {
  test.each(["docker", "fly"])("signs in, pins the base, pushes and records on %s", (target) => {
    const one = rig({ [NAME]: spritesConfig("", target), ...DOCKERFILE, ...ENV });
    const { status, stdout, stderr } = one.run("publish", "--tag", "v1");
    expect(stderr).toBe("signed in with [hidden]\nprogress of pull\nprogress of inspect\nprogress of push\n");
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(
        `pushed ${REPOSITORY}@${PUSHED}\nrecorded \`sandbox.image\` and \`sandbox.baseImage\` in ${NAME}\n`,
      ),
    ]);
    expect(argsOf(one)).toEqual([
      ["fly", "auth", "docker"],
      ["docker", "pull", "--platform", "linux/amd64", "debian:12-slim"],
      ["docker", "image", "inspect", "--format", "{{json .RepoDigests}}", "debian:12-slim"],
      [
        ...[
          "docker",
          "buildx",
          "build",
          "--platform",
          "linux/amd64",
          "--push",
          "--provenance=false",
          "--metadata-file",
          "temporary/metadata.json",
        ],
        ...["-t", `${REPOSITORY}:v1`, "--file", "temporary/Dockerfile", join(one.cwd, "sandbox")],
      ],
    ]);
    expect(one.standIns.calls.map(({ tokenIn }) => tokenIn)).toEqual([
      ["FLY_API_TOKEN", "FLY_ACCESS_TOKEN"],
      [],
      [],
      [],
    ]);
    expect(one.standIns.calls.at(-1)?.dockerfile).toMatch(
      new RegExp(
        `^FROM ${BASE.replaceAll(".", "\\.")}\nCOPY tools/acme/acme /usr/local/bin/acme\nRUN \\["/bin/sh","-c","for command in 'acme'; do command -v `,
      ),
    );
    expect(one.config()).toBe(
      spritesConfig(`,\n    "image": "${REPOSITORY}@${PUSHED}",\n    "baseImage": "${BASE}"`, target).replace(
        /("app": "[^"]*"),([\s\S]*) \/\/ last\n/,
        "$1, // last$2\n",
      ),
    );
    expect(readFileSync(join(one.cwd, ".env"), "utf8")).toBe(ENV[".env"]);
  });

  test("what it records passes check, and a second publish changes only the digest", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    expect(one.run("publish").status).toBe(0);
    const first = one.config();
    const check = runCli(["check", "--format", "json"], { cwd: one.cwd });
    // Open egress is an info, whatever is published.
    expect(check.stdout.replaceAll("sandbox/open-egress", "")).not.toContain("sandbox/");
    expect(one.run("publish").status).toBe(0);
    expect(one.config()).toBe(first);
    // The recorded base is used as it is: nothing is pulled again.
    expect(one.standIns.calls.map(({ args }) => args[0])).toEqual([
      "auth",
      "pull",
      "image",
      "buildx",
      "auth",
      "buildx",
    ]);
    expect(one.standIns.calls.at(-1)?.dockerfile).toContain(`FROM ${BASE}\n`);
    const tags = one.standIns.calls
      .filter(({ args }) => args.includes("--push"))
      .map(({ args }) => args[args.indexOf("-t") + 1]);
    expect(tags[0]).toMatch(/^registry\.fly\.io\/acme-sandboxes:layer-[0-9a-f]{12}$/);
  });

  test("a recorded base of another tag is not used", () => {
    const one = rig({ [NAME]: spritesConfig(`, "baseImage": "debian:11-slim@sha256:${SHA}"`), ...DOCKERFILE, ...ENV });
    expect(one.run("publish").status).toBe(0);
    expect(recorded(one.config())).toMatchObject({ baseImage: BASE });
  });

  test("a wrong old pin is what publish mends", () => {
    const one = rig({
      [NAME]: spritesConfig(', "image": "registry.fly.io/acme-sandboxes:latest"'),
      ...DOCKERFILE,
      ...ENV,
    });
    expect(runCli(["check"], { cwd: one.cwd }).status).toBe(1);
    expect(one.run("publish").status).toBe(0);
    expect(recorded(one.config())).toEqual({
      backend: "sprites",
      app: "acme-sandboxes",
      image: `${REPOSITORY}@${PUSHED}`,
      baseImage: BASE,
    });
  });

  test("without a Dockerfile the tools are put on the base", () => {
    const one = rig({ [NAME]: spritesConfig(), ...TOOL, ...ENV });
    expect(one.run("publish", "--from", `ghcr.io/acme/base:1@sha256:${SHA}`).status).toBe(0);
    expect(one.standIns.calls.map(({ args }) => args[0])).toEqual(["auth", "buildx"]);
    expect(one.standIns.calls.at(-1)?.dockerfile).toMatch(
      new RegExp(
        `^FROM ghcr.io/acme/base:1@sha256:${SHA}\nCOPY --chmod=0755 \\["tools/acme/acme","/usr/local/bin/acme"\\]\nRUN \\[`,
      ),
    );
    expect(recorded(one.config())).toMatchObject({ baseImage: `ghcr.io/acme/base:1@sha256:${SHA}` });
    expect(one.run("publish").status).toBe(0);
    expect(one.standIns.calls.at(-1)?.dockerfile).toContain(`FROM ghcr.io/acme/base:1@sha256:${SHA}\n`);
  });

  test("--from beside a Dockerfile is ignored, and said", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    expect(one.run("publish", "--from", "alpine").stderr).toContain("warning: --from is ignored");
    expect(one.standIns.calls.at(-1)?.dockerfile).toContain(`FROM ${BASE}\n`);
  });

  test("another registry needs neither fly nor a token", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE }, {}, { programs: ["docker"] });
    expect(one.run("publish", "--app", "registry.acme-corp.dev:5000/acme/sandbox", "--tag", "v1").status).toBe(0);
    expect(one.standIns.calls.map(({ program }) => program)).toEqual(["docker", "docker", "docker"]);
    expect(recorded(one.config())).toMatchObject({ image: `registry.acme-corp.dev:5000/acme/sandbox@${PUSHED}` });
  });

  test("a base in Fly's registry needs a login all the same", () => {
    const one = rig({ [NAME]: spritesConfig(), ...TOOL, ...ENV });
    expect(
      one.run("publish", "--app", "registry.acme-corp.dev/acme/sandbox", "--from", `registry.fly.io/base@sha256:${SHA}`)
        .status,
    ).toBe(0);
    expect(one.standIns.calls.map(({ program }) => program)).toEqual(["fly", "docker"]);
  });

  test("an image in Fly's registry that files are taken from needs a login, and one without a digest is said", () => {
    const one = rig({
      [NAME]: spritesConfig(),
      ...DOCKERFILE,
      ...ENV,
      "sandbox/Dockerfile": `FROM a@sha256:${SHA}\nCOPY --from=registry.fly.io/x:1 /acme /usr/local/bin/acme\n`,
    });
    expect(one.run("publish", "--app", "acme/sandbox").stderr).toContain(
      "warning: sandbox/Dockerfile takes files from `registry.fly.io/x:1`, which no digest pins",
    );
    expect(one.standIns.calls.map(({ program }) => program)).toEqual(["fly", "docker"]);
  });

  test("--app names another Fly app", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    expect(one.run("publish", "--app", "acme-next").status).toBe(0);
    expect(recorded(one.config())).toMatchObject({
      app: "acme-sandboxes",
      image: `registry.fly.io/acme-next@${PUSHED}`,
    });
  });

  test("the token of the environment is used where .env has none, and that of .env before it", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE }, {}, { env: { FLY_SANDBOX_API_TOKEN: TOKEN } });
    expect(one.run("publish").status).toBe(0);
    expect(one.standIns.calls.map(({ tokenIn }) => tokenIn)).toEqual([
      ["FLY_API_TOKEN", "FLY_ACCESS_TOKEN"],
      [],
      [],
      [],
    ]);
    const two = rig(
      { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV },
      {},
      { env: { FLY_SANDBOX_API_TOKEN: "FlyV1-other", FLY_ACCESS_TOKEN: "FlyV1-third" } },
    );
    expect(two.run("publish").status).toBe(0);
    expect([...(two.standIns.calls[0]?.tokenIn ?? [])].sort()).toEqual(["FLY_ACCESS_TOKEN", "FLY_API_TOKEN"]);
  });

  test("flyctl serves where fly is not there", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, {}, { programs: ["docker", "flyctl"] });
    expect(one.run("publish").status).toBe(0);
    expect(argsOf(one)[0]).toEqual(["flyctl", "auth", "docker"]);
  });

  test("an image on scratch has no base to record, and an old one goes", () => {
    const files = {
      [NAME]: spritesConfig(`, "baseImage": "debian:12@sha256:${SHA}"`),
      ...ENV,
      "sandbox/Dockerfile": "FROM scratch\nCOPY x /x\n",
      "sandbox/x": "x",
    };
    const one = rig(files);
    expect(one.run("publish").stdout).toContain("recorded `sandbox.image` in");
    expect(recorded(one.config())).toEqual({
      backend: "sprites",
      app: "acme-sandboxes",
      image: `${REPOSITORY}@${PUSHED}`,
    });
  });

  test("an edit that somebody made during the push stays", () => {
    const files = { ...PINNED, [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV };
    const cwd = tempDirectory(files);
    const standIns = new StandIns(TOKEN, {
      repoDigests: KNOWN,
      rewrites: { path: join(cwd, NAME), text: spritesConfig().replace("// the org", "// our org") },
    });
    expect(runCli(["sandbox", "publish"], { cwd, env: { PATH: standIns.bin } }).status).toBe(0);
    const config = readFileSync(join(cwd, NAME), "utf8");
    expect(config).toContain("// our org");
    expect(recorded(config)).toMatchObject({ image: `${REPOSITORY}@${PUSHED}`, baseImage: BASE });
  });

  test("where the config cannot be changed any more, the pushed digest is said", () => {
    const cwd = tempDirectory({ ...PINNED, [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    const standIns = new StandIns(TOKEN, { repoDigests: KNOWN, rewrites: { path: join(cwd, NAME), text: "{ broken" } });
    const { status, stderr } = runCli(["sandbox", "publish"], { cwd, env: { PATH: standIns.bin } });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(
        `set \`sandbox.image\` to ${REPOSITORY}@${PUSHED} and \`sandbox.baseImage\` to ${BASE} by hand`,
      ),
    ]);
    expect(readFileSync(join(cwd, NAME), "utf8")).toBe("{ broken");
  });
});
