import { expect, test } from "vitest";
import type { Backend } from "../../src/catalog/backends/backend.ts";
import { EnvironmentBuilder } from "../../src/deployment/environment/builder.ts";
import { putBackendEnv } from "../../src/deployment/environment/environment.ts";
import { BASE, resolve } from "./resolving.ts";

test("where selected backends put the same name into core's environment, the primary one's value stays", () => {
  const { sandbox, ...choices } = resolve({ ...BASE, sandbox: { backend: "boxd" } });
  const [boxd] = sandbox.selected as [Backend];
  const putting = (name: string): Backend => ({
    ...boxd,
    name,
    coreEnv: () => [{ name: "SHARED", value: `of the ${name}`, from: [["sandbox"]], how: "a test" }],
  });
  const selected = ["primary", "secondary", "scope"].map(putting);
  const [entry, ...others] = new EnvironmentBuilder({ ...choices, sandbox: { ...sandbox, selected } }, "core").build([
    putBackendEnv,
  ]);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ name: "SHARED", value: "of the primary" });
  expect(entry?.shadowed.map(({ value }) => value)).toEqual(["of the scope", "of the secondary"]);
});
