import { describe, expect, test } from "vitest";
import { BASE, environment, resolveUnder } from "./resolving.ts";

interface Case {
  readonly name: string;
  readonly release?: "0.1.6" | "0.1.12";
  readonly target?: "docker" | "fly" | "aws";
  readonly sandbox?: unknown;
  readonly core?: { readonly [name: string]: string };
  readonly slack?: { readonly [name: string]: string };
  readonly services?: readonly string[];
  readonly effective: string | null;
  readonly from: unknown;
  readonly selected: readonly string[];
  readonly blank?: readonly unknown[];
  readonly scopesProblem?: string;
}

const SCOPES = ["env", "core", "SANDBOX_SCOPE_BACKENDS"];
const CORE = { kind: "config", path: ["env", "core", "SANDBOX_BACKEND"] };
const SLACK = { kind: "config", path: ["env", "slack", "SANDBOX_BACKEND"] };
const DECLARED = { kind: "config", path: ["sandbox", "backend"] };

const CASES: readonly Case[] = [
  { name: "nothing on docker", effective: null, from: undefined, selected: [] },
  { name: "nothing on fly 0.1.6", target: "fly", effective: null, from: undefined, selected: [] },
  {
    name: "app on fly 0.1.6",
    target: "fly",
    sandbox: { app: "a" },
    effective: "sprites",
    from: expect.objectContaining({ kind: "derived", from: [["sandbox", "app"]] }),
    selected: ["sprites"],
  },
  {
    name: "blank app on fly 0.1.6",
    target: "fly",
    sandbox: { app: " " },
    effective: null,
    from: undefined,
    selected: [],
  },
  {
    name: "app on fly 0.1.12",
    release: "0.1.12",
    target: "fly",
    sandbox: { app: "a" },
    effective: null,
    from: undefined,
    selected: [],
  },
  { name: "app on docker 0.1.6", sandbox: { app: "a" }, effective: null, from: undefined, selected: [] },
  {
    name: "nothing on aws",
    target: "aws",
    effective: "aws",
    from: expect.objectContaining({ kind: "default" }),
    selected: ["aws"],
  },
  { name: "declared", sandbox: { backend: " boxd " }, effective: "boxd", from: DECLARED, selected: ["boxd"] },
  {
    name: "core over declaration",
    sandbox: { backend: "sprites" },
    core: { SANDBOX_BACKEND: "boxd" },
    effective: "boxd",
    from: CORE,
    selected: ["boxd"],
  },
  {
    name: "slack over declaration",
    sandbox: { backend: "sprites" },
    slack: { SANDBOX_BACKEND: "boxd" },
    services: ["core", "slack"],
    effective: "boxd",
    from: SLACK,
    selected: ["boxd"],
  },
  {
    name: "slack that is not enabled",
    sandbox: { backend: "sprites" },
    slack: { SANDBOX_BACKEND: "boxd" },
    effective: "sprites",
    from: DECLARED,
    selected: ["sprites"],
  },
  {
    name: "core over slack",
    core: { SANDBOX_BACKEND: "boxd" },
    slack: { SANDBOX_BACKEND: "sprites" },
    services: ["core", "slack"],
    effective: "boxd",
    from: CORE,
    selected: ["boxd"],
  },
  {
    name: "blank core",
    sandbox: { backend: "sprites" },
    core: { SANDBOX_BACKEND: " " },
    effective: "sprites",
    from: DECLARED,
    selected: ["sprites"],
    blank: [CORE.path],
  },
  {
    name: "blank declaration on aws",
    target: "aws",
    sandbox: { backend: "" },
    effective: "aws",
    from: expect.anything(),
    selected: ["aws"],
    blank: [["sandbox", "backend"]],
  },
  { name: "unknown", core: { SANDBOX_BACKEND: "sprite" }, effective: "sprite", from: CORE, selected: [] },
  {
    name: "a name of JavaScript's own",
    core: { SANDBOX_BACKEND: "constructor" },
    effective: "constructor",
    from: CORE,
    selected: [],
  },
  {
    name: "secondary",
    sandbox: { backend: "boxd" },
    core: { SANDBOX_SECONDARY_BACKEND: " sprites " },
    effective: "boxd",
    from: DECLARED,
    selected: ["boxd", "sprites"],
  },
  {
    name: "secondary equal to the primary",
    sandbox: { backend: "boxd" },
    core: { SANDBOX_SECONDARY_BACKEND: "boxd" },
    effective: "boxd",
    from: DECLARED,
    selected: ["boxd"],
  },
  {
    name: "scopes",
    release: "0.1.12",
    sandbox: { backend: "boxd" },
    core: { SANDBOX_SCOPE_BACKENDS: '{"a":"agent37","__proto__":" sprites ","b":"agent37"}' },
    effective: "boxd",
    from: DECLARED,
    selected: ["boxd", "agent37", "sprites"],
  },
  {
    name: "scopes under 0.1.6",
    sandbox: { backend: "boxd" },
    core: { SANDBOX_SCOPE_BACKENDS: '{"a":"agent37"}' },
    effective: "boxd",
    from: DECLARED,
    selected: ["boxd"],
  },
  {
    name: "scopes that are not JSON",
    release: "0.1.12",
    core: { SANDBOX_SCOPE_BACKENDS: "{" },
    effective: null,
    from: undefined,
    selected: [],
    scopesProblem: "is not JSON",
  },
  {
    name: "scopes in an array",
    release: "0.1.12",
    core: { SANDBOX_SCOPE_BACKENDS: '["boxd"]' },
    effective: null,
    from: undefined,
    selected: [],
    scopesProblem: "is a JSON array, not an object from scopes to backends",
  },
  {
    name: "scopes that are null",
    release: "0.1.12",
    core: { SANDBOX_SCOPE_BACKENDS: "null" },
    effective: null,
    from: undefined,
    selected: [],
    scopesProblem: "is not a JSON object from scopes to backends",
  },
  {
    name: "a scope that is a number",
    release: "0.1.12",
    core: { SANDBOX_SCOPE_BACKENDS: '{"a":1,"b":"boxd"}' },
    effective: null,
    from: undefined,
    selected: ["boxd"],
    scopesProblem: "names a backend that is not a string",
  },
  {
    name: "a scope twice",
    release: "0.1.12",
    sandbox: { backend: "boxd" },
    core: { SANDBOX_SCOPE_BACKENDS: '{"a":"agent37", "b": "boxd", "\\u0061":"sprites"}' },
    effective: "boxd",
    from: DECLARED,
    selected: ["boxd", "sprites"],
    scopesProblem: "names a scope twice, of which only the last counts",
  },
  {
    name: "a scope of a number twice",
    release: "0.1.12",
    core: { SANDBOX_SCOPE_BACKENDS: '{"a":1,"a":2}' },
    effective: null,
    from: undefined,
    selected: [],
    scopesProblem: "names a backend that is not a string",
  },
  {
    name: "scopes that JavaScript knows",
    release: "0.1.12",
    core: { SANDBOX_SCOPE_BACKENDS: '{"__proto__":"boxd","//":"boxd","constructor":"boxd"}' },
    effective: null,
    from: undefined,
    selected: ["boxd"],
  },
  {
    name: "a blank scope",
    release: "0.1.12",
    core: { SANDBOX_SCOPE_BACKENDS: '{"a":" "}' },
    effective: null,
    from: undefined,
    selected: [],
    blank: [SCOPES],
  },
];

describe("selectBackends", () => {
  test.each(CASES)("$name", (each) => {
    const config = {
      ...BASE,
      target: each.target ?? "docker",
      services: each.services ?? ["core"],
      env: { core: each.core ?? {}, slack: each.slack ?? {} },
      sandbox: each.sandbox,
    };
    const deployment = resolveUnder(each.release ?? "0.1.6", config);
    const { effective, selected, blank, scopesProblem } = deployment.sandbox;
    expect(effective?.name ?? null).toBe(each.effective);
    expect(effective?.provenance).toEqual(each.from);
    expect(selected.map((backend) => backend.name)).toEqual(each.selected);
    expect(blank).toEqual(each.blank ?? []);
    expect(scopesProblem).toBe(each.scopesProblem ?? null);
    // What core will really see is the selection, on every target.
    expect(environment(deployment, "core")["SANDBOX_BACKEND"] ?? null).toBe(each.effective);
  });
});
