/** The library that needs text alone, against the same deployments read from disk. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tidyPath } from "../../src/base/relative-path.ts";
import {
  checkText,
  explainText,
  explainTextAt,
  fixText,
  renderText,
  secretsOfText,
  type TextOptions,
} from "../../src/pure.ts";
import { checkDeployment, checkSecretValues } from "../../src/views/check.ts";
import { explain } from "../../src/views/explain/explain.ts";
import { explanationText } from "../../src/views/explain/text.ts";
import { firstRender } from "../../src/views/artifacts.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { filesBelow } from "../support/files-below.ts";
import { type CaseArgs, findCases, inCaseDirectory } from "../support/load-case.ts";
import { runs } from "../support/runs.ts";

const ROOT = join(import.meta.dirname, "../..");
const CASES = join(ROOT, "test/cases");
const EXAMPLES = readdirSync(join(ROOT, "examples")).filter((name) => name !== "library");

/** What a directory holds as text; null where that says less than the disk: links, permission bits, texts that are none. */
function textsIn(directory: string): { readonly config: string; readonly options: TextOptions } | null {
  const { files, linked } = filesBelow(directory);
  const { "qm.config.jsonc": config = null, ".env": env, ...rest } = files;
  return linked || config === null || env === null ? null : { config, options: { env, files: rest } };
}

/** Rules about what text cannot hold: the permission bits of a file. */
const ABOUT_MODES = new Set(["env-file/mode", "sandbox/undelivered-file"]);

describe("as the command judges a directory", () => {
  const compared: string[] = [];

  test.each(findCases(CASES))("%s", async (name) => {
    const { args = {}, input } = JSON.parse(readFileSync(join(CASES, name, "expected.json"), "utf8")) as {
      readonly args?: CaseArgs;
      readonly input?: string;
    };
    await inCaseDirectory(input === undefined ? join(CASES, name, "input") : join(ROOT, input), args, (cwd) => {
      const texts = textsIn(cwd);
      const { deployment } = loadDeployment(".", { cwd, ...args });
      if (texts === null || deployment === undefined) return;
      compared.push(name);
      const fromDisk = checkDeployment(deployment);
      const fromText = checkText(texts.config, { ...texts.options, release: args.release, target: args.target });
      const withoutModes = ({ diagnostics }: typeof fromDisk) =>
        diagnostics.filter(({ rule }) => !ABOUT_MODES.has(rule));
      expect(withoutModes(fromText)).toEqual(withoutModes(fromDisk));
      expect({ ...fromText, diagnostics: [], ok: null }).toEqual({ ...fromDisk, diagnostics: [], ok: null });
    });
  });

  test("most cases can be compared", () => expect(compared.length).toBeGreaterThan(findCases(CASES).length * 0.8));
});

describe.each(EXAMPLES)("%s", (name) => {
  const directory = join(ROOT, "examples", name);
  const { config, options } = textsIn(directory) as NonNullable<ReturnType<typeof textsIn>>;
  const { deployment } = loadDeployment(".", { cwd: directory });
  if (deployment === undefined) throw new Error(`${name} cannot be read`);

  test("is rendered as from disk", () => {
    const rendered = renderText(config, options);
    const { artifacts, notes } = firstRender(deployment);
    expect(rendered.artifacts.map(({ name: at, text }) => [at, text])).toEqual(
      artifacts.map(({ name: at, text }) => [at, text]),
    );
    expect(rendered.artifacts.length).toBeGreaterThan(5);
    expect(rendered.notes).toEqual(notes);
    expect(rendered.ok).toBe(true);
    expect(rendered.target).toBe(deployment.target);
  });

  test.each(["sandbox.backend", "core.SANDBOX_BACKEND", "BOXD_API_KEY", "HARNESS", "services", "boxd", "0.1.12"])(
    "explains %s as from disk",
    (thing) => {
      const { subjects, text, meant } = explainText(config, thing, options);
      const fromDisk = explain(thing, { deployment, checked: null });
      expect(subjects.map(({ kind }) => kind)).toEqual(fromDisk.map(({ kind }) => kind));
      expect(text).toBe(fromDisk.length === 0 ? "" : explanationText(fromDisk).text);
      expect(fromDisk.length === 0 || meant === null).toBe(true);
    },
  );

  test("has the same secrets as from disk", () => {
    const { secrets, findings } = secretsOfText(config, options);
    expect(secrets.map((secret) => secret.name)).toEqual(deployment.secrets.map((secret) => secret.name));
    expect(findings.map(({ rule }) => rule)).toEqual(checkSecretValues(deployment).map(({ rule }) => rule));
  });
});

