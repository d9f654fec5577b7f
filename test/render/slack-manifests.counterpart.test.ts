import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { yamlText } from "../../src/render/yaml-text.ts";
import { answers, DEBIAN_PYTHON } from "../support/programs.ts";
import { oddDocuments } from "./odd-documents.ts";

const PYYAML = answers(DEBIAN_PYTHON, ["-c", "import yaml"]);

/** What PyYAML, a YAML 1.1 reader, makes of texts. */
function yaml11(texts: readonly string[]): readonly unknown[] {
  const program = "import json, sys, yaml\nprint(json.dumps([yaml.safe_load(text) for text in json.load(sys.stdin)]))";
  const run = spawnSync(DEBIAN_PYTHON, ["-c", program], { input: JSON.stringify(texts), encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as unknown[];
}

test.skipIf(!PYYAML)("a reader of YAML 1.1 gets the same data back (skipped without PyYAML)", () => {
  const samples = oddDocuments();
  expect(yaml11(samples.map((sample) => yamlText(sample)))).toEqual(samples);
});
