import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTfvars, tfvarsText } from "../../../src/render/aws/tfvars-document.ts";
import { renderTfvars } from "../../../src/render/aws/tfvars.ts";
import { example, renderWith } from "../support.ts";
import { runs } from "../../support/runs.ts";

function tfvarsOf(name: string, existing: string | null = null): string {
  const rendered = renderWith(renderTfvars, example(name), { existingTfvars: existing });
  expect(rendered.refusals).toEqual([]);
  return rendered.artifacts[0]?.text ?? "";
}

describe("an existing file", () => {
  const EXISTING = [
    "# our notes\r\n",
    'github_repository = "acme/qm" # ours\r\n',
    '/* block\r\n   org_id = "commented" */\r\n',
    'org_id = "stale" # whose\r\n',
    "certificate_arn = <<EOT\r\nnot = a\r\nEOT\r\n",
    "db_multi_az = true // keep\r\n",
    'services = {\r\n  "gone" = { a = [1, "}"] }\r\n}\r\n',
    'org_id = "twice"\r\n',
  ].join("");

  test("keeps operator values and comments byte for byte, and rendering again changes nothing", () => {
    const text = tfvarsOf("aws-boxd", EXISTING);
    for (const kept of [
      "# our notes\r\n",
      'github_repository = "acme/qm" # ours\r\n',
      '/* block\r\n   org_id = "commented" */\r\n',
      "certificate_arn = <<EOT\r\nnot = a\r\nEOT\r\n",
      "db_multi_az = true // keep\r\n",
    ]) {
      expect(text).toContain(kept);
    }
    expect(text).toContain('org_id = "acme" # whose\r\n');
    expect(text).not.toContain("stale");
    expect(text).not.toContain("twice");
    expect(text).not.toContain("gone");
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(tfvarsOf("aws-boxd", text)).toBe(text);
  });

  test("is split without losing a byte, whatever it holds", () => {
    const fragment = fc.constantFrom(
      "a = 1",
      "b = <<E",
      "E",
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      "#",
      "//",
      "/*",
      "*/",
      "=",
      "==",
      " ",
      "\n",
      "\r\n",
      "$",
      "x",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fragment, fc.string()), { maxLength: 40 }), (fragments) => {
        const text = fragments.join("");
        expect(tfvarsText(readTfvars(text))).toBe(text);
      }),
      { numRuns: runs(50, 500) },
    );
  });
});
