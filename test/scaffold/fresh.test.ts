import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { RELEASES } from "../../src/catalog/releases/index.ts";
import { BACKENDS, declarableTargets, findBackend } from "../../src/catalog/backends/index.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Deployment } from "../../src/deployment/deployment.ts";
import { parseDocument } from "../../src/config/parse.ts";
import { readAs, readEnvFile } from "../../src/envfile/index.ts";
import { runRules } from "../../src/rules/run-rules.ts";
import { applyScaffold } from "../../src/scaffold/apply.ts";
import type { Answers } from "../../src/scaffold/answers.ts";
import { configText } from "../../src/scaffold/config-text.ts";
import { resourceNames } from "../../src/scaffold/resource-names.ts";
import type { ScaffoldPlan } from "../../src/scaffold/plan.ts";
import { missingSecrets } from "../../src/views/status.ts";
import { loadDeployment } from "../../src/workspace/load-deployment.ts";
import { planRender } from "../../src/workspace/render-plan.ts";
import { tempDirectory } from "../workspace/temp.ts";
import { COMBINATIONS, VARIANTS } from "./matrix.ts";
import { fixedRandom, planIn } from "./plan-of.ts";

/** Warnings that a fresh deployment may have; each says what only the operator can do. */
const ACCEPTED_WARNINGS = new Set([
  "aws/image-not-built",
  "config/reserved-domain",
  "config/image-missing",
  "sandbox/core-image",
  "sandbox/image-not-published",
  "env-file/no-sign-in-mail",
]);

/** Errors that are nothing but a value still to be supplied. */
const OPEN_VALUES = new Set(["env-file/missing-secret", "config/placeholder"]);

/** Code blocks of a Markdown page, with the indent of a list taken off. */
function shellBlocks(page: string): string[] {
  return [...page.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indent = "", code = ""]) =>
    code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
}

function links(page: string): string[] {
  return [...page.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = ""]) => path);
}

/** Reads an artifact back with a parser that is not the renderer's; what a workload gets must be what was resolved. */
function readBack({ workloads }: Deployment, name: string, text: string): void {
  const resolved = (workload: string) =>
    Object.fromEntries(
      workloads.find((one) => one.name === workload)?.environment.map((entry) => [entry.name, entry.value]) ?? [],
    );
  const owner = name.split(".")[0] ?? "";
  if (name.endsWith(".fly.toml")) expect(parseToml(text)["env"]).toEqual(resolved(owner));
  else if (name.endsWith(".task-definition.json")) {
    const pairs: { name: string; value: string }[] = JSON.parse(text).containerDefinitions[0].environment;
    expect(Object.fromEntries(pairs.map((pair) => [pair.name, pair.value]))).toEqual(resolved(owner));
  } else if (name === "compose.yaml") {
    const { services } = parseYaml(text, { logLevel: "error" });
    for (const workload of workloads) {
      const pairs = Object.entries(services[workload.name].environment as { [key: string]: string }).map(
        ([key, value]) => [key, value.replaceAll("$$", () => "$")],
      );
      expect(Object.fromEntries(pairs)).toEqual(resolved(workload.name));
    }
  } else if (name.endsWith(".json")) JSON.parse(text);
  else if (name.endsWith(".jsonc")) expect(parseDocument({ file: name, text }).diagnostics).toEqual([]);
  else if (/\.ya?ml$/.test(name)) parseYaml(text, { logLevel: "error" });
  else if (name.endsWith(".env")) expect(readEnvFile(text).problems).toEqual([]);
}

const ALL: readonly (readonly [name: string, answers: Answers])[] = [...COMBINATIONS, ...VARIANTS];

test("the matrix has every target with boxd under every release", () => {
  const boxd = COMBINATIONS.filter(([, { backend }]) => backend.name === "boxd").map(([name]) => name);
  expect(boxd).toEqual(
    ["docker", "fly", "aws"].flatMap((target) => RELEASES.map(({ version }) => `${target} boxd ${version}`)),
  );
});

