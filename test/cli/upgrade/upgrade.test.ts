import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addFiles, tempDirectory } from "../../workspace/temp.ts";
import { soundConfig } from "../deployments.ts";
import { pinning, status, texts, upgrade } from "./rig.ts";

const NAME = "qm.config.jsonc";
const IMAGES = Object.fromEntries(
  ["core", "web-ui", "portal"].map((name) => [name, `ghcr.io/acme/${name}@sha256:${"15".repeat(32)}`]),
);

/** Sprites on fly under 0.1.6, sound there, with comments. */
const SPRITES = `// Ours.
{
  "contract": 1, "orgId": "acme", "publicUrl": "https://qm.acme-corp.dev", "target": "fly", "modelProvider": "anthropic",
  "services": ["core", "web-ui"], // two of them
  "appPrefix": "acme", "region": "sjc", "flyOrg": "acme-inc",
  "imageOverrides": ${JSON.stringify({ core: IMAGES["core"], "web-ui": IMAGES["web-ui"] })},
  "env": { "core": { "HARNESS": "pi", "SNAPSHOT_STORE": "s3", "TRANSFER_STORE": "s3", "S3_BUCKET": "acme-qm-data", "S3_REGION": "auto" } },
  "sandbox": {
    "backend": "sprites",
    // where the machines are
    "app": "acme-sandboxes",
    "image": "registry.fly.io/acme-sandboxes@sha256:${"3c".repeat(32)}",
  },
}
`;

function deployment(files: { readonly [path: string]: string } = {}): string {
  return tempDirectory({ [NAME]: SPRITES, "package.json": pinning("0.1.6"), ...files });
}

describe("upgrade without --write", () => {
  test("says what cannot be undone first, writes nothing, and ends with 0", async () => {
    const cwd = deployment();
    const before = texts(cwd);
    const { status: ended, out, err } = await upgrade(cwd, "0.1.12");
    expect([ended, texts(cwd)]).toEqual([0, before]);
    const places = [
      "what cannot be undone",
      "pin\n",
      "findings\n",
      "workloads\n",
      "secrets\n",
      "artifacts\n",
      "what to do\n",
    ].map((title) => out.indexOf(title));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(out).toContain("package.json: 0.1.6 -> 0.1.12");
    expect(out).toContain(
      "sandbox/idle-field: `sandbox.app` is not read by anything: qm 0.1.12 accepts it and ignores it (fixed)",
    );
    expect(out).toContain("pin images of qm 0.1.12: `core`, `web-ui`");
    expect(err).toContain("nothing was written");
  });

  test("is one JSON object, and Markdown", async () => {
    const cwd = deployment();
    const view = JSON.parse((await upgrade(cwd, "v0.1.12", "--format", "json")).out);
    expect(view).toMatchObject({
      version: 1,
      direction: "upgrade",
      ok: true,
      written: null,
      pin: { file: "package.json", change: "changed", from: "0.1.6", to: "0.1.12" },
      from: { release: "0.1.6" },
      to: { release: "0.1.12" },
      fixes: ["remove `sandbox.app`", "remove `sandbox.image`"],
    });
    expect(view.secrets.retire).toEqual(["FLY_SANDBOX_API_TOKEN"]);
    expect(view.data[0].what).toBe("tables");
    const { out } = await upgrade(cwd, "0.1.12", "--format", "github");
    expect(out).toContain("### qm 0.1.6 to 0.1.12\n");
    expect(out.indexOf("[!WARNING]")).toBeLessThan(out.indexOf("#### Findings"));
  });

  test.each([["latest"], ["^0.1.12"], ["0.1"], ["."], [""], ["-"]])(
    "%j is no release: a wrong command line",
    async (release) => {
      const { status: ended, out } = await upgrade(deployment(), "--", release);
      expect([ended, out]).toEqual([2, ""]);
    },
  );

  test("a version between known ones is pinned as it is, and judged as the one below", async () => {
    const view = JSON.parse((await upgrade(deployment(), "0.1.9", "--format", "json")).out);
    expect(view).toMatchObject({ direction: "none", pin: { to: "0.1.9" }, to: { release: "0.1.6" }, workloads: [] });
    expect(view.findings.appear.map(({ rule }: { rule: string }) => rule)).toEqual(["release/unknown-version"]);
  });

  test("a downgrade says what is lost, and that images have to be found", async () => {
    const cwd = tempDirectory({
      [NAME]: soundConfig({
        env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "acme1", SANDBOX_SCOPE_BACKENDS: '{"team":"boxd"}' } },
      }),
      "package.json": pinning("0.1.12"),
    });
    const { status: ended, out, err } = await upgrade(cwd, "0.1.6");
    expect(ended).toBe(1);
    expect(out).toContain("! `env.core.SANDBOX_SCOPE_BACKENDS` is not read by qm 0.1.6");
    expect(out).toContain("a backup of the time before is what it can start with");
    expect(err).toContain("no image is known for `web-ui`: qm 0.1.6 published none");
    const before = texts(cwd);
    expect((await upgrade(cwd, "0.1.6", "--write")).status).toBe(1);
    expect(texts(cwd)).toEqual(before);
  });
});

