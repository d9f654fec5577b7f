import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BACKENDS } from "../../src/catalog/backends/index.ts";
import { type DeploymentDiff, diffDeployments } from "../../src/views/diff/diff.ts";
import { diffMarkdown } from "../../src/views/diff/markdown.ts";

import { diffText } from "../../src/views/diff/text.ts";
import { PLAIN } from "../../src/diagnostics/reporters/reporter.ts";
import { BASE, resolve, resolveUnder } from "../deployment/resolving.ts";
import { runs } from "../support/runs.ts";

const FLY = {
  ...BASE,
  target: "fly",
  flyOrg: "acme-inc",
  region: "iad",
  imageOverrides: {
    core: `ghcr.io/acme/core@sha256:${"5e".repeat(32)}`,
    "web-ui": `ghcr.io/acme/web@sha256:${"7a".repeat(32)}`,
  },
};
const SPRITES = {
  ...FLY,
  sandbox: { backend: "sprites", app: "acme-sandboxes", image: `registry.fly.io/acme@sha256:${"3c".repeat(32)}` },
};
const BOXD = { ...FLY, env: { core: { HARNESS: "pi", BOXD_NAME_PREFIX: "acme1" } }, sandbox: { backend: "boxd" } };

function diff(before: object, after: object, release = "0.1.6"): DeploymentDiff {
  return diffDeployments(
    { named: "a", deployment: resolveUnder(release, before) },
    { named: "b", deployment: resolveUnder(release, after) },
  );
}

const at = ({ steps }: DeploymentDiff, text: string): number => steps.findIndex(({ title }) => title.includes(text));

