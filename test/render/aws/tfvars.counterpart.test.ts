import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hclValue, type HclValue } from "../../../src/render/aws/hcl.ts";
import { readTfvars } from "../../../src/render/aws/tfvars-document.ts";
import { renderTfvars } from "../../../src/render/aws/tfvars.ts";
import { answers } from "../../support/programs.ts";
import { example, renderWith } from "../support.ts";

const TERRAFORM = answers("terraform", ["version"]);

/** What terraform makes of a tfvars file, by variable. */
function terraformValues(names: readonly string[], tfvars: string): { readonly [name: string]: unknown } {
  const directory = mkdtempSync(join(tmpdir(), "qm-tfvars-"));
  const declare = names
    .map((name) => `variable "${name}" { type = any }\noutput "${name}" { value = var.${name} }\n`)
    .join("");
  writeFileSync(join(directory, "main.tf"), declare);
  writeFileSync(join(directory, "terraform.tfvars"), tfvars);
  const options = { cwd: directory, encoding: "utf8", env: { ...process.env, CHECKPOINT_DISABLE: "1" } } as const;
  for (const args of [
    ["init", "-input=false"],
    ["apply", "-auto-approve", "-input=false"],
  ]) {
    const run = spawnSync("terraform", args, options);
    if (run.status !== 0) throw new Error(run.stderr);
  }
  const outputs = JSON.parse(spawnSync("terraform", ["output", "-json"], options).stdout) as {
    [name: string]: { value: unknown };
  };
  return Object.fromEntries(Object.entries(outputs).map(([name, output]) => [name, output.value]));
}

const TRICKY = [
  "${path.root}",
  "%{ if true }x%{ endif }",
  "$${x}",
  "$",
  "%",
  'a"b\\c',
  "line\nbreak\ttab\r",
  "\u007f\u0085\u2028",
  "EOT",
  "# no comment",
  "// none",
  "é漢😀",
  "",
];

describe.skipIf(!TERRAFORM)("terraform as reader (skipped without terraform)", () => {
  test("gets back every string that was written", () => {
    const random = fc.sample(
      fc.string({ unit: "grapheme" }).map((text) => text.normalize("NFC")),
      { numRuns: 150, seed: 7 },
    );
    const strings = [...TRICKY, ...random.filter((text) => text.isWellFormed() && !text.includes("\0"))];
    const value: HclValue = {
      list: strings,
      map: Object.fromEntries(strings.slice(0, 20).map((text, at) => [`${text}${at}`, text])),
    };
    expect(terraformValues(["v"], `v = ${hclValue(value)}\n`)["v"]).toEqual(value);
  });

  test("gets back the derived variables, and fmt has nothing to change", () => {
    const text = renderWith(renderTfvars, example("aws-boxd")).artifacts[0]?.text ?? "";
    const names = readTfvars(text).flatMap((part) => (part.kind === "assignment" ? [part.name] : []));
    const values = terraformValues(names, text);
    expect(values).toMatchObject({
      org_id: "acme",
      cluster_name: "acme-qm",
      secrets_prefix: "acme-qm/",
      deploy_microvm_image: "acme-apps",
    });
    expect(values["secret_names"]).toContain("BOXD_API_KEY");
    expect(Object.keys(values["services"] as object)).toEqual(["core", "portal", "web-ui"]);
    const directory = mkdtempSync(join(tmpdir(), "qm-fmt-"));
    writeFileSync(join(directory, "x.tfvars"), text);
    expect(spawnSync("terraform", ["fmt", "-check", "-diff", directory], { encoding: "utf8" }).stdout).toBe("");
  });
});
