import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import type { RuleId } from "../../src/diagnostics/rule-ids.generated.ts";
import type { RuleInfo } from "../../src/diagnostics/rule-info.ts";
import { type Piece, shown } from "../../src/base/shown.ts";
import { githubReporter } from "../../src/diagnostics/reporters/github.ts";
import { jsonReporter } from "../../src/diagnostics/reporters/json.ts";
import { junitReporter } from "../../src/diagnostics/reporters/junit.ts";
import { prettyReporter } from "../../src/diagnostics/reporters/pretty.ts";
import type { Palette, ReporterOptions } from "../../src/diagnostics/reporters/reporter.ts";
import { fileUri, sarifReporter } from "../../src/diagnostics/reporters/sarif.ts";
import { type DeploymentView, type DiagnosticView, unreadDeployment } from "../../src/diagnostics/view.ts";
import { SARIF_SCHEMA } from "./sarif-schema.ts";
import { deployment, finding, OPTIONS, printed } from "./views.ts";

const TEXT = '{\n  "orgId": "acme",\n  "sandbox": { "app": "x" }\n}\n';
const ERROR = finding(
  {
    rule: "sandbox/fly-only-field",
    message: "`sandbox.app` does nothing, 100%\nhere",
    fix: { safety: "safe", title: "remove `sandbox.app`" },
  },
  TEXT,
  '"app"',
);
const WARNING = finding({ severity: "warning", rule: "sandbox/core-image" });
const NOTE = finding({ severity: "info", rule: "release/range" }, TEXT, '"orgId"');

describe("json", () => {
  test("prints one object with the keys of the design, in order", () => {
    const secret = {
      name: "BOXD_API_KEY",
      required: true,
      managedBy: "operator",
      reason: "`sandbox.backend` is `boxd`",
      destinations: [{ workload: "core", env: "BOXD_API_KEY" }],
    };
    const object = JSON.parse(printed(jsonReporter(), [deployment([ERROR, WARNING, NOTE], { secrets: [secret] })]));
    expect(Object.keys(object)).toEqual(["version", "ok", "summary", "deployments"]);
    expect(object).toMatchObject({
      version: 1,
      ok: false,
      summary: { deployments: 1, errors: 1, warnings: 1, infos: 1, suppressed: 0, fixed: 0 },
    });
    const [first] = object.deployments;
    expect(Object.keys(first)).toEqual(["config", "target", "release", "sandbox", "ok", "secrets", "diagnostics"]);
    expect(first.secrets).toEqual([secret]);
    expect(Object.keys(first.diagnostics[0])).toEqual([
      "rule",
      "clause",
      "severity",
      "message",
      "help",
      "command",
      "file",
      "range",
      "related",
      "fix",
      "suppression",
      "docs",
    ]);
    expect(first.diagnostics[0].range).toEqual({
      start: { line: 3, column: 16, offset: 36 },
      end: { line: 3, column: 21, offset: 41 },
    });
    expect(first.diagnostics[1].range).toBeNull();
  });

  test("is one object for no deployment, one and many", () => {
    for (const count of [0, 1, 3]) {
      const text = printed(
        jsonReporter(),
        Array.from({ length: count }, () => deployment([ERROR])),
      );
      expect(JSON.parse(text).deployments).toHaveLength(count);
      expect(text.endsWith("}\n")).toBe(true);
    }
  });

  test("what could not be determined is null, never absent", () => {
    const { deployments } = JSON.parse(printed(jsonReporter(), [unreadDeployment("a", [finding()])]));
    expect(deployments[0]).toMatchObject({
      target: null,
      release: { pinned: null, resolved: null, source: null },
      sandbox: { declared: null, backend: null, selected: [] },
      secrets: [],
    });
  });
});