const CONFIG = readFileSync(join(ROOT, "examples/docker-boxd/qm.config.jsonc"), "utf8");
const CANARY = "sk-ant-api03-Zx81QpLm4Wv7NcRt2Bh9Ks6Dj3Fg5Ty0";

describe("values and errors", () => {
  test("a secret of `.env` is in no answer", () => {
    const options = { env: `ANTHROPIC_API_KEY=${CANARY}\nBOXD_API_KEY=${CANARY}x\nCORE_SIGNING_SECRET=short\n` };
    const answers = JSON.stringify([
      checkText(CONFIG, options),
      renderText(CONFIG, options),
      secretsOfText(CONFIG, options),
      ...["ANTHROPIC_API_KEY", "core.ANTHROPIC_API_KEY", "env-file/too-short"].map((thing) =>
        explainText(CONFIG, thing, options),
      ),
    ]);
    expect(answers).toContain("ANTHROPIC_API_KEY");
    expect(answers).not.toContain(CANARY);
  });

  test("nothing is rendered of a config that holds a secret", () => {
    const config = CONFIG.replace('"HARNESS": "pi",', `"HARNESS": "pi", "FOO_TOKEN": "${CANARY}",`);
    const { ok, artifacts, findings } = renderText(config);
    expect([ok, artifacts]).toEqual([false, []]);
    expect(JSON.stringify(findings)).not.toContain(CANARY);
    expect(findings.some(({ clause }) => clause === "config.no-secret-values")).toBe(true);
  });

  test("a config without a target is refused by name, and one with errors still shows what can be made", () => {
    const none = renderText('{ "contract": 1 }');
    expect(none.ok).toBe(false);
    expect(none.refusals.map(({ artifact }) => artifact)).toContain("manifest.json");
    const broken = renderText(CONFIG.replace('"target": "docker"', '"target": "docker", "tarGet": 1'));
    expect(broken.ok).toBe(false);
    expect(broken.findings.length).toBeGreaterThan(0);
    expect(broken.artifacts.length).toBeGreaterThan(0);
  });

  test("a text that is too large is one finding everywhere", () => {
    const large = `${CONFIG}${" ".repeat(1024 * 1024)}`;
    const rules = (diagnostics: readonly { rule: string }[]) => diagnostics.map(({ rule }) => rule);
    expect(rules(checkText(large).diagnostics)).toEqual(["input/too-large"]);
    expect(rules(renderText(large).findings)).toEqual(["input/too-large"]);
    expect(rules(secretsOfText(CONFIG, { env: large }).findings)).toEqual(["input/too-large"]);
    expect(explainText(large, "nothing.at.all")).toEqual({ subjects: [], text: "", sheets: [], meant: null });
    expect(explainText(large, "boxd").subjects).toHaveLength(1);
    expect(fixText(large, "all")).toEqual({ text: large, applied: [] });
  });

  test("what stands at an offset is explained as its names are, at the key or the value that it is in", () => {
    const cases = [
      ['"backend"', '"backend"', ["sandbox.backend", "boxd"]],
      ['"boxd"', '"boxd"', ["sandbox.backend", "boxd"]],
      ['"BOXD_VCPU"', '"BOXD_VCPU"', ["env.core.BOXD_VCPU"]],
      ['"web-ui"]', '"web-ui"', ["services[1]"]],
    ] as const;
    for (const [found, text, names] of cases) {
      const { range, things, sheets, subjects } = explainTextAt(CONFIG, CONFIG.lastIndexOf(found) + 1) ?? {};
      expect(CONFIG.slice(range?.start.offset, range?.end.offset)).toBe(text);
      expect(things).toEqual(names);
      expect(subjects).toEqual(things?.flatMap((thing) => explainText(CONFIG, thing).subjects));
      expect(sheets?.map(({ heading }) => heading).join()).toContain(names[0]);
    }
    expect(explainTextAt(CONFIG, 3)).toBeNull();
    expect(explainTextAt("", 0)).toBeNull();
  });

  test("the text of an explanation is its sheets, laid out", () => {
    const { text, sheets } = explainText(CONFIG, "BOXD_API_KEY");
    const facts = sheets.flatMap((sheet) => sheet.facts);
    expect(facts.length).toBeGreaterThan(4);
    for (const { title, lines } of facts) for (const line of [title, ...lines]) expect(text).toContain(line);
    for (const { heading } of sheets) expect(text).toContain(`${heading}\n`);
  });

  test("a misspelt name gets the one that was meant", () => {
    expect(explainText(CONFIG, "sandbox.bakend").meant).toBe("sandbox.backend");
  });

  test.each(["", "{", "[]", "\0", "\uFEFF{}", '{ "target": { } }', '{ "services": [{}], "skills": ["../x", "", 3] }'])(
    "%j never throws",
    (text) => {
      const options = { env: text, files: { "sandbox/tools/x/tool.json": text, "package.json": text, "": text } };
      for (const call of [checkText, renderText, secretsOfText]) expect(() => call(text, options)).not.toThrow();
      expect(() => fixText(text, "all", options)).not.toThrow();
      expect(() => explainText(text, text, options)).not.toThrow();
    },
  );
});

