import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyChanges } from "../../../src/config/edit.ts";
import { loadConfig } from "../../../src/config/load.ts";
import type { Deployment } from "../../../src/deployment/deployment.ts";
import type { DeploymentInputs } from "../../../src/deployment/inputs.ts";
import { resolveDeployment } from "../../../src/deployment/resolve.ts";
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { applyFixes } from "../../../src/rules/apply-fixes.ts";
import { blockingDiagnostics, type Operation } from "../../../src/rules/blocking.ts";
import { ALL_RULES, findRule } from "../../../src/rules/registry.ts";
import { MOST_OF_A_RULE, runRules } from "../../../src/rules/run-rules.ts";
import { ALL_SUPPRESSION_RULES } from "../../../src/rules/suppression/rules.ts";
import { suppressibility, whyNever } from "../../../src/rules/suppression/suppressible.ts";
import { checkDeployment, checkSecretValues } from "../../../src/views/check.ts";
import { diffDeployments } from "../../../src/views/diff/diff.ts";
import { sourcesOf } from "../../../src/workspace/load-deployment.ts";
import { runs } from "../../support/runs.ts";

/** A deployment with warnings and infos on lines of their own. */
const LINES = [
  "{",
  '  "contract": 1,',
  '  "orgId": "acme",',
  '  "publicUrl": "https://qm.example.com",',
  '  "target": "docker",',
  '  "modelProvider": "anthropic",',
  '  "services": ["core", "web-ui", "web-ui"],',
  '  "region": "sjc",',
  '  "imageOverrides": { "core": "ghcr.io/acme/qm-core:1" },',
  '  "env": {',
  '    "core": {',
  '      "HARNESS": "pi",',
  '      "WORKRES": "4",',
  '      "DOCS": "https://docs.example.com"',
  "    }",
  "  },",
  '  "sandbox": {',
  '    "backend": "boxd"',
  "  }",
  "}",
];
const TEXT = `${LINES.join("\n")}\n`;

function deployment(text: string, more: Partial<DeploymentInputs> & { readonly package?: unknown } = {}): Deployment {
  const config = { file: "qm.config.jsonc", text };
  const manifest = { devDependencies: { "@yc-software/qm": "0.1.12" }, qmDeploy: more.package };
  const inputs: DeploymentInputs = {
    config,
    directory: ".",
    envFile: null,
    packageFiles: [{ file: "package.json", text: JSON.stringify(manifest, null, 2), relation: "own" }],
    sandboxTree: [],
    pluginsTree: [],
    skillsPaths: [],
    flags: { release: null, target: null },
    ...more,
  };
  return resolveDeployment(inputs, loadConfig(config));
}

const ENV_FILE = { file: ".env", text: "", mode: 0o600 };

function found(text: string, more?: Parameters<typeof deployment>[1]): Diagnostic[] {
  return runRules(deployment(text, more));
}

/** A finding without its place, which moves when a comment is put in. */
function said({ rule, severity, message, range }: Diagnostic): string {
  return JSON.stringify([rule, severity, message, range?.start.column ?? null]);
}

function ofRule(all: readonly Diagnostic[], family: string): Diagnostic[] {
  return all.filter(({ rule }) => rule.startsWith(family));
}

