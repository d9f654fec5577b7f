import { spawn } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseDocument } from "../../src/config/parse.ts";
import { DOCKERFILE, REFUSED, SHA, spritesConfig, TOOL } from "../publish/deployments.ts";
import { type Behaviour, PULLED, PUSHED, StandIns, stateOf } from "../publish/stand-in.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { BIN, plainEnv, runCli, type Ran } from "./built.ts";

const NAME = "qm.config.jsonc";
const TOKEN = "FlyV1-canary-d41d8cd98f00b204e9800998ecf8427e";
const REPOSITORY = "registry.fly.io/acme-sandboxes";
const BASE = `debian:12-slim@${PULLED}`;
const ENV = { ".env": `FLY_SANDBOX_API_TOKEN=${TOKEN}\n` };
const KNOWN = ["docker.io/other/image@sha256:" + "11".repeat(32), `debian@${PULLED}`];

type Files = { readonly [path: string]: string };

interface Rig {
  readonly cwd: string;
  readonly standIns: StandIns;
  readonly config: () => string;
  readonly run: (...args: string[]) => Ran;
}

/** A deployment, and docker and fly that only write down what they are asked. */
function rig(files: Files, behaviour: Behaviour = {}, more: { readonly programs?: readonly string[]; readonly env?: { readonly [name: string]: string } } = {}): Rig {
  const cwd = tempDirectory(files);
  const standIns = new StandIns(TOKEN, { repoDigests: KNOWN, ...behaviour }, more.programs);
  const env = { PATH: standIns.bin, TMPDIR: tempDirectory(), ...more.env };
  const run = (...args: string[]): Ran => {
    const ran = runCli(["sandbox", ...args], { cwd, env });
    expect(ran.stdout + ran.stderr).not.toContain(TOKEN);
    expect(readdirSync(env.TMPDIR)).toEqual([]);
    return ran;
  };
  return { cwd, standIns, config: () => readFileSync(join(cwd, NAME), "utf8"), run };
}

function recorded(config: string): unknown {
  const document = parseDocument({ file: NAME, text: config });
  expect(document.diagnostics).toEqual([]);
  return document.value(["sandbox"]);
}

