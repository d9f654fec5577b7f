import { expect, test } from "vitest";
import { deployed, DEPLOYMENTS, driftOf, filesOf, told } from "./rig.ts";

test.each(Object.entries(DEPLOYMENTS))("%s, once deployed, does not drift", async (_, make) => {
  const deployment = make();
  expect(Object.keys(filesOf(deployment))).not.toEqual([]);
  expect(told(await driftOf(deployment, deployed(deployment)))).toEqual([]);
});