describe("suppressing", () => {
  const placed = found(TEXT).filter(({ file, range }) => file === "qm.config.jsonc" && range !== null);

  test("has something to suppress", () => {
    expect(new Set(placed.map(({ rule }) => rule)).size).toBeGreaterThan(6);
    expect(placed.every(({ severity }) => severity !== "error")).toBe(true);
  });

  test("any of the findings changes none of the others, and taking the comments out brings all back", () => {
    const styles = ["above", "behind", "block"] as const;
    const chosen = fc.array(fc.tuple(fc.integer({ min: 0, max: placed.length - 1 }), fc.constantFrom(...styles)), {
      maxLength: placed.length,
    });
    fc.assert(
      fc.property(chosen, fc.constantFrom("\n", "\r\n"), (picks, lineBreak) => {
        const comments = new Map<string, (typeof styles)[number]>();
        for (const [at, style] of picks) comments.set(`${placed[at]?.range?.start.line} ${placed[at]?.rule}`, style);
        const lines = LINES.flatMap((line, index) => {
          const here = [...comments].flatMap(([key, style]) => {
            const [number, rule] = key.split(" ");
            return Number(number) === index + 1 ? [[rule as string, style] as const] : [];
          });
          const above = here
            .filter(([, style]) => style !== "behind")
            .map(([rule, style]) =>
              style === "above"
                ? `  // qm-deploy-ignore ${rule} -- it is fine`
                : `/* qm-deploy-ignore ${rule} -- it is fine */`,
            );
          const behind = here.filter(([, style]) => style === "behind").map(([rule]) => rule);
          return [
            ...above,
            behind.length === 0 ? line : `${line} // qm-deploy-ignore ${behind.join(" ")} -- it is fine`,
          ];
        });
        const now = found(lines.join(lineBreak));
        expect(now.map(said).sort()).toEqual(found(TEXT).map(said).sort());
        const isPicked = ({ rule, range }: Diagnostic): boolean => comments.has(`${range?.start.line} ${rule}`);
        const silenced = now.filter(({ suppression }) => suppression !== undefined);
        expect(silenced.map(said).sort()).toEqual(placed.filter(isPicked).map(said).sort());
        for (const { suppression } of silenced) expect(suppression?.reason).toBe("it is fine");
      }),
      { numRuns: runs(20, 200) },
    );
  });

  test("the fix of an idle one takes back exactly what writing it put in", () => {
    const idle = fc.constantFrom("aws/region", "fly/region", "plugins/idle-directory");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LINES.length - 1 }), idle, fc.boolean(), (at, rule, isBehind) => {
        const comment = `// qm-deploy-ignore ${rule} -- once`;
        const lines = isBehind ? LINES.with(at, `${LINES[at]} ${comment}`) : LINES.toSpliced(at, 0, `    ${comment}`);
        const { deployment: fixed, applied } = applyFixes(deployment(`${lines.join("\n")}\n`), "safe");
        expect(applied).toContain("remove the suppression");
        const without = applyFixes(deployment(TEXT), "safe");
        expect(fixed.inputs.config.text).toBe(without.deployment.inputs.config.text);
      }),
      { numRuns: runs(12, 120) },
    );
  });

  test("fixes leave what is suppressed alone, and what else is idle goes", () => {
    const commented = TEXT.replace(
      '"web-ui", "web-ui"],',
      '"web-ui", "web-ui"], // qm-deploy-ignore services/duplicate -- soon gone',
    )
      .replace(
        '"region": "sjc",',
        '"region": "sjc", // qm-deploy-ignore config/other-target fly/region -- on its way to fly',
      )
      .replace('      "WORKRES"', '      // qm-deploy-ignore aws/region -- idle\n      "WORKRES"');
    const { deployment: fixed, diagnostics } = applyFixes(deployment(commented), "all");
    const { text } = fixed.inputs.config;
    expect(text).toContain('"web-ui", "web-ui"], // qm-deploy-ignore services/duplicate -- soon gone');
    expect(text).toContain('"region": "sjc", // qm-deploy-ignore config/other-target -- on its way to fly');
    expect(text).toContain('"WORKERS": "4"');
    expect(text).not.toContain("aws/region");
    expect(ofRule(diagnostics, "suppression/")).toEqual([]);
    expect(ofRule(diagnostics, "services/duplicate")[0]?.suppression?.reason).toBe("soon gone");
  });

  test("a misspelt rule is put right by --fix=all alone, in its place", () => {
    const written = TEXT.replace('"sjc",', '"sjc", // qm-deploy-ignore config/other-tarqet -- later');
    expect(applyFixes(deployment(written), "safe").deployment.inputs.config.text).toContain("other-tarqet");
    const { deployment: fixed, diagnostics } = applyFixes(deployment(written), "all");
    expect(fixed.inputs.config.text).toContain('"region": "sjc", // qm-deploy-ignore config/other-target -- later');
    expect(ofRule(diagnostics, "config/other-target")[0]?.suppression?.reason).toBe("later");
  });

  test("edits keep a comment with its line", () => {
    const written = TEXT.replace(
      '      "WORKRES"',
      '      // qm-deploy-ignore settings/unknown-name -- ours\n      "WORKRES"',
    ).replace('"region": "sjc",', '"region": "sjc", // qm-deploy-ignore config/other-target -- later');
    const edited = applyChanges(written, [
      { kind: "set", path: ["env", "core", "AAA"], value: "1" },
      { kind: "set", path: ["env", "core", "WORKRES"], value: "5" },
      { kind: "remove", path: ["env", "core", "HARNESS"] },
      { kind: "set", path: ["region"], value: "iad" },
      { kind: "set", path: ["basePort"], value: 8080 },
      { kind: "remove", path: ["orgId"] },
    ]);
    if (!edited.ok) throw new Error(edited.reason);
    const reasons = found(edited.text).flatMap(({ rule, suppression }) =>
      suppression === undefined ? [] : [[rule, suppression.reason]],
    );
    expect(reasons).toEqual([
      ["config/other-target", "later"],
      ["settings/unknown-name", "ours"],
    ]);
    expect(ofRule(found(edited.text), "suppression/")).toEqual([]);
  });
});