/** Paths of temporary files differ from run to run. */
function argsOf({ standIns }: Rig): string[][] {
  return standIns.calls.map(({ program, args }) => [program, ...args.map((arg) => arg.replace(/^.*\/qm-deploy-sandbox-\w+\//, "temporary/"))]);
}

describe("publish is refused before anything is run or written", () => {
  test.each(REFUSED)("$name", ({ config, args = [], says, isFaulty }) => {
    const one = rig({ [NAME]: config, ...DOCKERFILE, ...ENV });
    const before = stateOf(one.cwd);
    const { status, stdout, stderr } = one.run("publish", ...args);
    expect([status, stdout]).toEqual([1, ""]);
    for (const text of ["error: publish is refused", ...says]) expect(stderr).toContain(text);
    expect(stderr.startsWith("error: publish is refused")).toBe(isFaulty !== true);
    expect(one.run("publish", "--dry-run", "--app", "other", "--tag", "x", ...args).status).toBe(1);
    expect(one.standIns.calls).toEqual([]);
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each([
    ["an error of check", { [NAME]: spritesConfig().replace('"orgId"', '"orgid"'), ...DOCKERFILE, ...ENV }, [], "`qm-deploy check` refuses the deployment"],
    ["a fault in a tool", { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, "sandbox/tools/acme/tool.json": '{ "id": "Acme!" }' }, [], "`qm-deploy check` refuses the deployment"],
    ["text that does not parse", { [NAME]: `${spritesConfig()} }`, ...DOCKERFILE, ...ENV }, [], "`qm-deploy check` refuses the deployment"],
    ["sprites without an app", { [NAME]: spritesConfig().replace('"app": "acme-sandboxes"', '"env": {}'), ...DOCKERFILE, ...ENV }, [], "sandbox/app-missing"],
    ["nothing to build", { [NAME]: spritesConfig(), ...ENV }, [], "`sandbox/` holds nothing to build"],
    ["no base image", { [NAME]: spritesConfig(), ...TOOL, ...ENV }, [], "nothing says what to build on"],
    ["a base that is no image", { [NAME]: spritesConfig(), ...TOOL, ...ENV }, ["--from", "Debian"], "the base image has upper-case letters"],
    ["a base that is an option", { [NAME]: spritesConfig(), ...TOOL, ...ENV }, ["--from=--privileged"], "the base image"],
    ["a Dockerfile with a variable base", { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, "sandbox/Dockerfile": "ARG X\nFROM $X\n" }, [], "line 2 builds on a variable"],
    ["a final stage for another platform", { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, "sandbox/Dockerfile": "FROM --platform=linux/arm64 a\n" }, [], "another platform than linux/amd64"],
    ["a Dockerfile that is not text", { [NAME]: spritesConfig(), ...TOOL, ...ENV, "sandbox/Dockerfile": "FROM a\0\n" }, [], "cannot be read as a text file"],
    ["no token", { [NAME]: spritesConfig(), ...DOCKERFILE }, [], "`FLY_SANDBOX_API_TOKEN` has no value"],
    ["a blank token", { [NAME]: spritesConfig(), ...DOCKERFILE, ".env": "FLY_SANDBOX_API_TOKEN= \n" }, [], "`FLY_SANDBOX_API_TOKEN` has no value"],
    ["a placeholder token", { [NAME]: spritesConfig(), ...DOCKERFILE, ".env": "FLY_SANDBOX_API_TOKEN=replace-me\n" }, [], "`FLY_SANDBOX_API_TOKEN` is still a placeholder"],
    ["a repository with a tag", { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, ["--app", "registry.acme-corp.dev/a:b"], "--app names an image, not a repository"],
    ["an app that is none", { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, ["--app", "Acme"], "--app is not the name of a Fly app"],
    ["a tag that is none", { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, ["--tag", "a b"], "--tag is not a tag"],
    ["a tag with a digest", { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, ["--tag", `a@sha256:${SHA}`], "--tag is not a tag"],
  ] as const)("%s", (_, files, args, says) => {
    const one = rig(files);
    const before = stateOf(one.cwd);
    const { status, stderr } = one.run("publish", ...args);
    expect([status, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(stderr).not.toContain("publish is refused");
    expect(one.standIns.calls).toEqual([]);
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each([
    ["to a file outside", "../secret"],
    ["to a directory outside", "/etc"],
    ["to nothing outside", "../../nothing"],
  ])("a link %s", (_, target) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, secret: "x" });
    symlinkSync(target, join(one.cwd, "sandbox", "link"));
    const { status, stderr } = one.run("publish");
    expect([status, stderr]).toEqual([1, expect.stringContaining("the link `sandbox/link` leads out of `sandbox/`")]);
    expect(one.standIns.calls).toEqual([]);
  });

  test.skipIf(process.platform === "win32")("a sandbox/ that is a link, and not as one that is empty", () => {
    const one = rig({ [NAME]: spritesConfig(), ...ENV });
    symlinkSync(tempDirectory({ Dockerfile: "FROM debian:12\n" }), join(one.cwd, "sandbox"));
    for (const verb of ["publish", "build"] as const) {
      const { status, stderr } = one.run(verb);
      expect(status).toBe(1);
      expect(stderr).toContain("`sandbox` is a link to a directory");
    }
    expect(one.standIns.calls).toEqual([]);
  });

  test("a config that is a link, so that no image is pushed for nothing", () => {
    const one = rig({ "real.jsonc": spritesConfig(), ...DOCKERFILE, ...ENV });
    symlinkSync("real.jsonc", join(one.cwd, NAME));
    const { status, stderr } = one.run("publish");
    expect([status, stderr]).toEqual([1, expect.stringContaining("the config is a link")]);
    expect(one.standIns.calls).toEqual([]);
  });

  test.each([
    [["publish", "-"], "a config on stdin has no `sandbox/`"],
    [["publish", "nowhere"], "input/missing"],
    [["publish", "--push"], "unknown option"],
  ])("a wrong command line: %j", (args, says) => {
    const one = rig({ [NAME]: spritesConfig() });
    expect(one.run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(says) });
    expect(one.standIns.calls).toEqual([]);
  });
});

describe("publish", () => {
  test.each(["docker", "fly"])("signs in, pins the base, pushes and records on %s", (target) => {
    const one = rig({ [NAME]: spritesConfig("", target), ...DOCKERFILE, ...ENV });
    const { status, stdout, stderr } = one.run("publish", "--tag", "v1");
    expect(stderr).toBe("signed in with [hidden]\nprogress of pull\nprogress of inspect\nprogress of push\n");
    expect([status, stdout]).toEqual([0, expect.stringContaining(`pushed ${REPOSITORY}@${PUSHED}\nrecorded \`sandbox.image\` and \`sandbox.baseImage\` in ${NAME}\n`)]);
    expect(argsOf(one)).toEqual([
      ["fly", "auth", "docker"],
      ["docker", "pull", "--platform", "linux/amd64", "debian:12-slim"],
      ["docker", "image", "inspect", "--format", "{{json .RepoDigests}}", "debian:12-slim"],
      [
        ...["docker", "buildx", "build", "--platform", "linux/amd64", "--push", "--provenance=false", "--metadata-file", "temporary/metadata.json"],
        ...["-t", `${REPOSITORY}:v1`, "--file", "temporary/Dockerfile", join(one.cwd, "sandbox")],
      ],
    ]);
    expect(one.standIns.calls.map(({ tokenIn }) => tokenIn)).toEqual([["FLY_API_TOKEN", "FLY_ACCESS_TOKEN"], [], [], []]);
    expect(one.standIns.calls.at(-1)?.dockerfile).toMatch(new RegExp(`^FROM ${BASE.replaceAll(".", "\\.")}\nCOPY tools/acme/acme /usr/local/bin/acme\nRUN \\["/bin/sh","-c","for command in 'acme'; do command -v `));
    expect(one.config()).toBe(spritesConfig(`,\n    "image": "${REPOSITORY}@${PUSHED}",\n    "baseImage": "${BASE}"`, target).replace(/("app": "[^"]*"),([\s\S]*) \/\/ last\n/, '$1, // last$2\n'));
    expect(readFileSync(join(one.cwd, ".env"), "utf8")).toBe(ENV[".env"]);
  });

  test("what it records passes check, and a second publish changes only the digest", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    expect(one.run("publish").status).toBe(0);
    const first = one.config();
    const check = runCli(["check", "--format", "json"], { cwd: one.cwd });
    expect(check.stdout).not.toContain("sandbox/");
    expect(one.run("publish").status).toBe(0);
    expect(one.config()).toBe(first);
    // The recorded base is used as it is: nothing is pulled again.
    expect(one.standIns.calls.map(({ args }) => args[0])).toEqual(["auth", "pull", "image", "buildx", "auth", "buildx"]);
    expect(one.standIns.calls.at(-1)?.dockerfile).toContain(`FROM ${BASE}\n`);
    const tags = one.standIns.calls.filter(({ args }) => args.includes("--push")).map(({ args }) => args[args.indexOf("-t") + 1]);
    expect(tags[0]).toMatch(/^registry\.fly\.io\/acme-sandboxes:layer-[0-9a-f]{12}$/);
  });

  test("a recorded base of another tag is not used", () => {
    const one = rig({ [NAME]: spritesConfig(`, "baseImage": "debian:11-slim@sha256:${SHA}"`), ...DOCKERFILE, ...ENV });
    expect(one.run("publish").status).toBe(0);
    expect(recorded(one.config())).toMatchObject({ baseImage: BASE });
  });

  test("a wrong old pin is what publish mends", () => {
    const one = rig({ [NAME]: spritesConfig(', "image": "registry.fly.io/acme-sandboxes:latest"'), ...DOCKERFILE, ...ENV });
    expect(runCli(["check"], { cwd: one.cwd }).status).toBe(1);
    expect(one.run("publish").status).toBe(0);
    expect(recorded(one.config())).toEqual({ backend: "sprites", app: "acme-sandboxes", image: `${REPOSITORY}@${PUSHED}`, baseImage: BASE });
  });

  test("without a Dockerfile the tools are put on the base", () => {
    const one = rig({ [NAME]: spritesConfig(), ...TOOL, ...ENV });
    expect(one.run("publish", "--from", `ghcr.io/acme/base:1@sha256:${SHA}`).status).toBe(0);
    expect(one.standIns.calls.map(({ args }) => args[0])).toEqual(["auth", "buildx"]);
    expect(one.standIns.calls.at(-1)?.dockerfile).toMatch(new RegExp(`^FROM ghcr.io/acme/base:1@sha256:${SHA}\nCOPY --chmod=0755 \\["tools/acme/acme","/usr/local/bin/acme"\\]\nRUN \\[`));
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
    expect(one.run("publish", "--app", "registry.acme-corp.dev/acme/sandbox", "--from", `registry.fly.io/base@sha256:${SHA}`).status).toBe(0);
    expect(one.standIns.calls.map(({ program }) => program)).toEqual(["fly", "docker"]);
  });

  test("an image in Fly's registry that files are taken from needs a login, and one without a digest is said", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, "sandbox/Dockerfile": `FROM a@sha256:${SHA}\nCOPY --from=registry.fly.io/x:1 /acme /usr/local/bin/acme\n` });
    expect(one.run("publish", "--app", "acme/sandbox").stderr).toContain("warning: sandbox/Dockerfile takes files from `registry.fly.io/x:1`, which no digest pins");
    expect(one.standIns.calls.map(({ program }) => program)).toEqual(["fly", "docker"]);
  });

  test("--app names another Fly app", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    expect(one.run("publish", "--app", "acme-next").status).toBe(0);
    expect(recorded(one.config())).toMatchObject({ app: "acme-sandboxes", image: `registry.fly.io/acme-next@${PUSHED}` });
  });

  test("the token of the environment is used where .env has none, and that of .env before it", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE }, {}, { env: { FLY_SANDBOX_API_TOKEN: TOKEN } });
    expect(one.run("publish").status).toBe(0);
    expect(one.standIns.calls.map(({ tokenIn }) => tokenIn)).toEqual([["FLY_API_TOKEN", "FLY_ACCESS_TOKEN"], [], [], []]);
    const two = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, {}, { env: { FLY_SANDBOX_API_TOKEN: "FlyV1-other", FLY_ACCESS_TOKEN: "FlyV1-third" } });
    expect(two.run("publish").status).toBe(0);
    expect([...(two.standIns.calls[0]?.tokenIn ?? [])].sort()).toEqual(["FLY_ACCESS_TOKEN", "FLY_API_TOKEN"]);
  });

  test("flyctl serves where fly is not there", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, {}, { programs: ["docker", "flyctl"] });
    expect(one.run("publish").status).toBe(0);
    expect(argsOf(one)[0]).toEqual(["flyctl", "auth", "docker"]);
  });

  test("an image on scratch has no base to record, and an old one goes", () => {
    const files = { [NAME]: spritesConfig(`, "baseImage": "debian:12@sha256:${SHA}"`), ...ENV, "sandbox/Dockerfile": "FROM scratch\nCOPY x /x\n", "sandbox/x": "x" };
    const one = rig(files);
    expect(one.run("publish").stdout).toContain("recorded `sandbox.image` in");
    expect(recorded(one.config())).toEqual({ backend: "sprites", app: "acme-sandboxes", image: `${REPOSITORY}@${PUSHED}` });
  });

  test("an edit that somebody made during the push stays", () => {
    const files = { [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV };
    const cwd = tempDirectory(files);
    const standIns = new StandIns(TOKEN, { repoDigests: KNOWN, rewrites: { path: join(cwd, NAME), text: spritesConfig().replace("// the org", "// our org") } });
    expect(runCli(["sandbox", "publish"], { cwd, env: { PATH: standIns.bin } }).status).toBe(0);
    const config = readFileSync(join(cwd, NAME), "utf8");
    expect(config).toContain("// our org");
    expect(recorded(config)).toMatchObject({ image: `${REPOSITORY}@${PUSHED}`, baseImage: BASE });
  });

  test("where the config cannot be changed any more, the pushed digest is said", () => {
    const cwd = tempDirectory({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    const standIns = new StandIns(TOKEN, { repoDigests: KNOWN, rewrites: { path: join(cwd, NAME), text: "{ broken" } });
    const { status, stderr } = runCli(["sandbox", "publish"], { cwd, env: { PATH: standIns.bin } });
    expect([status, stderr]).toEqual([1, expect.stringContaining(`set \`sandbox.image\` to ${REPOSITORY}@${PUSHED} and \`sandbox.baseImage\` to ${BASE} by hand`)]);
    expect(readFileSync(join(cwd, NAME), "utf8")).toBe("{ broken");
  });
});

describe("a publish that fails leaves everything as it was", () => {
  test.each([
    ["the login", { fails: "login" }, "`fly auth docker` failed with status 17", 1],
    ["the pull", { fails: "pull" }, "`docker pull --platform` failed with status 17", 2],
    ["the look at the base", { fails: "inspect" }, "`docker image inspect` failed with status 17", 3],
    ["a base that no registry knows", { repoDigests: [`other/debian@${PULLED}`] }, "docker knows no digest of `debian:12-slim`", 3],
    ["the push", { fails: "push" }, "`docker buildx build` failed with status 17", 4],
    ["a push without metadata", { metadata: "" }, "did not say under which digest", 4],
    ["metadata with a short digest", { metadata: '{ "containerimage.digest": "sha256:12" }' }, "did not say under which digest", 4],
    ["metadata of another shape", { metadata: "[]" }, "did not say under which digest", 4],
  ] as const)("%s", (_, behaviour, says, calls) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, behaviour);
    const before = stateOf(one.cwd);
    const { status, stdout, stderr } = one.run("publish");
    expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining(says)]);
    expect(stderr).toContain("nothing was recorded");
    expect(one.standIns.calls).toHaveLength(calls);
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each([
    ["docker", ["fly"], "docker is not on PATH"],
    ["fly", ["docker"], "neither fly nor flyctl is on PATH"],
  ])("without %s", (_, programs, says) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV }, {}, { programs });
    const before = stateOf(one.cwd);
    expect(one.run("publish")).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("%s during the push", async (signal) => {
    const cwd = tempDirectory({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    const standIns = new StandIns(TOKEN, { repoDigests: KNOWN, hangs: true });
    const temporary = tempDirectory();
    const before = stateOf(cwd);
    const child = spawn(process.execPath, ["--", BIN, "sandbox", "publish"], { cwd, env: plainEnv({ PATH: standIns.bin, TMPDIR: temporary }), stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    while (!said.includes("progress of push")) await sleep(20);
    child.kill(signal);
    expect([await ended, said]).toEqual([1, expect.stringContaining("error: interrupted\n  help: run it again; nothing was recorded")]);
    expect(said).not.toContain(TOKEN);
    expect(readdirSync(temporary)).toEqual([]);
    expect(stateOf(cwd)).toEqual(before);
  });
});

describe("--dry-run", () => {
  test("prints what publish would run and record, and does none of it", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    const before = stateOf(one.cwd);
    const { status, stdout, stderr } = one.run("publish", "--dry-run");
    expect([status, stderr]).toEqual([0, ""]);
    expect(one.standIns.calls).toEqual([]);
    expect(stateOf(one.cwd)).toEqual(before);
    expect(one.run("publish").status).toBe(0);
    const shell = (arg: string): string => (/^[\w./:@%+,=-]+$/.test(arg) ? arg : `'${arg}'`);
    const commands = argsOf(one).map((args) => `  ${args.map(shell).join(" ")}\n`);
    expect(stdout).toContain(`:\n${commands.join("")}fly gets`);
    expect(stdout).toContain('  sandbox.image = "registry.fly.io/acme-sandboxes@sha256:<digest of the pushed image>"\n  sandbox.baseImage = "debian:12-slim@sha256:<digest of the pulled image>"\n');
    const dockerfile = one.standIns.calls.at(-1)?.dockerfile?.replace(PULLED, "sha256:<digest of the pulled image>") ?? "";
    expect(stdout).toContain(dockerfile.replace(/^(?=.)/gm, "  "));
  });

  test("prints what build would run", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE });
    const { status, stdout } = one.run("build", "--dry-run");
    expect([status, stdout]).toEqual([0, expect.stringContaining(`  docker buildx build --platform linux/amd64 --load -t acme-sandbox:local --file temporary/Dockerfile ${join(one.cwd, "sandbox")}\n`)]);
    expect(one.standIns.calls).toEqual([]);
  });
});

describe("build", () => {
  test("builds into this host's docker, with no login and no pin, and writes nothing", () => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE });
    const before = stateOf(one.cwd);
    const { status, stdout, stderr } = one.run("build", "--tag", "acme/x:1");
    expect([status, stdout, stderr]).toEqual([0, "built acme/x:1\n", "progress of build\n"]);
    expect(argsOf(one)).toEqual([["docker", "buildx", "build", "--platform", "linux/amd64", "--load", "-t", "acme/x:1", "--file", "temporary/Dockerfile", join(one.cwd, "sandbox")]]);
    expect(one.standIns.calls[0]?.dockerfile).toContain("FROM debian:12-slim\n");
    expect(stateOf(one.cwd)).toEqual(before);
  });

  test.each(["build", "publish"])("%s takes the Dockerfile's own ignore file along", (command) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV, "sandbox/Dockerfile.dockerignore": "*.md\n" });
    expect(one.run(command).status).toBe(0);
    expect(one.standIns.calls.at(-1)?.ignore).toBe("*.md\n");
    const two = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...ENV });
    expect(two.run(command).status).toBe(0);
    expect(two.standIns.calls.at(-1)?.ignore).toBe(null);
  });

  test("uses the recorded base", () => {
    const one = rig({ [NAME]: spritesConfig(`, "baseImage": "${BASE}"`), ...DOCKERFILE });
    expect(one.run("build").status).toBe(0);
    expect(one.standIns.calls[0]?.dockerfile).toContain(`FROM ${BASE}\n`);
  });

  test("says where agents never boot the image", () => {
    const { config } = REFUSED[0] as (typeof REFUSED)[number];
    const one = rig({ [NAME]: config, ...DOCKERFILE });
    expect(one.run("build")).toMatchObject({ status: 0, stderr: expect.stringContaining("warning: agents on `boxd` never boot this image") });
  });

  test.each([
    ["a failing build", {}, { fails: "build" }, [], "`docker buildx build` failed with status 17"],
    ["an error of check", { [NAME]: spritesConfig().replace('"orgId"', '"orgid"') }, {}, [], "nothing was built"],
    ["a tag that is none", {}, {}, ["--tag", "Acme"], "the name of the image has upper-case letters"],
    ["a tag that is an option", {}, {}, ["--tag=--push"], "the name of the image"],
    ["a tag with a digest", {}, {}, ["--tag", `a@sha256:${SHA}`], "--tag names a digest"],
  ])("%s is refused", (_, files, behaviour, args, says) => {
    const one = rig({ [NAME]: spritesConfig(), ...DOCKERFILE, ...files }, behaviour);
    expect(one.run("build", ...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
  });
});

