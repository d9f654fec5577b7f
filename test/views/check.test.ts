import { expect, test } from "vitest";
import { checkDeployment, checkInputs } from "../../src/views/check.ts";
import { deploymentOf } from "../support/fragment.ts";

test("a check of files finds what a check of the deployment in them finds", () => {
  const deployment = deploymentOf('{ "sandbox": { "backend": "boxed" } }', { env: "CAPABILITY_SECRET=x\n" });
  const view = checkInputs(deployment.inputs, { strict: true });
  expect(view).toEqual(checkDeployment(deployment, { strict: true }));
  expect(view.diagnostics.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(["sandbox/unknown-backend", "env-file/too-short"]),
  );
});
