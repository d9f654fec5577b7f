import { describe, expect, test } from "vitest";
import { type MachineNaming, findSharedMachines, machineNaming } from "../../src/rules/sandbox/machine-names.ts";
import { deploymentOf } from "../support/fragment.ts";

function sharing(file: string, core: Record<string, string>, backend = "boxd"): MachineNaming {
  const found = machineNaming(deploymentOf(JSON.stringify({ env: { core }, sandbox: { backend } })));
  if (found === null) throw new Error("shares nothing");
  return { ...found, file };
}

function judged(all: readonly MachineNaming[]): string[] {
  return findSharedMachines(all).map(({ file, severity }) => `${file} ${severity}`);
}

describe("deployments together", () => {
  test("the same org and prefix is an error in each", () => {
    const core = { BOXD_ORG: "acme", BOXD_NAME_PREFIX: "qm-a" };
    expect(
      judged([sharing("a", core), sharing("b", core), sharing("c", { ...core, BOXD_NAME_PREFIX: "qm-c" })]),
    ).toEqual(["a error", "b error"]);
    expect(findSharedMachines([sharing("a", core), sharing("b", core)]).map(({ message }) => message)).toEqual([
      "`env.core.BOXD_NAME_PREFIX` leaves this deployment the same machines (prefix `qm-a`) of the boxd org `acme` as b",
      "`env.core.BOXD_NAME_PREFIX` leaves this deployment the same machines (prefix `qm-a`) of the boxd org `acme` as a",
    ]);
  });

  test("an unset prefix is core's default one", () => {
    expect(
      judged([sharing("a", { BOXD_ORG: "acme" }), sharing("b", { BOXD_ORG: "acme", BOXD_NAME_PREFIX: " qm " })]),
    ).toEqual(["a error", "b error"]);
  });

  test("other orgs share nothing, and orgs that only the keys know may", () => {
    expect(judged([sharing("a", { BOXD_ORG: "acme" }), sharing("b", { BOXD_ORG: "other" }), sharing("c", {})])).toEqual(
      [],
    );
    expect(judged([sharing("a", {}), sharing("b", {})])).toEqual(["a warning", "b warning"]);
  });

  test("one deployment given twice does not collide with itself", () => {
    const one = sharing("a", {});
    expect(judged([one, one])).toEqual([]);
  });

  test("another backend has no machines of boxd", () => {
    expect(machineNaming(deploymentOf('{ "sandbox": { "backend": "sprites", "app": "a" } }'))).toBeNull();
  });

  test("thousands that all collide each get one line, in linear time", () => {
    const all = Array.from({ length: 20_000 }, (_, at) => sharing0(`d/${at}`));
    const found = findSharedMachines(all);
    expect(found).toHaveLength(20_000);
    expect(Math.max(...found.map(({ message }) => message.length))).toBeLessThan(200);
  });
});

const SAMPLE = sharing("x", { BOXD_ORG: "acme" });

function sharing0(file: string): MachineNaming {
  return { ...SAMPLE, file };
}