describe("fixes", () => {
  const BROKEN = CONFIG.replace('"target": "docker"', '"target": "docker" "basePort": "8080"');

  test("of one finding make that change alone, and the finding is gone", () => {
    const config = CONFIG.replace('"sandbox": { "backend": "boxd"', '"sandbox": { "app": "x", "backend": "boxd"');
    const finding = checkText(config).diagnostics.find(({ rule }) => rule === "sandbox/fly-only-field");
    if (finding === undefined) throw new Error("no finding to fix");
    const { text, applied } = fixText(config, finding);
    expect(applied).toEqual(["remove `sandbox.app`"]);
    expect(text).toBe(CONFIG);
    expect(fixText(text, finding)).toEqual({ text, applied: [] });
  });

  test("all of them leave nothing that has a fix", () => {
    const { text, applied } = fixText(BROKEN, "all");
    expect(applied.length).toBeGreaterThan(1);
    expect(checkText(text).diagnostics.filter(({ fix }) => fix !== null)).toEqual([]);
    expect(fixText(BROKEN, "safe").text).not.toBe(BROKEN);
  });
});

test("a tidy path is what resolving would make of it", () => {
  const step = fc.constantFrom("a", "b", ".", "..", "");
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      const path = steps.join("/");
      const resolved = new URL(`http://x/1/2/3/4/5/6/7/8/${path.replace(/^\/+/, "")}`.replace(/(?<!:)\/{2,}/g, "/"));
      const tidy = tidyPath(path);
      const inside = resolved.pathname.replace(/\/$/, "");
      const depth = steps.reduce(
        ([at, least], one) => {
          const next =
            one === ".." ? (at as number) - 1 : one === "" || one === "." ? (at as number) : (at as number) + 1;
          return [next, Math.min(least as number, next)];
        },
        [0, 0],
      )[1] as number;
      if (path.startsWith("/") || depth < 0) expect(tidy).toBeNull();
      else expect(`/1/2/3/4/5/6/7/8${tidy === "." ? "" : `/${tidy}`}`).toBe(inside);
    }),
    { numRuns: runs(100, 1_000) },
  );
});
