/** The built language server, by a client that speaks the protocol. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { Diagnostic } from "vscode-languageserver-protocol/node";
import { ensureBuilt } from "../../scripts/build.mjs";
import { ROOT } from "../cli/built.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { LspClient } from "./client.ts";

await ensureBuilt();

const SOUND = readFileSync(join(ROOT, "examples/docker-boxd/qm.config.jsonc"), "utf8");
const PACKAGE = readFileSync(join(ROOT, "examples/docker-boxd/package.json"), "utf8");
const CANARY = "sk-ant-api03-Zx81QpLm4Wv7NcRt2Bh9Ks6Dj3Fg5Ty0";
const NAME = "qm.config.jsonc";

const clients: LspClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.process.kill();
});

async function started(
  files: { readonly [path: string]: string },
  folders: readonly string[] = ["."],
  capabilities?: object,
) {
  const cwd = tempDirectory({ "package.json": PACKAGE, ...files });
  const client = new LspClient(cwd);
  clients.push(client);
  await client.start(
    folders.map((folder) => join(cwd, folder)),
    capabilities,
  );
  return { client, cwd, config: join(cwd, NAME), env: join(cwd, ".env") };
}

function has(rule: string): (found: readonly Diagnostic[]) => boolean {
  return (found) => found.some(({ code }) => code === rule);
}

function lacks(rule: string): (found: readonly Diagnostic[]) => boolean {
  return (found) => !has(rule)(found);
}

describe("findings", () => {
  test("of the whole directory are there before anything is opened, and of every deployment of a folder", async () => {
    const broken = SOUND.replace('"backend": "boxd"', '"backend": "boxed"');
    const { client, cwd } = await started({
      "a/qm.config.jsonc": broken,
      "a/.env": "NOBODY_READS_THIS=1\n",
      "a/sandbox/skills/x/SKILL.md": "no head\n",
      "b/qm.config.jsonc": broken,
    });
    await client.findings(join(cwd, "a", NAME), has("sandbox/unknown-backend"));
    await client.findings(join(cwd, "b", NAME), has("sandbox/unknown-backend"));
    const [unused] = await client.findings(join(cwd, "a/.env"), has("env-file/unused-name"));
    expect(unused?.range.start).toEqual({ line: 0, character: 0 });
    expect(unused?.source).toBe("qm-deploy");
    await client.findings(join(cwd, "a/sandbox/skills/x/SKILL.md"), (found) => found.length > 0);
  });

  test("are there for a client that can do nothing but show them", async () => {
    const { client, config } = await started({ [NAME]: SOUND.replace('"boxd"', '"boxdd"') }, ["."], {});
    await client.findings(config, has("sandbox/unknown-backend"));
    await client.end();
    expect(client.said).not.toContain("failed");
  });

  test("go with the folder, but for what is open of it", async () => {
    const broken = SOUND.replace('"boxd"', '"boxdd"');
    const { client, cwd } = await started({ [`a/${NAME}`]: broken, [`a/b/${NAME}`]: broken }, ["a"]);
    const [first, second] = [join(cwd, "a", NAME), join(cwd, "a/b", NAME)];
    for (const config of [first, second]) await client.findings(config, has("sandbox/unknown-backend"));
    await client.open(second, broken);
    await client.removeFolder(join(cwd, "a"));
    await client.findings(first, (found) => found.length === 0);
    await client.findings(second, has("sandbox/unknown-backend"));
  });

  test("follow what is typed, in the config, in `.env` and in a skill, and go when the file is closed unsaved", async () => {
    const { client, config, env, cwd } = await started({
      [NAME]: SOUND,
      ".env": "",
      "sandbox/skills/x/SKILL.md": "---\nname: x\ndescription: d\n---\n",
    });
    await client.open(config, SOUND);
    await client.findings(config, lacks("sandbox/unknown-backend"));
    await client.replace(config, '"boxd" }', '"boxed" }');
    const [finding] = (await client.findings(config, has("sandbox/unknown-backend"))).filter(
      ({ code }) => code === "sandbox/unknown-backend",
    );
    expect(client.textAt(config, (finding as Diagnostic).range)).toBe('"boxed"');
    await client.close(config);
    await client.findings(config, lacks("sandbox/unknown-backend"));
    await client.open(env, "");
    await client.type(
      env,
      { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      "CAPABILITY_SECRET=x\n",
    );
    await client.findings(env, has("env-file/too-short"));
    const skill = join(cwd, "sandbox/skills/x/SKILL.md");
    await client.open(skill, "---\nname: x\ndescription: d\n---\n");
    await client.replace(skill, "description: d\n", "");
    await client.findings(skill, (found) => found.length > 0);
  });

  test("count UTF-16 units, CRLF and a byte order mark as editors do", async () => {
    const text = `\uFEFF{ "note😀": 1,\r\n  "🦊🦊": { "x": 1 },\r\n  "target": "docker"\r\n}`;
    const { client, config } = await started({ [NAME]: text });
    const unopened = await client.findings(config, has("config/unknown-key"));
    expect(unopened.filter(({ code }) => code === "config/unknown-key").map(({ range }) => range.start)).toEqual([
      { line: 0, character: 2 },
      { line: 1, character: 2 },
    ]);
    await client.open(config, text.slice(1));
    await client.replace(config, '"target"', '"tarGet"');
    const found = await client.findings(
      config,
      (all) => all.filter(({ code }) => code === "config/unknown-key").length === 3,
    );
    const pieces = found
      .filter(({ code }) => code === "config/unknown-key")
      .map(({ range }) => client.textAt(config, range));
    expect(pieces).toEqual(['"note😀"', '"🦊🦊"', '"tarGet"']);
  });

  test("follow the disk: a changed `.env`, a config that is removed and comes back", async () => {
    const { client, config, env } = await started({ [NAME]: SOUND, ".env": "" });
    await client.findings(config, has("sandbox/refused-by-qm"));
    writeFileSync(env, "CAPABILITY_SECRET=x\n");
    await client.changedOnDisk(env);
    await client.findings(env, has("env-file/too-short"));
    rmSync(config);
    await client.changedOnDisk(config);
    expect(await client.findings(config, (found) => found.length === 0)).toEqual([]);
    expect(await client.findings(env, (found) => found.length === 0)).toEqual([]);
    writeFileSync(config, SOUND);
    await client.changedOnDisk(config);
    await client.findings(env, has("env-file/too-short"));
  });

  test("of a config that is on no disk yet, and of one that is too large", async () => {
    const { client, cwd } = await started({});
    const config = join(cwd, "new", NAME);
    await client.open(config, "{");
    await client.findings(config, (found) => found.length > 0);
    await client.type(
      config,
      { start: { line: 0, character: 1 }, end: { line: 0, character: 1 } },
      " ".repeat(1024 * 1024),
    );
    await client.findings(config, has("input/too-large"));
  });
});

describe("fixes", () => {
  test("one by one, and all that are safe; each leaves the rest of the text alone", async () => {
    const text = SOUND.replace('"backend": "boxd"', '"app": "x", "backend": "boxd", "baseImage": "y"').replaceAll(
      "\n",
      "\r\n",
    );
    const { client, config } = await started({ [NAME]: text });
    await client.open(config, text);
    await client.findings(config, has("sandbox/fly-only-field"));
    const actions = await client.actions(config, client.rangeOf(config, '"app"'), ["quickfix"]);
    expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([["remove `sandbox.app`", true]]);
    await client.apply(config, actions[0] as (typeof actions)[0]);
    expect(client.text(config)).toBe(text.replace('"app": "x", ', ""));
    const whole = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const [all, ...others] = await client.actions(config, whole, ["source.fixAll"]);
    expect([all?.kind, others]).toEqual(["source.fixAll.qm-deploy", []]);
    await client.apply(config, all as (typeof actions)[0]);
    expect(client.text(config)).toBe(SOUND.replaceAll("\n", "\r\n"));
    await client.findings(config, lacks("sandbox/fly-only-field"));
    expect(await client.actions(config, whole, ["source.fixAll"])).toEqual([]);
  });

  test("of what is suppressed there are none", async () => {
    const lines = '// qm-deploy-ignore config/other-target -- the fly deployment follows\n"flyOrg": "x",\n"orgId":';
    const text = SOUND.replace('"orgId":', lines);
    const { client, config } = await started({ [NAME]: text });
    await client.open(config, text);
    await client.findings(config, lacks("config/other-target"));
    const at = client.rangeOf(config, '"flyOrg"');
    expect(await client.actions(config, at, ["quickfix"])).toEqual([]);
    await client.replace(config, "qm-deploy-ignore", "ignored");
    await client.findings(config, has("config/other-target"));
    expect(await client.actions(config, at, ["quickfix"])).toHaveLength(1);
  });
});

describe("what is known of things", () => {
  test("hover explains fields, settings, backends and secrets, with the reasons of rules, and never a value of `.env`", async () => {
    const text = SOUND.replace('"backend": "boxd"', '"app": "x", "backend": "boxd"').replace(
      '"env": {',
      '"secretEnv": { "core": { "ADMIN_GRANTS": "ACME_GRANTS" } },\n  "env": {',
    );
    const { client, config, env } = await started({
      [NAME]: text,
      ".env": `ANTHROPIC_API_KEY=${CANARY}\nACME_GRANTS=${CANARY}\n`,
    });
    await client.open(config, text);
    expect(await client.hover(config, client.within(config, '"HARNESS"'))).toMatch(
      /env\.core\.HARNESS: a field[^]*takes +.*`pi`[^]*decides +core\.HARNESS/,
    );
    expect(await client.hover(config, client.within(config, '"boxd"'))).toMatch(
      /sandbox\.backend: a field[^]*takes +one of .*sprites[^]*boxd: the sandbox backend/,
    );
    expect(await client.hover(config, client.within(config, '"ACME_GRANTS"'))).toMatch(
      /ACME_GRANTS: a secret, required/,
    );
    expect(await client.hover(config, client.within(config, '"app"'))).toMatch(
      /\*\*sandbox\/fly-only-field\*\* .+\n\n\[docs\/rules\.md/,
    );
    await client.open(env, readFileSync(env, "utf8"));
    expect(await client.hover(env, { line: 0, character: 3 })).toMatch(
      /ANTHROPIC_API_KEY: a secret, required[^]*in \.env +yes/,
    );
    expect(await client.hover(env, { line: 0, character: 25 })).toBe("");
    expect(client.said).not.toContain(CANARY.slice(4, 20));
  });

  test("definition leads from a secret's name to its line in `.env`, back, and from a service to its blocks", async () => {
    const text = SOUND.replace('"env": {', '"secretEnv": { "core": { "ADMIN_GRANTS": "ACME_GRANTS" } },\n  "env": {');
    const { client, config, env } = await started({ [NAME]: text, ".env": "A=1\nACME_GRANTS=x\n" });
    await client.open(config, text);
    expect(await client.definition(config, client.within(config, '"ACME_GRANTS"'))).toEqual([
      { uri: pathToFileURL(env).href, range: { start: { line: 1, character: 0 }, end: { line: 1, character: 11 } } },
    ]);
    const blocks = await client.definition(config, client.within(config, '"core", '));
    expect(blocks.map(({ range }) => client.textAt(config, range))).toEqual(['"core"', '"core"', '"core"']);
    await client.open(env, "A=1\nACME_GRANTS=x\n");
    const [place] = await client.definition(env, { line: 1, character: 2 });
    expect(client.textAt(config, place?.range as Diagnostic["range"])).toBe('"ADMIN_GRANTS"');
  });
});

describe("completion", () => {
  test("of a word takes the place of the whole one, without a snippet", async () => {
    const text = '{ "target": "fl" }';
    const { client, config } = await started({ [NAME]: text });
    await client.open(config, text);
    const items = await client.completion(config, client.within(config, '"fl"'));
    expect(items.map(({ label }) => label)).toEqual(["docker", "fly", "aws"]);
    expect(items[1]).toMatchObject({ filterText: '"fly"', textEdit: { newText: '"fly"' } });
    expect(items[1]).not.toHaveProperty("insertTextFormat");
  });

  test("in `.env` offers what it lacks, with what it is for", async () => {
    const { client, env } = await started({ [NAME]: SOUND, ".env": "BOXD_API_KEY=x\nANTH" });
    await client.open(env, "BOXD_API_KEY=x\nANTH");
    const items = await client.completion(env, { line: 1, character: 4 });
    const item = items.find(({ label }) => label === "ANTHROPIC_API_KEY");
    expect(item).toMatchObject({ detail: "required", textEdit: { newText: "ANTHROPIC_API_KEY=" } });
    expect(items.map(({ label }) => label)).not.toContain("BOXD_API_KEY");
    expect(await client.completion(env, { line: 0, character: 14 })).toEqual([]);
  });

  test("of a name takes the place of what is half written, and of nothing else", async () => {
    const text = '{ "env": { "core": { "HAR" } } }';
    const { client, config } = await started({ [NAME]: text });
    await client.open(config, text);
    const item = (await client.completion(config, client.within(config, '"HAR"'))).find(
      ({ label }) => label === "HARNESS",
    );
    const edit = item?.textEdit as { readonly range: Diagnostic["range"]; readonly newText: string };
    expect(client.textAt(config, edit.range)).toBe('"HAR"');
    expect(edit.newText).toBe('"HARNESS": "$0"');
    expect(item?.documentation).toMatchObject({ kind: "markdown", value: expect.stringMatching(/Takes/) });
  });
});

describe("the end", () => {
  test("comes with status 0 when the client says so", async () => {
    const { client } = await started({ [NAME]: SOUND });
    expect(await client.end()).toBe(0);
  });

  test("comes by itself when the client is gone", async () => {
    const { client } = await started({ [NAME]: SOUND });
    client.process.stdin.end();
    expect(await client.ended).toBe(1);
  });

  test.each(["nonsense\r\n\r\n", 'Content-Length: 9\r\n\r\n{"jsonrpc', 'Content-Length: 17\r\n\r\n{"jsonrpc":"2.0"}'])(
    "malformed input is no crash of ours: %j",
    async (text) => {
      const { client, config } = await started({ [NAME]: SOUND });
      await client.findings(config, has("sandbox/refused-by-qm"));
      client.process.stdin.write(text);
      client.process.stdin.end();
      expect(await client.ended).toBe(1);
      expect(client.said).not.toMatch(/fault of qm-deploy|at .*\.cjs:\d+/);
    },
  );
});
