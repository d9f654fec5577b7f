import { spawnSync } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fingerprint, readContext } from "../../src/publish/build-context.ts";
import { needsFlyLogin, repositoryOf, taggedImage } from "../../src/publish/registry.ts";
import { pinChanges, pinnedBase, pushedDigest } from "../../src/publish/pin.ts";
import { readLayer } from "../../src/publish/layer.ts";
import { PublishError } from "../../src/publish/publish-error.ts";
import { commandText } from "../../src/publish/commands.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { addFiles, tempDirectory } from "../workspace/temp.ts";
import { SHA, spritesConfig } from "./deployments.ts";

const DIGEST = `sha256:${SHA}`;

/** The value, or the message of the refusal. */
function told<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof PublishError) return error.message;
    throw error;
  }
}

function deploymentOf(files: { readonly [path: string]: string }, sandbox = "") {
  const { deployment } = loadDeployment(tempDirectory({ "qm.config.jsonc": spritesConfig(sandbox), ...files }));
  if (deployment === undefined) throw new Error("not loaded");
  return deployment;
}

describe("where an image is pushed to", () => {
  test.each([
    [null, { app: "acme" }, "registry.fly.io/acme"],
    [null, { app: "ghcr.io/acme/x" }, "ghcr.io/acme/x"],
    [null, { app: "acme", image: `ghcr.io/a/b@${DIGEST}` }, "registry.fly.io/acme"],
    [null, { image: `ghcr.io/a/b:1@${DIGEST}` }, "ghcr.io/a/b"],
    [null, { image: "localhost:5000/a" }, "localhost:5000/a"],
    [null, {}, "nothing says where to push the image"],
    [null, undefined, "nothing says where to push the image"],
    ["other", { app: "acme" }, "registry.fly.io/other"],
    ["localhost:5000/a/b", { app: "acme" }, "localhost:5000/a/b"],
    ["a/b", undefined, "a/b"],
    ["", { app: "acme" }, "--app is blank"],
    ["Acme", {}, "--app is not the name of a Fly app"],
    ["a.b", {}, "--app is not the name of a Fly app"],
    ["--push", {}, "--app is not the name of a Fly app"],
    ["a/b:1", {}, "--app names an image, not a repository"],
    [`a/b@${DIGEST}`, {}, "--app names an image, not a repository"],
    ["https://a/b", {}, "--app is a URL, not an image reference"],
    ["a/ b", {}, "--app has a space in it"],
    ["-a/b", {}, "--app has a repository that is not parts of a-z, 0-9 and single `._-` between slashes"],
  ])("--app %j with %j", (app, sandbox, expected) => {
    expect(told(() => repositoryOf(app, sandbox))).toBe(expected);
  });

  test.each([
    ["v1", "a/b:v1"],
    ["v1:2", "--tag is not a tag"],
    [`v1@${DIGEST}`, "--tag is not a tag"],
    ["", "--tag is not a tag"],
    ["-x", "--tag is not a tag"],
  ])("--tag %j", (tag, expected) => {
    expect(told(() => taggedImage("a/b", tag))).toBe(expected);
  });

  test.each([
    [["registry.fly.io/a:1"], true],
    [["debian", `registry.fly.io/a@${DIGEST}`], true],
    [["registry.fly.io.evil.dev/a", "x/registry.fly.io/a", "registry.fly.io:5000/a"], false],
    [[], false],
  ])("a login for %j: %j", (images, expected) => {
    expect(needsFlyLogin(images)).toBe(expected);
  });
});