describe("a switch from sprites to boxd", () => {
  const switched = diff(SPRITES, BOXD);

  test("says which values, secrets and artifacts change", () => {
    const core = switched.workloads.find(({ name }) => name === "core");
    expect(core?.environment).toContainEqual({
      name: "SANDBOX_BACKEND",
      change: "changed",
      formerName: null,
      from: "sprites",
      to: "boxd",
    });
    expect(core?.environment).toContainEqual({
      name: "FLY_SANDBOX_APP_NAME",
      change: "removed",
      formerName: null,
      from: "acme-sandboxes",
      to: null,
    });
    expect(core?.environment).toContainEqual({
      name: "BOXD_NAME_PREFIX",
      change: "added",
      formerName: null,
      from: null,
      to: "acme1",
    });
    expect(switched.secrets.add.map(({ name }) => name)).toEqual(["BOXD_API_KEY"]);
    expect(switched.secrets.retire).toEqual(["FLY_SANDBOX_API_TOKEN", "SPRITES_TOKEN"]);
    expect(switched.artifacts?.map(({ name }) => name)).toContain("rendered/fly/core.fly.toml");
    expect(switched.artifacts?.map(({ name }) => name)).not.toContain("rendered/fly/web-ui.fly.toml");
    expect(switched.data.map(({ what }) => what)).toEqual(["agent-computers"]);
  });

  test("is a checklist in the order in which it can be done", () => {
    const order = [
      "save what must be kept",
      "get `BOXD_API_KEY`",
      "set `sandbox.backend` to `boxd`",
      "remove `sandbox.app`",
      "remove `sandbox.image`",
      "`imageOverrides.core`",
      "PUBLIC_API_URL",
      "below `rendered/`",
      "store of fly",
      "deploy `core`",
      "start one agent",
      "delete the agents' computers on Fly Sprites",
      "retire `FLY_SANDBOX_API_TOKEN`, `SPRITES_TOKEN`",
    ];
    const places = order.map((text) => at(switched, text));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test("ticks what the new config has already, and only that", () => {
    expect(switched.steps[at(switched, "remove `sandbox.app`")]?.done).toBe(true);
    const half = diff(SPRITES, { ...BOXD, imageOverrides: {}, sandbox: { backend: "boxd", app: "acme-sandboxes" } });
    expect(half.steps[at(half, "remove `sandbox.app`")]?.done).toBe(false);
    expect(half.steps[at(half, "`imageOverrides.core`")]?.done).toBe(false);
    expect(switched.steps[at(switched, "`imageOverrides.core`")]?.done).toBeNull();
    const pinned = diff(SPRITES, {
      ...BOXD,
      imageOverrides: { ...FLY.imageOverrides, core: `ghcr.io/acme/core@sha256:${"9d".repeat(32)}` },
    });
    expect(pinned.steps[at(pinned, "`imageOverrides.core`")]?.done).toBe(true);
    expect(half.to.errors).toBeGreaterThan(0);
  });

  test("the way back asks for the other secrets", () => {
    const back = diff(BOXD, SPRITES);
    expect(back.secrets.retire).toEqual(["BOXD_API_KEY"]);
    expect(back.secrets.add.map(({ name }) => name)).toEqual(["FLY_SANDBOX_API_TOKEN", "SPRITES_TOKEN"]);
    expect(at(back, "`imageOverrides.core`")).toBe(-1);
  });
});

describe("data at stake", () => {
  test.each([
    [
      "the prefix of machine names",
      BOXD,
      { ...BOXD, env: { core: { HARNESS: "pi", BOXD_NAME_PREFIX: "acme2" } } },
      "agent-computers",
    ],
    [
      "the boxd org",
      BOXD,
      { ...BOXD, env: { core: { HARNESS: "pi", BOXD_NAME_PREFIX: "acme1", BOXD_ORG: "other" } } },
      "agent-computers",
    ],
    [
      "the Fly app of sprites",
      SPRITES,
      { ...SPRITES, sandbox: { ...SPRITES.sandbox, app: "other" } },
      "agent-computers",
    ],
    ["no backend any longer", BOXD, { ...BOXD, sandbox: {} }, "agent-computers"],
    ["the prefix of Fly apps", FLY, { ...FLY, appPrefix: "other" }, "database"],
    ["the target", BASE, { ...FLY }, "database"],
    ["the org on docker", BASE, { ...BASE, orgId: "other" }, "database"],
    [
      "the bucket",
      { ...FLY, env: { core: { S3_BUCKET: "a-bucket" } } },
      { ...FLY, env: { core: { S3_BUCKET: "b-bucket" } } },
      "files",
    ],
  ])("%s", (_, before, after, what) => {
    expect(diff(before, after).data.map((one) => one.what)).toContain(what);
  });

  test("nothing where only a setting changes", () => {
    expect(diff(BOXD, { ...BOXD, env: { core: { ...BOXD.env.core, BOXD_VCPU: "4" } } }).data).toEqual([]);
  });
});

describe("every switch between backends", () => {
  const names = BACKENDS.map(({ name }) => name);
  test.each(["0.1.6", "0.1.12"])("under %s names no undefined fact and is empty from a config to itself", (release) => {
    for (const from of names) {
      for (const to of names) {
        const config = (name: string) => ({ ...FLY, env: { core: { SANDBOX_BACKEND: name } } });
        const changed = diff(config(from), config(to), release);
        expect(changed.same).toBe(from === to);
        expect(changed.steps.length === 0).toBe(from === to);
        expect(JSON.stringify(changed)).not.toMatch(/undefined|\[object/);
      }
    }
  });
});

describe("what may be secret", () => {
  const SECRET = "hV8kQz2LpX9wRt4Yn7Bm3Jc6Df1Gs5Ae";

  test("is hidden by its name, by its look, and when .env holds it", () => {
    const env = { file: ".env", text: `BOXD_API_KEY=${SECRET}\n`, mode: 0o600 };
    const before = resolve(
      { ...BASE, env: { core: { SMTP_PASSWORD: "correct horse", PROXY: `http://u:${SECRET}@h/`, NOTE: SECRET } } },
      { envFile: env },
    );
    const after = resolve({ ...BASE, env: { core: { SMTP_PASSWORD: "battery staple" } } });
    const found = diffDeployments({ named: "a", deployment: before }, { named: "b", deployment: after });
    for (const text of [JSON.stringify(found), diffText(found, PLAIN).text, diffMarkdown(found).text]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toMatch(/horse|staple/);
      expect(text).toContain("[hidden]");
    }
  });

  test(".env itself is no change", () => {
    const named = (text: string | null) => ({
      named: "a",
      deployment: resolve(BASE, { envFile: text === null ? null : { file: ".env", text, mode: 0o600 } }),
    });
    expect(diffDeployments(named(null), named("DATABASE_URL=postgres://x\nBOXD_API_KEY=y\n")).same).toBe(true);
  });
});

describe("Markdown", () => {
  test("holds any value in its own cell, without markup, mention or HTML of its own", () => {
    const value = fc.string({
      unit: fc.constantFrom("|", "`", "<", ">", "&", "@", "\n", "\r", "*", "[", "]", "(", ")", "a", " ", "\u202e", "-"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(value, (text) => {
        const markdown = diffMarkdown(diff(BASE, { ...BASE, env: { core: { HARNESS: "pi", GREETING: text } } })).text;
        const rows = markdown.split("\n").filter((line) => line.includes("GREETING"));
        expect(rows).toHaveLength(1);
        // Cells end at the bars that are not escaped; GitHub takes no notice of code spans there.
        expect((rows[0] as string).replace(/\\\|/g, "").split("|")).toHaveLength(6);
        expect(rows[0]).not.toMatch(/[\u202e\r]/);
      }),
      { numRuns: runs(15, 180) },
    );
  });

  test("stays below what a comment may hold", () => {
    const env = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`NAME_${n}`, "a value of some length"]));
    const markdown = diffMarkdown(diff(BASE, { ...BASE, env: { core: env } })).text;
    expect(markdown.length).toBeLessThan(65_536);
    expect(markdown).toContain("qm-deploy diff");
  });
});