describe("github", () => {
  test("escapes messages and properties", () => {
    const found = finding({ file: "a,b:c%.jsonc", message: "50% of\nlines", help: "do" }, TEXT, '"app"');
    expect(printed(githubReporter(OPTIONS), [deployment([found])])).toBe(
      "::error file=a%2Cb%3Ac%25.jsonc,line=3,endLine=3,col=16,endColumn=21,title=config/wrong-type::50%25 of\\nlines%0Ado\n" +
        "failed: deployments 1, errors 1, warnings 0, infos 0, suppressed 0\n",
    );
  });

  test("a finding about a whole file has no line; notes are notices; the prefix leads to the checkout's root", () => {
    const text = printed(githubReporter({ ...OPTIONS, fileName: (file) => `deploy/${file}` }), [
      deployment([WARNING, NOTE]),
    ]);
    expect(text).toContain("::warning file=deploy/qm.config.jsonc,title=sandbox/core-image::");
    expect(text).toContain("::notice file=deploy/qm.config.jsonc,line=2,");
  });

  test("ten of a kind become annotations, the rest plain lines after a count", () => {
    const many = Array.from({ length: 13 }, (_, at) => finding({ message: `::error::number ${at}` }));
    const lines = printed(githubReporter(OPTIONS), [deployment(many)]).split("\n");
    expect(lines.filter((line) => line.startsWith("::"))).toHaveLength(10);
    expect(lines[10]).toBe("3 more of severity error without an annotation (GitHub shows 10 per step):");
    expect(lines[11]).toBe("error: qm.config.jsonc: \\x3a:error::number 10 (config/wrong-type)");
  });
});

describe("sarif", () => {
  const ajv = addFormats.default(new Ajv({ allErrors: true }));
  const validate = ajv.compile(SARIF_SCHEMA);
  const rules = new Map<RuleId, RuleInfo>([
    [
      "sandbox/core-image",
      {
        id: "sandbox/core-image",
        title: "T",
        severity: "warning",
        clause: "config.v1",
        why: "Why",
        bad: "{}",
        good: "{}",
      },
    ],
  ]);

  test("is valid and refers to the rules that it describes", () => {
    const log = JSON.parse(printed(sarifReporter({ ...OPTIONS, rules }), [deployment([ERROR, WARNING, NOTE, ERROR])]));
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    const [run] = log.runs;
    expect(run.results.map((result: any) => run.tool.driver.rules[result.ruleIndex].id)).toEqual(
      run.results.map((result: any) => result.ruleId),
    );
    expect(run.tool.driver.rules.map(({ id }: any) => id)).toEqual([
      "sandbox/fly-only-field",
      "sandbox/core-image",
      "release/range",
    ]);
    expect(run.tool.driver.rules[1].defaultConfiguration.level).toBe("warning");
    expect(run.results.map(({ level }: any) => level)).toEqual(["error", "warning", "note", "error"]);
  });

  test("is valid without findings", () => {
    expect(validate(JSON.parse(printed(sarifReporter(OPTIONS), [deployment([])])))).toBe(true);
  });

  test.each([
    ["qm.config.jsonc", "qm.config.jsonc"],
    ["my app/qm.config.jsonc", "my%20app/qm.config.jsonc"],
    ["https:x/y", "https%3Ax/y"],
    ["<stdin>", "%3Cstdin%3E"],
    ["50%#?.jsonc", "50%25%23%3F.jsonc"],
    ["über/漢", "%C3%BCber/%E6%BC%A2"],
    ["\ud800", "%EF%BF%BD"],
    ["../out", "../out"],
    ["", "."],
  ])("file %j is uri %s", (file, uri) => {
    expect(fileUri(file)).toBe(uri);
    expect(ajv.validate({ type: "string", format: "uri-reference" }, uri)).toBe(true);
  });
});

describe("junit", () => {
  test("one case per rule, failures and passing cases apart, XML escaped", () => {
    const odd = finding({ rule: "config/wrong-type", message: "<b> & \"c\" 'd' \u0000" });
    expect(
      printed(junitReporter(OPTIONS), [
        deployment([odd, odd, WARNING]),
        deployment([], { config: "b/qm.config.jsonc" }),
      ]),
    ).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="qm-deploy" tests="3" failures="1">',
        '  <testsuite name="qm.config.jsonc" tests="2" failures="1">',
        '    <testcase classname="qm.config.jsonc" name="config/wrong-type">',
        '      <failure type="config/wrong-type" message="&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; \\x00">qm.config.jsonc: error: &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; \\x00; make it right',
        "qm.config.jsonc: error: &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; \\x00; make it right</failure>",
        "    </testcase>",
        '    <testcase classname="qm.config.jsonc" name="sandbox/core-image">',
        "      <system-out>qm.config.jsonc: warning: `a` is wrong; make it right</system-out>",
        "    </testcase>",
        "  </testsuite>",
        '  <testsuite name="b/qm.config.jsonc" tests="1" failures="0">',
        '    <testcase classname="b/qm.config.jsonc" name="check"/>',
        "  </testsuite>",
        "</testsuites>",
        "",
      ].join("\n"),
    );
  });

  test("under strict a warning is a failure", () => {
    expect(printed(junitReporter({ ...OPTIONS, strict: true }), [deployment([WARNING])])).toContain('failures="1"');
  });
});