describe("digests", () => {
  test.each([
    ["debian:12", [`debian@${DIGEST}`], `debian:12@${DIGEST}`],
    ["debian", [`docker.io/library/debian@${DIGEST}`], `debian@${DIGEST}`],
    ["docker.io/library/debian:12", [`debian@${DIGEST}`], `docker.io/library/debian:12@${DIGEST}`],
    ["ghcr.io/a/b:1", [`mirror.dev/a/b@sha256:${"11".repeat(32)}`, `ghcr.io/a/b@${DIGEST}`], `ghcr.io/a/b:1@${DIGEST}`],
    ["localhost:5000/a", [`localhost:5000/a@${DIGEST}`], `localhost:5000/a@${DIGEST}`],
    ["debian:12", [`debian@sha512:${"9d".repeat(64)}`], null],
    ["debian:12", [`other/debian@${DIGEST}`], null],
    ["debian:12", ["debian:12"], null],
    ["debian:12", [], null],
    ["debian:12", null, null],
    ["debian:12", { 0: `debian@${DIGEST}` }, null],
    ["debian:12", [7], null],
  ])("%s among %j", (image, digests, expected) => {
    expect(told(() => pinnedBase(image, JSON.stringify(digests)))).toBe(
      expected ?? `docker knows no digest of \`${image}\` in its own registry`,
    );
  });

  test.each([
    [JSON.stringify({ "containerimage.digest": DIGEST, "image.name": "x" }), DIGEST],
    [JSON.stringify({ "containerimage.digest": DIGEST.toUpperCase() }), null],
    [JSON.stringify({ "containerimage.digest": `${DIGEST}0` }), null],
    [JSON.stringify({ "containerimage.digest": [DIGEST] }), null],
    [`{"__proto__":{"containerimage.digest":"${DIGEST}"}}`, null],
    ["", null],
    ["null", null],
    ["{", null],
  ])("the metadata %s", (metadata, expected) => {
    expect(told(() => pushedDigest(metadata))).toBe(
      expected ?? "docker buildx did not say under which digest it pushed the image",
    );
  });

  test("what is recorded", () => {
    const image = { kind: "set", path: ["sandbox", "image"], value: "i" };
    expect(pinChanges("i", "b", undefined)).toEqual([
      image,
      { kind: "set", path: ["sandbox", "baseImage"], value: "b" },
    ]);
    expect(pinChanges("i", null, undefined)).toEqual([image]);
    expect(pinChanges("i", null, "old")).toEqual([image, { kind: "remove", path: ["sandbox", "baseImage"] }]);
  });
});

