import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderTaskDefinitions } from "../../../src/render/aws/task-definition.ts";
import { answers, DEBIAN_PYTHON } from "../../support/programs.ts";
import { example, renderWith } from "../support.ts";

const BOTOCORE = answers(DEBIAN_PYTHON, ["-c", "import botocore"]);

test.skipIf(!BOTOCORE)("botocore's model of ECS accepts every definition (skipped without python3-botocore)", () => {
  const all = ["aws-boxd", "aws-lambda"].flatMap((name) =>
    renderWith(renderTaskDefinitions, example(name)).artifacts.map(({ text }) => JSON.parse(text) as object),
  );
  expect(all.length).toBeGreaterThan(4);
  const broken = { ...all[0], memroy: "1", cpu: 1 };
  const run = spawnSync(DEBIAN_PYTHON, [join(import.meta.dirname, "../../support/botocore-validate.py")], {
    input: JSON.stringify([...all, broken]),
    encoding: "utf8",
  });
  const reports = JSON.parse(run.stdout) as string[];
  expect(reports.slice(0, -1)).toEqual(all.map(() => ""));
  // The positive control: the validator does refuse what is wrong.
  expect(reports.at(-1)).toMatch(/memroy[^]*cpu/);
});
