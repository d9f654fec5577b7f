import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { githubReporter } from "../../src/diagnostics/reporters/github.ts";
import { jsonReporter } from "../../src/diagnostics/reporters/json.ts";
import { junitReporter } from "../../src/diagnostics/reporters/junit.ts";
import { prettyReporter } from "../../src/diagnostics/reporters/pretty.ts";
import { sarifReporter } from "../../src/diagnostics/reporters/sarif.ts";
import { SARIF_SCHEMA } from "./sarif-schema.ts";
import { deployment, finding, OPTIONS, printed } from "./views.ts";

const OPEN = finding({ severity: "warning", rule: "sandbox/no-backend", message: "open" });
const BY_COMMENT = finding({
  severity: "warning",
  rule: "sandbox/core-image",
  message: "silent",
  suppression: { reason: "our own <image>", file: "qm.config.jsonc", line: 3 },
});
const BY_ENTRY = finding({
  severity: "info",
  rule: "sandbox/open-egress",
  message: "silent too",
  suppression: { reason: "agreed", file: "package.json", line: 7 },
});
const RUN = [deployment([OPEN, BY_COMMENT, BY_ENTRY])];
const STRICT = { ...OPTIONS, strict: true };

describe("what is suppressed", () => {
  test("json has it, and counts it as nothing else", () => {
    const { summary, deployments } = JSON.parse(printed(jsonReporter(), RUN));
    expect(summary).toEqual({ deployments: 1, errors: 0, warnings: 1, infos: 0, suppressed: 2, fixed: 0 });
    expect(deployments[0].diagnostics.map(({ suppression }: any) => suppression)).toEqual([
      null,
      { reason: "our own <image>", file: "qm.config.jsonc", line: 3 },
      { reason: "agreed", file: "package.json", line: 7 },
    ]);
  });

  test("pretty counts it, and lists it with the reasons where that is asked for", () => {
    const text = printed(prettyReporter(OPTIONS), RUN);
    expect(text).not.toContain("silent");
    expect(text).toMatch(/: 1 warning, 2 suppressed\n$/);
    expect(printed(prettyReporter({ ...OPTIONS, showSuppressed: true }), RUN)).toContain(
      [
        "qm.config.jsonc  suppressed warning  silent  sandbox/core-image",
        "    reason: our own <image> (qm.config.jsonc:3)",
        "qm.config.jsonc  suppressed info  silent too  sandbox/open-egress",
        "    reason: agreed (package.json:7)",
      ].join("\n"),
    );
  });

  test("sarif says of every result whether it is suppressed, by what and why", () => {
    const log = JSON.parse(printed(sarifReporter(OPTIONS), RUN));
    const validate = addFormats.default(new Ajv({ strict: false })).compile(SARIF_SCHEMA);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    const at = (uri: string, startLine: number) => ({
      physicalLocation: { artifactLocation: { uri }, region: { startLine } },
    });
    expect(log.runs[0].results.map(({ suppressions }: any) => suppressions)).toEqual([
      [],
      [{ kind: "inSource", justification: "our own <image>", location: at("qm.config.jsonc", 3) }],
      [{ kind: "external", justification: "agreed", location: at("package.json", 7) }],
    ]);
  });

  test("annotations and junit leave it out", () => {
    const github = printed(githubReporter(STRICT), RUN);
    expect(github.match(/^::/gm)).toHaveLength(1);
    expect(github).toMatch(/warnings 1, infos 0, suppressed 2\n$/);
    const junit = printed(junitReporter(STRICT), RUN);
    expect(junit).toContain('tests="1" failures="1"');
    expect(junit).not.toContain("silent");
    expect(printed(junitReporter(STRICT), [deployment([BY_COMMENT])])).toContain('tests="1" failures="0"');
  });
});