describe.each(ALL)("%s", (_name, answers) => {
  test("passes its own check, renders, and can be read, followed and pasted", async () => {
    const directory = tempDirectory();
    const planned = planIn(directory, answers);
    await applyScaffold(planned, directory);
    const { deployment } = loadDeployment(directory, { cwd: directory });
    if (deployment === undefined) throw new Error("not read");

    const findings = runRules(deployment);
    const said = findings
      .filter(({ severity }) => severity !== "info")
      .map(({ rule, severity, message }) => ({ rule, severity, message }));
    expect(
      said.filter(({ rule, severity }) => !(severity === "error" ? OPEN_VALUES : ACCEPTED_WARNINGS).has(rule)),
    ).toEqual([]);
    // What is on disk is what was planned, so that the rendered files are up to date.
    expect(findings).toEqual(runRules(planned.deployment));
    expect(deployment.release.resolved).toBe(answers.release.version);
    expect(deployment.sandbox.selected).toEqual([answers.backend]);
    expect(deployment.target).toBe(answers.target);

    if (planned.render === null) throw new Error("not rendered");
    const now = planRender({ ...planned.render.request, deployment });
    expect(now.files.filter(({ change }) => change !== "unchanged").map(({ artifact }) => artifact.name)).toEqual([]);
    for (const { artifact } of now.files) readBack(deployment, artifact.name, artifact.text);
    // Nothing is refused but for images that do not exist.
    expect(now.refusals.filter(({ rule }) => rule !== "render/image-missing")).toEqual([]);
    if (answers.release.images !== null) expect(now.refusals).toEqual([]);
    expectPasteable(directory, planned, answers);
  });
});

