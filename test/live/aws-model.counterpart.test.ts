import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answers, DEBIAN_PYTHON } from "../support/programs.ts";
import { type Answers, deployed, DEPLOYMENTS, type RenderedDeployment } from "./rig.ts";

const BOTOCORE = answers(DEBIAN_PYTHON, ["-c", "import botocore"]);

/** What botocore's model of an operation's output says of values, each as a text that is empty where it fits. */
function judged(operation: string, values: readonly unknown[]): string[] {
  const script = join(import.meta.dirname, "../support/botocore-validate.py");
  const { stdout } = spawnSync(DEBIAN_PYTHON, [script, operation, "output"], {
    input: JSON.stringify(values),
    encoding: "utf8",
  });
  return JSON.parse(stdout) as string[];
}

test.skipIf(!BOTOCORE)(
  "botocore's model of ECS knows what tests take for its answers (skipped without python3-botocore)",
  () => {
    const all: Answers[] = ["aws-boxd", "aws-lambda"].map((name) =>
      deployed((DEPLOYMENTS[name] as () => RenderedDeployment)()),
    );
    const kinds = {
      ListServices: all.map(({ listServices }) => listServices),
      DescribeServices: all.map(({ describeServices }) => describeServices),
      DescribeTaskDefinition: all.flatMap(({ describeTaskDefinition }) => describeTaskDefinition),
    };
    for (const [operation, values] of Object.entries(kinds))
      expect(judged(operation, values), operation).toEqual(values.map(() => ""));
    // The positive control: the model does refuse what is wrong.
    const broken = { taskDefinition: { cpu: 1, containerDefinitions: [{ enviroment: [] }] } };
    expect(judged("DescribeTaskDefinition", [broken])[0]).toMatch(/enviroment|cpu/);
  },
);