describe("upgrade --write", () => {
  test("pins, fixes with comments kept, renders and leaves nothing to do", async () => {
    const cwd = deployment();
    expect(await status(cwd, "render")).toBe(0);
    const { status: ended, out, err } = await upgrade(cwd, "0.1.12", "--write", "--format", "json");
    expect([ended, err]).toEqual([0, ""]);
    const { written } = JSON.parse(out);
    expect(written.slice(0, 2)).toEqual([NAME, "package.json"]);
    expect(written).toContain("rendered/fly/core.fly.toml");
    expect(readFileSync(join(cwd, "package.json"), "utf8")).toBe(pinning("0.1.12"));
    const config = readFileSync(join(cwd, NAME), "utf8");
    expect(config).toContain("// Ours.");
    expect(config).toContain("// two of them");
    expect(config).not.toContain("acme-sandboxes");
    expect(await status(cwd, "check")).toBe(0);
    expect(await status(cwd, "render", "--check")).toBe(0);
    const after = texts(cwd);
    const again = await upgrade(cwd, "0.1.12", "--write", "--format", "json");
    expect([again.status, JSON.parse(again.out).written]).toEqual([0, []]);
    expect(texts(cwd)).toEqual(after);
  });

  test.each([
    ["the config", [NAME]],
    ["the config and the pin", [NAME, "package.json"]],
    ["the config, the pin and a rendered file", [NAME, "package.json", "rendered/fly/core.fly.toml"]],
  ])("a run that was killed after %s is completed by the next one", async (_, written) => {
    const [whole, cut] = [deployment(), deployment()];
    for (const cwd of [whole, cut]) expect(await status(cwd, "render")).toBe(0);
    expect((await upgrade(whole, "0.1.12", "--write")).status).toBe(0);
    for (const name of written) writeFileSync(join(cut, name), texts(whole)[name] as string);
    expect((await upgrade(cut, "0.1.12", "--write")).status).toBe(0);
    expect(texts(cut)).toEqual(texts(whole));
  });

  test("files of workloads that are gone go too", async () => {
    const services = ["core", "web-ui", "admin"];
    const config = SPRITES.replace('["core", "web-ui"]', JSON.stringify(services)).replace(
      '"imageOverrides": {',
      `"imageOverrides": { "admin": ${JSON.stringify(IMAGES["portal"])}, `,
    );
    const cwd = deployment({ [NAME]: config });
    expect(await status(cwd, "render")).toBe(0);
    const former = Object.keys(texts(cwd));
    expect(former).toContain("rendered/fly/admin.fly.toml");
    const { status: ended, out } = await upgrade(cwd, "0.1.12", "--write", "--format", "json");
    const gone = former.filter((name) => !Object.keys(texts(cwd)).includes(name));
    expect([ended, JSON.parse(out).removed]).toEqual([0, gone]);
    expect(Object.keys(texts(cwd))).not.toContain("rendered/fly/admin.fly.toml");
    expect(texts(cwd)[NAME]).not.toContain('"admin": "ghcr');
    expect(await status(cwd, "render", "--check")).toBe(0);
  });

  test("--published-images takes out pins that a published image replaces, and no others", async () => {
    const cwd = deployment();
    expect((await upgrade(cwd, "0.1.12", "--write", "--published-images")).status).toBe(0);
    expect(texts(cwd)["rendered/fly/core.fly.toml"]).toContain("ghcr.io/yc-software/qm/core@sha256:");
    const boxd = tempDirectory({
      [NAME]: soundConfig({ imageOverrides: IMAGES }),
      "package.json": pinning("0.1.6"),
    });
    expect((await upgrade(boxd, "0.1.12", "--write", "--published-images")).status).toBe(0);
    expect(JSON.parse(texts(boxd)[NAME] as string).imageOverrides).toEqual({ core: IMAGES["core"] });
  });

  test("missing secrets on docker stop nothing; any other error stops all of it", async () => {
    const files = {
      [NAME]: soundConfig({ imageOverrides: IMAGES }),
      "package.json": pinning("0.1.6"),
      ".env": "BOXD_API_KEY=\n",
    };
    const cwd = tempDirectory(files);
    chmodSync(join(cwd, ".env"), 0o600);
    expect(await status(cwd, "check")).toBe(1);
    expect((await upgrade(cwd, "0.1.12", "--write")).status).toBe(0);
    const broken = tempDirectory({ ...files, [NAME]: soundConfig({ imageOverrides: IMAGES, nonsense: true }) });
    const before = texts(broken);
    const { status: ended, err } = await upgrade(broken, "0.1.12", "--write");
    expect([ended, texts(broken)]).toEqual([1, before]);
    expect(err).toContain("error: nothing was written: an error remains");
  });

  test.each([
    [
      "a link in the place of a rendered file",
      (cwd: string) => {
        mkdirSync(join(cwd, "rendered/fly"), { recursive: true });
        symlinkSync("/etc/hostname", join(cwd, "rendered/fly/core.fly.toml"));
      },
    ],
    ["a file in the place of rendered/", (cwd: string) => writeFileSync(join(cwd, "rendered"), "")],
    [
      "a link in the place of package.json",
      (cwd: string) => {
        rmSync(join(cwd, "package.json"));
        addFiles(cwd, { "real.json": pinning("0.1.6") });
        symlinkSync("real.json", join(cwd, "package.json"));
      },
    ],
  ])("%s: all is as it was, and 2", async (_, spoil) => {
    const cwd = deployment();
    spoil(cwd);
    const before = texts(cwd);
    const { status: ended, err } = await upgrade(cwd, "0.1.12", "--write");
    expect([ended, texts(cwd)]).toEqual([2, before]);
    expect(err).toContain("nothing was written");
  });
});