test("a reason shows no secret", () => {
  const secret = ["sk-ant-", "api03-", "Ab1".repeat(31)].join("");
  const known = "Correct4Horse-Battery";
  const comment = (reason: string): string => `  "region": "sjc", // qm-deploy-ignore config/other-target -- ${reason}`;
  const written = TEXT.replace('  "region": "sjc",', comment(`as ${secret} and ${known} allow`));
  const judged = deployment(written, { envFile: { ...ENV_FILE, text: `BOXD_API_KEY=${known}\n` } });
  const view = checkDeployment(judged);
  expect(view.diagnostics.map(({ suppression }) => suppression?.reason)).toContain("as [hidden] and [hidden] allow");
  const compared = diffDeployments({ named: "a", deployment: deployment(TEXT) }, { named: "b", deployment: judged });
  expect(compared.suppressions.added.map(({ reason }) => reason)).toEqual(["as [hidden] and [hidden] allow"]);
});

describe("what .env keeps is in nothing that people wrote of a suppression", () => {
  const WORDS = ["qwertyuiopasdf12", "hunter2", "Summer2024!", "correct-horse-battery", "tiny", 'say "it" twice'];

  /** All that any reporter, frame or comparison is given. */
  function everything(text: string, env: string, ignore: readonly object[] = []): string {
    const manifest = { ignore };
    const judged = deployment(text, { envFile: { ...ENV_FILE, text: env }, package: manifest });
    const { diagnostics } = checkDeployment(judged);
    const sources = [...sourcesOf(judged)].filter(([file]) => file !== ".env");
    const compared = diffDeployments(
      { named: "a", deployment: deployment(TEXT) },
      { named: "b", deployment: deployment(text, { package: manifest, envFile: { ...ENV_FILE, text: env } }) },
    );
    // What a fix writes keeps what the file says.
    const raw = runRules(judged).map((one) => ({ ...one, fix: null }));
    return JSON.stringify([diagnostics, raw, sources, compared]);
  }

  test.each(WORDS)("%s", (word) => {
    const env = `POSTGRES_PASSWORD='${word}'\n`;
    const behind = (comment: string): string => TEXT.replace('"sjc",', `"sjc", ${comment}`);
    const written = JSON.stringify(word).slice(1, -1);
    for (const comment of [
      `// qm-deploy-ignore config/other-target -- it is (${word})`,
      `// qm-deploy-ignore config/other-target aws/region -- it is ${word} or so`,
      `/* qm-deploy-ignore config/other-target --\n * ${word}\n */`,
      `// qm-deploy-ignore -- ${word}`,
      `// qm-deploy-ignore config/${word.replaceAll(/\s+/g, "-")} -- x`,
      `/* qm-deploy-ignore config/${word}/x -- x */`,
    ]) {
      if (!comment.includes(word)) continue;
      const all = everything(behind(comment), env);
      expect(all.includes(word) || all.includes(written), comment).toBe(false);
    }
    const all = everything(TEXT, env, [
      { rule: "config/other-target", reason: `as ${word} says` },
      { rule: "aws/region", path: `env["${word}"]`, reason: "x" },
      { rule: `config/${word}`, reason: "x" },
      { rule: word, reason: "x" },
    ]);
    for (const form of [word, written, JSON.stringify(written).slice(1, -1)]) expect(all).not.toContain(form);
  });

  test("under a name that no rule knows, from seven characters on", () => {
    const env = "# qm-deploy-ignore env-file/unused-name -- was Summer2024! before, on sjc at 8080\nFOO=Summer2024!\n";
    const judged = deployment(TEXT, { envFile: { ...ENV_FILE, text: `${env}BAR=sjc\nBAZ=8080\n` } });
    const [found] = ofRule(runRules(judged), "env-file/unused-name");
    expect(found?.suppression?.reason).toBe("was [hidden] before, on sjc at 8080");
  });

  test("a short one stays where it is a piece of a word", () => {
    const text = TEXT.replace('"sjc",', '"sjc", // qm-deploy-ignore config/other-target -- destiny is tiny');
    const judged = deployment(text, { envFile: { ...ENV_FILE, text: "BOXD_API_KEY=tiny\n" } });
    expect(ofRule(runRules(judged), "config/other-target")[0]?.suppression?.reason).toBe("destiny is [hidden]");
  });
});