/** Every link of the pages leads somewhere; every command can be pasted, and the files that it names are there. */
function expectPasteable(directory: string, plan: ScaffoldPlan, answers: Answers): void {
  const rendered = plan.render?.plan;
  const pages = ["AGENTS.md", `rendered/${answers.target}/bring-up.md`, "sandbox/skills/greet/SKILL.md"];
  for (const page of pages) {
    for (const link of links(readFileSync(join(directory, page), "utf8")))
      expect(existsSync(join(directory, posix.dirname(page), link)), link).toBe(true);
  }
  const refused = new Set(rendered?.refusals.map(({ artifact }) => `rendered/${answers.target}/${artifact}`));
  const agents = readFileSync(join(directory, "AGENTS.md"), "utf8");
  const blocks = shellBlocks(agents);
  expect(blocks.join("")).toBe(
    plan.steps
      .flatMap((step) => step.commands)
      .map((line) => `${line}\n`)
      .join(""),
  );
  for (const code of blocks)
    expect(spawnSync("bash", ["-n"], { input: code, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  const named = [...blocks.join("\n").matchAll(/rendered\/[\w./-]+/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(join(directory, path)) && !refused.has(path))).toEqual([]);
  expect(blocks.join("\n")).not.toMatch(/<[a-z-]+>/);
}

describe.each(COMBINATIONS)("%s", (_name, answers) => {
  const directory = tempName();
  const { files, deployment } = planIn(directory, answers);
  const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? "";

  test("shows every backend of the target in the config", () => {
    const config = textOf("qm.config.jsonc");
    const choices = BACKENDS.filter((backend) => declarableTargets(backend, answers.release).includes(answers.target));
    for (const { name, summary } of choices)
      expect(config).toMatch(new RegExp(`^ {2}// {3}${name} +${summary.slice(0, 20)}`, "m"));
    for (const { name, example } of answers.backend.settings)
      expect(config.includes(`"${name}":`), name).toBe(example !== undefined);
  });

  test("makes the keys that can be made, knows core's address where the target serves it, and leaves the others blank", () => {
    const values = readAs("qm", textOf(".env"));
    if (!values.ok) throw new Error("not read");
    for (const { name, source, required, managedBy } of deployment.secrets) {
      if (managedBy !== "operator" || !required) continue;
      const value = values.values.get(name);
      const isKnown = name === "PUBLIC_API_URL" && answers.target === "fly";
      if (source.kind === "operator") expect(value, name).toBe(isKnown ? deployment.publicOrigin : "");
      else if (source.kind === "hex32") expect(value, name).toMatch(/^[0-9a-f]{64}$/);
      else expect(JSON.parse(value ?? ""), name).toMatchObject({ kty: "EC", crv: "P-256" });
    }
    expect(missingSecrets(deployment).every(({ source }) => source.kind === "operator")).toBe(true);
    expect(values.values.has("POSTGRES_PASSWORD")).toBe(answers.target === "docker");
  });

  test("gives a tool only where its command arrives", () => {
    const has = textOf("sandbox/tools/example-tool/tool.json") !== "";
    expect(has).toBe(answers.release.toolInstallFiles || answers.backend.layerImage(answers.release, answers.target));
  });

  test("says in the next steps what core needs, and ends with the page that was rendered", () => {
    const { steps, render } = planIn(directory, answers);
    const says = steps.map((step) => step.says).join("\n");
    expect(says.includes("implements boxd")).toBe(answers.backend.name === "boxd");
    expect(steps.at(-1)?.commands).toEqual([`cat rendered/${answers.target}/bring-up.md`]);
    const page = render?.plan.files.find(({ artifact }) => artifact.name === "bring-up.md")?.artifact.text ?? "";
    const { onNpm, images } = answers.release;
    expect(says.includes("npm does not have")).toBe(!onNpm);
    expect(/^## \d+\. Have an image of each service$/m.test(page)).toBe(images === null);
  });
});

describe("names made from the org", () => {
  test.each(["acme", "a", "4--all", "x-".repeat(31) + "x", "9".repeat(63)])(
    "fit everywhere and differ between two deployments: %s",
    (org) => {
      const [one, other] = ["aaa", "bbb"].map((end) => resourceNames(org, () => end));
      expect(one?.machines).toMatch(/^[a-z](?:[a-z0-9-]*[a-z0-9])?$/);
      expect(one?.machines.length).toBeLessThanOrEqual(findBackend("boxd")?.machineNames?.longestPrefix ?? 0);
      expect(one?.machines).not.toBe(other?.machines);
      expect(one?.bucket).not.toBe(other?.bucket);
    },
  );
});

describe.each(COMBINATIONS)("%s", (_name, answers) => {
  test("whatever the comments offer can be uncommented, images filled in", () => {
    const text = configText(answers, resourceNames(answers.org, fixedRandom));
    const uncommented = text.replaceAll(/^( *)\/\/ (?=(?: {2})?"\w[\w-]*": |\},)/gm, "$1");
    const offered = uncommented
      .replaceAll("<you>", "acme")
      .replaceAll("<64 hex digits>", "15c8a2a4c47addcea718809484b212b37bbc3ff6b99dee5f78e029ad230075be");
    expect(uncommented === text).toBe(!/^ *\/\/ "/m.test(text));
    const { document, diagnostics } = loadConfig({ file: "qm.config.jsonc", text: offered });
    expect(document.diagnostics).toEqual([]);
    expect(diagnostics.filter(({ rule, severity }) => severity === "error" && rule !== "config/placeholder")).toEqual(
      [],
    );
  });
});

test.skipIf(process.platform === "win32")("the env file and the tool have the modes that they need", async () => {
  const [, answers] = COMBINATIONS.find(([name]) => name === "docker boxd 0.1.12") ?? [];
  if (answers === undefined) throw new Error("no such combination");
  const directory = tempDirectory();
  await applyScaffold(planIn(directory, answers), directory);
  expect(statSync(join(directory, ".env")).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, "sandbox/tools/example-tool/example-tool")).mode & 0o111).not.toBe(0);
});

/** A directory that does not exist. */
function tempName(): string {
  return join(import.meta.dirname, "no-such-directory");
}