describe("the pin", () => {
  const CASES: readonly (readonly [title: string, before: string | null, after: RegExp])[] = [
    ["a range becomes exact", pinning("^0.1.6"), /"@yc-software\/qm": "0\.1\.12"/],
    ["a tag becomes exact", pinning("latest"), /"@yc-software\/qm": "0\.1\.12"/],
    ["an alias stays one", pinning("npm:@yc-software/qm@0.1.6"), /"npm:@yc-software\/qm@0\.1\.12"/],
    [
      "both groups follow",
      '{ "dependencies": { "@yc-software/qm": "0.1.6" }, "devDependencies": { "@yc-software/qm": "0.1.5" } }',
      /0\.1\.12.*0\.1\.12/,
    ],
    [
      "layout stays",
      '{\r\n\t"devDependencies": {"a": "1", "@yc-software/qm":"0.1.6"}\r\n}',
      /^\{\r\n\t"devDependencies": \{"a": "1", "@yc-software\/qm":"0\.1\.12"\}\r\n\}$/,
    ],
    [
      "none is added",
      '{ "name": "acme" }\n',
      /"name": "acme",[^]*"devDependencies": \{[^]*"@yc-software\/qm": "0\.1\.12"/,
    ],
    ["no file is made", null, /"private": true,[^]*"@yc-software\/qm": "0\.1\.12"/],
  ];
  test.each(CASES)("%s", async (_, before, after) => {
    const cwd = deployment(before === null ? {} : { "package.json": before });
    if (before === null) rmSync(join(cwd, "package.json"));
    expect((await upgrade(cwd, "0.1.12", "--write", "--from-release", "0.1.6")).status).toBe(0);
    expect(texts(cwd)["package.json"]).toMatch(after);
    const { pin } = JSON.parse((await upgrade(cwd, "0.1.12", "--format", "json")).out);
    expect(pin).toMatchObject({ change: "none", to: "0.1.12" });
  });

  test.each([
    ["a fork", pinning("git+https://user:s3cretTok3n@example.com/qm.git#v1")],
    ["a path", pinning("file:../qm")],
    ["no string", '{ "devDependencies": { "@yc-software/qm": 1 } }'],
    ["no JSON", "{"],
    ["no object", "[]"],
  ])("%s is left to its owner: 1, nothing written, no specifier shown", async (_, text) => {
    const cwd = deployment({ "package.json": text });
    const before = texts(cwd);
    const { status: ended, out, err } = await upgrade(cwd, "0.1.12", "--write", "--from-release", "0.1.6");
    expect([ended, texts(cwd)]).toEqual([1, before]);
    expect(err).toContain("`package.json` cannot pin qm 0.1.12");
    expect(out + err).not.toContain("s3cretTok3n");
  });

  test("of a parent is changed for one deployment; for several, somebody must say so", async () => {
    const files = { "package.json": pinning("0.1.6"), [`deployments/acme/${NAME}`]: SPRITES };
    const alone = tempDirectory({ ...files, ".git/HEAD": "" });
    expect((await upgrade(alone, "0.1.12", "deployments/acme", "--write")).status).toBe(0);
    expect(texts(alone)["package.json"]).toBe(pinning("0.1.12"));
    const several = {
      ...files,
      ".git/HEAD": "",
      [`deployments/other/${NAME}`]: SPRITES,
      [`deployments/own/${NAME}`]: SPRITES,
      "deployments/own/package.json": pinning("0.1.6"),
    };
    const fleet = tempDirectory(several);
    const before = texts(fleet);
    const refused = await upgrade(fleet, "0.1.12", "deployments/acme", "--write");
    expect([refused.status, texts(fleet)]).toEqual([2, before]);
    expect(refused.err).toContain("`package.json` pins qm for the deployment in `deployments/other` too");
    expect((await upgrade(fleet, "0.1.12", "deployments/acme")).status).toBe(0);
    const together = tempDirectory(several);
    const moved = await upgrade(together, "0.1.12", "deployments/acme", "--write", "--pin", "shared");
    const [command = ""] = /upgrade 0\.1\.12 .*/.exec(moved.err) ?? [];
    expect(command).toBe("upgrade 0.1.12 deployments/other --from-release 0.1.6 --pin shared --write");
    expect((await upgrade(together, ...command.split(" ").slice(1))).status).toBe(0);
    const after = texts(together);
    expect(after[`deployments/other/${NAME}`]).toBe(after[`deployments/acme/${NAME}`]);
    expect((await upgrade(fleet, "0.1.12", "deployments/acme", "--write", "--pin", "own")).status).toBe(0);
    expect(texts(fleet)["package.json"]).toBe(pinning("0.1.6"));
    expect(texts(fleet)["deployments/acme/package.json"]).toContain("0.1.12");
    expect((await upgrade(fleet, "0.1.12", "deployments/other", "--write", "--pin", "shared")).status).toBe(0);
    expect(texts(fleet)["package.json"]).toBe(pinning("0.1.12"));
  });

  test("--pin shared without a parent is a wrong command line", async () => {
    expect((await upgrade(deployment(), "0.1.12", "--pin", "shared")).status).toBe(2);
  });
});