describe("what is called idle", () => {
  const idleOf = (all: readonly Diagnostic[]): string[] =>
    ofRule(all, "suppression/idle").map(({ message }) => message);
  const above = (comment: string): string => TEXT.replace('  "sandbox"', `  ${comment}\n  "sandbox"`);

  test.each([
    ["a rule that finds nothing there", above("// qm-deploy-ignore aws/region -- x"), {}, true],
    [
      "under another release",
      above("// qm-deploy-ignore aws/region -- x"),
      { flags: { release: "0.1.12", target: null } },
      false,
    ],
    [
      "under another target",
      above("// qm-deploy-ignore aws/region -- x"),
      { flags: { release: null, target: "aws" } },
      false,
    ],
    [
      "under its own target",
      above("// qm-deploy-ignore aws/region -- x"),
      { flags: { release: null, target: "docker" } },
      true,
    ],
    ["what only others show", above("// qm-deploy-ignore boxd/shared-machines -- x"), {}, false],
    ["what rests on .env", above("// qm-deploy-ignore env-file/none -- x"), { envFile: ENV_FILE }, false],
    [
      "in a text that does not parse",
      above("// qm-deploy-ignore aws/region -- x").replace('"sjc",', '"sjc"'),
      {},
      false,
    ],
    ["an entry without .env", TEXT, { package: { ignore: [{ rule: "aws/region", reason: "x" }] } }, false],
    ...["env.core", "imageOverrides.core", "x0", "a..b[", ".//qm.config.jsonc"].map(
      (path) =>
        [
          `an entry about ${path} without .env`,
          TEXT,
          { package: { ignore: [{ rule: "aws/region", path, reason: "x" }] } },
          true,
        ] as const,
    ),
    ...[".env", "./.env", ".", "./"].map(
      (path) =>
        [
          `an entry about ${path} without it`,
          TEXT,
          { package: { ignore: [{ rule: "aws/region", path, reason: "x" }] } },
          false,
        ] as const,
    ),
    [
      "an entry beside .env",
      TEXT,
      { package: { ignore: [{ rule: "aws/region", reason: "x" }] }, envFile: ENV_FILE },
      true,
    ],
  ] as const)("%s", (_title, text, more, isIdle) => expect(idleOf(found(text, more)).length > 0).toBe(isIdle));

  test.each([
    ["above a value of several lines", "// qm-deploy-ignore sandbox/core-image -- x", undefined, null],
    [
      "above a value of several lines",
      "// qm-deploy-ignore sandbox/open-egress aws/region -- x",
      undefined,
      "remove the suppression, or put it right above line 19, where `sandbox/open-egress` is found",
    ],
    [
      "at another path",
      "",
      { rule: "config/other-target", path: "orgId", reason: "x" },
      "remove the suppression, or let `path` name the place where `config/other-target` is found, `qm.config.jsonc:8`",
    ],
  ])("is to be moved where its rule finds something elsewhere: %s, %s", (_title, comment, entry, help) => {
    const idle = ofRule(
      found(above(comment), { package: { ignore: entry === undefined ? [] : [entry] } }),
      "suppression/idle",
    );
    expect(idle.map((one) => one.help)).toEqual([help ?? "remove the suppression"]);
    expect(idle[0]?.fix !== null).toBe(help === null);
  });

  test("a package.json that is no JSON suppresses as little as it pins", () => {
    const text = '{ "qmDeploy": { "ignore": [{ "rule": "config/other-target", "reason": "x" }] }, }';
    const all = found(TEXT, { packageFiles: [{ file: "package.json", text, relation: "own" }] });
    expect(ofRule(all, "config/other-target").map(({ suppression }) => suppression)).toEqual([undefined]);
    expect(ofRule(all, "release/package-json")).toHaveLength(1);
  });

  test("a rule that failed makes nothing idle", () => {
    const broken = {
      id: "aws/region",
      title: "t",
      why: "w",
      bad: "",
      good: "",
      check: () => void JSON.parse(""),
    } as const;
    expect(idleOf(runRules(deployment(above("// qm-deploy-ignore fly/region -- x")), [broken]))).toEqual([]);
  });
});