describe("the Dockerfile that is built", () => {
  const tools = {
    "sandbox/tools/one/tool.json": '{ "id": "one" }',
    "sandbox/tools/one/one": "",
    "sandbox/tools/two/tool.json": '{ "id": "two", "install": { "binary": "second" } }',
  };

  function layerOf(files: { readonly [path: string]: string }, sandbox = "", from: string | null = null) {
    return readLayer(deploymentOf(files, sandbox), { from, publishes: true });
  }

  /** Runs the last instruction as docker would, with these commands on PATH. */
  function check(dockerfile: string, commands: readonly string[]) {
    const run = /^RUN (\[.*\])$/.exec(dockerfile.trimEnd().split("\n").at(-1) ?? "")?.[1] ?? "";
    const [shell = "", ...args] = JSON.parse(run) as string[];
    const bin = tempDirectory(Object.fromEntries(commands.map((name) => [name, "#!/bin/sh\n"])));
    for (const name of commands) chmodSync(join(bin, name), 0o755);
    return spawnSync(shell, args, { env: { PATH: bin }, encoding: "utf8" });
  }

  test("fails where a tool's command is not on PATH, and names it", () => {
    const layer = layerOf({ ...tools, "sandbox/Dockerfile": `FROM a@${DIGEST}` });
    expect(check(layer.dockerfile(), ["one", "second"])).toMatchObject({ status: 0, stderr: "" });
    expect(check(layer.dockerfile(), ["one"])).toMatchObject({
      status: 1,
      stderr: "the command second of sandbox/tools is not on PATH in the image\n",
    });
    expect(check(layer.dockerfile(), []).status).toBe(1);
  });

  test("is the one of sandbox/ with the check behind it, whatever its last line", () => {
    for (const end of ["", "\n", "\n\n  \n", "\r\n"]) {
      const { dockerfile } = layerOf({
        ...tools,
        "sandbox/Dockerfile": `# escape=\`\nFROM a@${DIGEST}\nSHELL ["x"]${end}`,
      });
      expect(dockerfile()).toMatch(/^# escape=`\nFROM .*\nSHELL \["x"\]\nRUN \["\/bin\/sh",/);
    }
  });

  test("has no check where there is no tool", () => {
    const { dockerfile, base, mutable } = layerOf({ "sandbox/Dockerfile": "FROM scratch\n" });
    expect([dockerfile(), base, mutable]).toEqual(["FROM scratch\n", null, null]);
  });

  test("copies what lies beside tool.json, and leaves to the base what does not", () => {
    const { dockerfile, images } = layerOf(tools, "", "acme/base:2");
    expect(dockerfile(`acme/base:2@${DIGEST}`)).toMatch(
      new RegExp(
        `^FROM acme/base:2@${DIGEST}\nCOPY --chmod=0755 \\["tools/one/one","/usr/local/bin/one"\\]\nRUN \\["/bin/sh"`,
      ),
    );
    expect(images).toEqual(["acme/base:2"]);
  });

  test("a recorded base stands for the image of the same text before its digest, and only for that", () => {
    const files = { "sandbox/Dockerfile": `FROM b:1 AS x\nFROM c@${DIGEST}\nFROM b:1\n` };
    const same = layerOf(files, `, "baseImage": "b:1@${DIGEST}"`);
    expect([same.base, same.mutable, same.images]).toEqual([`b:1@${DIGEST}`, null, [`b:1@${DIGEST}`, `c@${DIGEST}`]]);
    expect(same.dockerfile()).toBe(`FROM b:1@${DIGEST} AS x\nFROM c@${DIGEST}\nFROM b:1@${DIGEST}\n`);
    for (const other of ["b:2", "b", "docker.io/library/b:1"]) {
      const layer = layerOf(files, `, "baseImage": "${other}@${DIGEST}"`);
      expect([layer.base, layer.mutable]).toEqual(["b:1", "b:1"]);
    }
  });
});

describe("the context", () => {
  const files = { "sandbox/Dockerfile": "FROM a\n", "sandbox/b": "b", "sandbox/c/d": "d" };

  function print(root: string, dockerfile = "FROM a\n"): string {
    return fingerprint(readContext(root), dockerfile);
  }

  test("has one fingerprint for one content, another for each change", () => {
    const root = tempDirectory(files);
    const first = print(root);
    expect(print(tempDirectory(files))).toBe(first);
    const seen = new Set([first, print(root, "FROM b\n")]);
    addFiles(root, { "sandbox/b": "B" });
    seen.add(print(root));
    addFiles(root, { "sandbox/e": "" });
    seen.add(print(root));
    chmodSync(join(root, "sandbox", "e"), 0o755);
    seen.add(print(root));
    seen.add(print(tempDirectory({ ...files, "sandbox/b": "", "sandbox/c/d": "bd" })));
    expect(seen.size).toBe(6);
  });

  test("may have links that stay inside, whole or dangling, and none that leave on the way", () => {
    const root = tempDirectory({ ...files, "sandbox-secret/x": "x" });
    const link = (target: string, name: string): void => symlinkSync(target, join(root, "sandbox", name));
    link("b", "inner");
    link("c/d", "deep");
    link("later", "dangling");
    expect(() => readContext(root)).not.toThrow();
    const before = print(root);
    link("inner", "chain");
    expect(print(root)).not.toBe(before);
    link("../sandbox-secret", "c/sibling");
    expect(() => readContext(root)).not.toThrow();
    link("../sandbox-secret", "sibling");
    expect(told(() => readContext(root))).toBe("the link `sandbox/sibling` leads out of `sandbox/`");
  });

  test("must be a directory", () => {
    expect(told(() => readContext(tempDirectory()))).toBe("`sandbox/` holds nothing to build");
    expect(told(() => readContext(tempDirectory({ sandbox: "" })))).toBe("`sandbox/` is no directory");
  });
});

test("a step is printed so that it can be pasted", () => {
  const words = ["a b", "{{json .RepoDigests}}", "it's", "$HOME", "", "x=1"];
  const { stdout } = spawnSync(
    "/bin/sh",
    ["-c", commandText({ program: "docker", args: words }).replace("docker", "printf '%s\\n'")],
    { encoding: "utf8" },
  );
  expect(stdout).toBe(`${words.join("\n")}\n`);
});