describe("pretty", () => {
  test("shows place, frame, help and fix, how to learn more, then the verdict", () => {
    expect(printed(prettyReporter(OPTIONS), [deployment([ERROR, WARNING])], { "qm.config.jsonc": TEXT })).toBe(
      [
        "qm.config.jsonc:3:16  error  `sandbox.app` does nothing, 100%\\nhere  sandbox/fly-only-field",
        '    2 |   "orgId": "acme",',
        '  > 3 |   "sandbox": { "app": "x" }',
        "      |                ^^^^^",
        "    4 | }",
        "    help: make it right",
        "    fix:  remove `sandbox.app` (`--fix` does it)",
        "",
        "qm.config.jsonc  warning  `a` is wrong  sandbox/core-image",
        "    help: make it right",
        "",
        "why a rule is there: qm-deploy explain sandbox/fly-only-field",
        "",
        "failed  qm.config.jsonc (docker, release 0.1.12, boxd): 1 error, 1 warning",
        "",
      ].join("\n"),
    );
  });

  const isShown = (text: string) => (name: string) => text.includes(`\`${name}\``);
  const NAMES = Array.from({ length: 14 }, (_, at) => `name${at}`);
  const aboutAll = (more: Partial<DiagnosticView>): DeploymentView[] =>
    Array.from({ length: 30 }, (_, at) => {
      const file = `d${at}/qm.config.jsonc`;
      const names = at === 29 ? NAMES : NAMES.slice(0, 2);
      return deployment(
        names.map((name) => finding({ file, message: `\`${name}\` is wrong`, help: `mend ${name}`, ...more })),
        { config: file },
      );
    });

  test.each([
    ["errors", { severity: "error" }, false, 14],
    ["warnings that fail the run", { severity: "warning" }, true, 14],
    ["other warnings", { severity: "warning" }, false, 11],
  ] as const)("of %s, each message has one line, however many deployments have others", (_, more, strict, count) => {
    const text = printed(prettyReporter({ ...OPTIONS, strict }), aboutAll(more));
    expect(NAMES.filter(isShown(text))).toHaveLength(count);
    const lines = text.split("\n");
    expect(lines.filter((line) => line.includes("`name1`"))).toEqual([
      "      d0/qm.config.jsonc, d1/qm.config.jsonc, d2/qm.config.jsonc, and 27 more (30 deployments)  `name1` is wrong; mend name1",
    ]);
    expect(lines.filter((line) => line.includes("`name2`"))).toEqual([
      "      d29/qm.config.jsonc  `name2` is wrong; mend name2",
    ]);
    expect(text).toContain("d10/qm.config.jsonc, and 19 more (30 deployments)\n    13 more like it:\n");
    expect(lines.some((line) => line === "      and 3 more")).toBe(count === 11);
  });

  test("advice that differs only in the name of a file makes no other message", () => {
    const files = ["a/.env", "b/.env", "c/.env"];
    const found = files.map((file) => finding({ file, help: `run \`chmod 600 ${file}\`` }));
    const text = printed(prettyReporter(OPTIONS), [deployment(found)]);
    expect(text).toContain("    help: run `chmod 600 a/.env`\n    also: b/.env, c/.env\n\n");
    const other = finding({ file: "d/.env", help: "ask `b`" });
    expect(printed(prettyReporter(OPTIONS), [deployment([...found, other])])).toContain(
      "    1 more like it:\n      d/.env  `a` is wrong; ask `b`\n",
    );
  });

  test("of infos of a deployment, each message has a line", () => {
    const infos = ["a", "b", "b"].map((name) => finding({ severity: "info", message: `\`${name}\` is so` }));
    for (const all of [[deployment(infos)], [deployment(infos), deployment([])]]) {
      const text = printed(prettyReporter(OPTIONS), all);
      expect(text.split("\n").slice(0, 3)).toEqual([
        "qm.config.jsonc  info  `a` is so  config/wrong-type",
        "qm.config.jsonc  info  `b` is so  config/wrong-type  (and 1 more)",
        "",
      ]);
    }
  });

  test("sums up several deployments", () => {
    const text = printed(prettyReporter(OPTIONS), [
      deployment([]),
      deployment([NOTE], { config: "b/qm.config.jsonc" }),
    ]);
    expect(text.split("\n").slice(-3)).toEqual(["", "passed  2 deployments: 1 info", ""]);
  });

  test("of a deployment that failed, the place to begin at is named, be it a whole file", () => {
    const [missing, unread] = [finding({ file: "a/.env" }), finding({ rule: "input/unreadable", file: "c" })];
    const all = [
      deployment([missing], { config: "a/qm.config.jsonc" }),
      deployment([], { config: "b/qm.config.jsonc" }),
      deployment([unread], { config: "c" }),
    ];
    expect(printed(prettyReporter(OPTIONS), all).trimEnd().split("\n").slice(-3)).toEqual([
      "failed  a/qm.config.jsonc: 1 error, first at a/.env",
      "failed  c: 1 error",
      "failed  2 of 3 deployments: 2 errors",
    ]);
  });

  test.each([
    [["qm.config.jsonc"], ""],
    [["<stdin>"], ""],
    [["acme corp/qm.config.jsonc"], "where to run commands: in the deployment's directory, as after cd 'acme corp'\n"],
    [
      ["a/qm.config.jsonc", "b/qm.config.jsonc"],
      "where to run commands: in the deployment's directory, as after cd a\n",
    ],
  ])("says where to run what deployments elsewhere need: %j", (configs, where) => {
    const command = "qm-deploy secrets set BOXD_API_KEY";
    const all = configs.map((config) => deployment([finding({ command })], { config }));
    const said = (more: Partial<ReporterOptions>): string => printed(prettyReporter({ ...OPTIONS, ...more }), all);
    expect(said({})).toContain(`\n\n${where}why a rule is there: `);
    expect(said({ detail: "quiet" })).not.toContain("where to run");
    const others = configs.map((config) => deployment([finding({ command: "openssl rand -hex 32" })], { config }));
    expect(printed(prettyReporter(OPTIONS), others)).not.toContain("where to run");
  });

  test("colours only what the palette colours", () => {
    const mark = (name: string) => (text: Piece) => shown`<${name}>${text}</>`;
    const palette: Palette = {
      error: mark("e"),
      warning: mark("w"),
      info: mark("i"),
      good: mark("g"),
      strong: mark("s"),
      faint: mark("f"),
    };
    const text = printed(prettyReporter({ ...OPTIONS, palette }), [deployment([WARNING])]);
    expect(text).toContain("<s>qm.config.jsonc</>  <w>warning</>");
    expect(text).toContain("<g>passed</>");
  });

  test("a command is shown once: in the help where that names it, else by itself", () => {
    const named = finding({ help: "run `chmod 600 .env`", command: "chmod 600 .env" });
    const further = finding({ help: "pin it", command: "docker buildx imagetools inspect a:1" });
    const pretty = printed(prettyReporter(OPTIONS), [deployment([named, { ...further, rule: "sandbox/core-image" }])]);
    expect(pretty.match(/chmod 600/g)).toHaveLength(1);
    expect(pretty).toContain("    help: pin it\n    run:  docker buildx imagetools inspect a:1\n");
    for (const make of [githubReporter, junitReporter, sarifReporter]) {
      const text = printed(make(OPTIONS), [deployment([named, further])]);
      expect(text.match(/chmod 600/g)).toHaveLength(1);
      expect(text).toContain("pin it (run `docker buildx imagetools inspect a:1`)");
    }
  });

  test("a frame of an env file never shows a value, nor does one of a secret rule", () => {
    const env = "BOXD_API_KEY=hunter2\n";
    const config = '{ "env": { "core": { "SMTP": "hunter3" } } }';
    const found = [
      finding({ file: ".env" }, env, "BOXD_API_KEY"),
      finding({ file: "prod.env", rule: "env-file/too-short" }, env, "BOXD_API_KEY"),
      finding({ rule: "secrets/secret-value" }, config, '"SMTP"'),
    ];
    const text = printed(prettyReporter(OPTIONS), [deployment(found)], {
      ".env": env,
      "prod.env": env,
      "qm.config.jsonc": config,
    });
    expect(text).not.toContain("hunter");
    expect(text.match(/•••/g)).toHaveLength(3);
  });
});