test.each([
  [{ path: "." }, []],
  [{ path: "./" }, []],
  [{ path: ".//qm.config.jsonc" }, []],
  [{ path: "./region" }, ["suppression/idle"]],
  [{ foo: 1 }, ["suppression/form"]],
  [{ paht: "env.core" }, ["suppression/form"]],
  [{ reason: "\u200b" }, ["suppression/reason"]],
  [{ reason: "--" }, ["suppression/reason"]],
] as const)("an entry with %j", (more, problems) => {
  const all = found(TEXT, { package: { ignore: [{ rule: "config/other-target", reason: "later", ...more }] } });
  expect(ofRule(all, "suppression/").map(({ rule }) => rule)).toEqual(problems);
  const isCovered = ofRule(all, "config/other-target").every(({ suppression }) => suppression !== undefined);
  expect(isCovered).toBe(problems.length === 0);
});

test("a comparison counts the errors of suppressions, as check does", () => {
  const faulty = TEXT.replace('"sjc",', '"sjc", // qm-deploy-ignore config/other-target');
  const { from, to } = diffDeployments(
    { named: "a", deployment: deployment(TEXT) },
    { named: "b", deployment: deployment(faulty) },
  );
  expect([from.errors, to.errors]).toEqual([0, 1]);
});

describe("what cannot be suppressed", () => {
  const OPERATIONS: readonly Operation[] = ["render", "render --secrets", "sandbox build", "sandbox publish"];

  test("is what stops render or publish, gives a secret away, or is about suppressions", () => {
    const rules = ALL_RULES.map(({ id }) => id);
    const entries = rules.map((rule) => ({ rule, reason: "all of it" }));
    const secret = ["sk-ant-", "api03-", "Ab1".repeat(31)].join("");
    const faulty = TEXT.replace('"sjc"', `"${secret}"`)
      .replace('"contract": 1', '"contract": 2')
      .replace('"HARNESS": "pi"', '"HARNESS": "pi", "ANTHROPIC_API_KEY": "x"');
    for (const text of [faulty, faulty.replace('"acme",', '"acme"')]) {
      const all = found(text, { package: { ignore: entries }, envFile: { ...ENV_FILE, text: "A\n", mode: 0o644 } });
      const silenced = all.filter(({ suppression }) => suppression !== undefined);
      expect(silenced.length).toBeGreaterThan(3);
      const judged = deployment(text, { envFile: ENV_FILE });
      for (const operation of OPERATIONS) expect(blockingDiagnostics(operation, silenced, judged)).toEqual([]);
      for (const { severity } of silenced) expect(severity).not.toBe("error");
      const open = all.filter(({ suppression }) => suppression === undefined).map(({ rule }) => rule);
      expect(open).toEqual(expect.arrayContaining(["config/contract", "env-file/mode", "suppression/not-allowed"]));
    }
  });

  test("the strict form of what .env lacks is never suppressed", () => {
    const fly = TEXT.replace('"docker"', '"fly"');
    const more = { package: { ignore: [{ rule: "env-file/none", reason: "in the store" }] } };
    expect(ofRule(found(fly, more), "env-file/none")[0]?.suppression?.reason).toBe("in the store");
    const strict = checkSecretValues(deployment(fly, more)).filter(({ rule }) => rule === "env-file/none");
    expect(strict.map(({ severity, suppression }) => [severity, suppression])).toEqual([["error", undefined]]);
  });

  test.each([
    ["sandbox/core-image", "yes"],
    ["sandbox/open-egress", "yes"],
    ["boxd/shared-machines", "yes"],
    ["config/wrong-type", "not where it is an error, which stops `render`"],
    ["env-file/too-short", "not where it is an error, which stops `render --secrets`"],
    ["env-file/mode", "no, as a secret would be given away"],
    ["secrets/secret-value", "no, as a secret would be given away"],
    ["syntax/comma", "no, as it is about text that does not parse"],
    ["render/too-large", "no, as it stops `render`"],
    ["input/missing", "no, as a file that cannot be used is not judged at all"],
    ["internal/fault", "no, as it is a fault of qm-deploy itself"],
    ["suppression/idle", "no, as it is about a suppression itself"],
  ])("%s: %s", (id, text) => {
    const rule = findRule(id);
    if (rule === undefined) throw new Error(id);
    expect(suppressibility(rule).text).toBe(text);
  });

  test("no suppression can be suppressed", () => {
    for (const rule of ALL_SUPPRESSION_RULES) expect(whyNever(rule)).not.toBeNull();
  });
});

test("an older id is another's nowhere, and finds its rule", () => {
  const older = ALL_RULES.flatMap(({ id, formerly = [] }) => formerly.map((each) => [each, id] as const));
  expect(older.length).toBeGreaterThan(3);
  expect(new Set([...older.map(([id]) => id), ...ALL_RULES.map(({ id }) => id)]).size).toBe(
    older.length + ALL_RULES.length,
  );
  for (const [id, now] of older) expect(findRule(id)?.id).toBe(now);
});

test.each(ALL_SUPPRESSION_RULES)("$id: its examples show it", ({ id, bad, good }) => {
  const [head = "", ...rest] = LINES;
  const judged = (fragment: string): string[] => {
    const inner = fragment.slice(fragment.indexOf("{") + 1, fragment.lastIndexOf("}"));
    const keys = [...inner.matchAll(/"(\w+)":/g)].map(([, key]) => `"${key}"`);
    const kept = rest.filter((line) => !keys.some((key) => line.startsWith(`  ${key}`)));
    // What the fragment holds comes last: it has no comma behind it.
    const text = [head, ...kept.slice(0, -2), `${kept.at(-2)},`, inner, "}"].join("\n");
    return found(text).map(({ rule }) => rule);
  };
  expect(judged(bad)).toContain(id);
  expect(judged(good)).not.toContain(id);
});

test("as many comments as findings are matched in linear time, and none of them hides another finding", () => {
  const many = runs(2000, 10_000);
  const names = Array.from({ length: many }, (_, at) => `"N${at}": "1"`);
  const withEntries = (isSuppressed: (at: number) => boolean): string =>
    TEXT.replace(
      '      "HARNESS": "pi",\n',
      `      "HARNESS": "pi",\n${names.map((line, at) => (isSuppressed(at) ? `${line}, // qm-deploy-ignore aws/region -- x` : `${line},`)).join("\n")}\n`,
    );
  const all = found(withEntries(() => true));
  expect(ofRule(all, "suppression/idle")).toHaveLength(MOST_OF_A_RULE + 1);
  const entries = Array.from({ length: many }, () => ({ rule: "syntax/comma", reason: "x" }));
  expect(ofRule(found(TEXT, { package: { ignore: entries } }), "suppression/not-allowed")).toHaveLength(
    MOST_OF_A_RULE + 1,
  );
});

test("what is suppressed does not count to what is listed of a rule", () => {
  const many = MOST_OF_A_RULE + 50;
  const plugins = Array.from(
    { length: many },
    (_, at) => `      "BOXD_N${at}": "1",${at < many - 3 ? " // qm-deploy-ignore settings/unknown-name -- x" : ""}`,
  );
  const all = ofRule(
    found(TEXT.replace('      "HARNESS": "pi",\n', `      "HARNESS": "pi",\n${plugins.join("\n")}\n`)),
    "settings/unknown-name",
  );
  const open = all.filter(({ suppression }) => suppression === undefined);
  // Three of these, and WORKRES.
  expect(open).toHaveLength(4);
  const silenced = all.filter(({ suppression }) => suppression !== undefined);
  expect(silenced).toHaveLength(MOST_OF_A_RULE + 1);
  expect(silenced.some(({ message }) => message.includes("47 more findings"))).toBe(true);
});
