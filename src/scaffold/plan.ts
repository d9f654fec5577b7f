import { posix } from "node:path";
import { compareText } from "../base/text-order.ts";
import { loadConfig } from "../config/load.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { DeploymentInputs, TreeEntry } from "../deployment/inputs.ts";
import { resolveDeployment } from "../deployment/resolve.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { DEFAULT_BIND } from "../render/artifact.ts";
import { envExample } from "../render/env-example.ts";
import { blockingDiagnostics } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";
import { readInputs } from "../workspace/load-deployment.ts";
import { CONFIG_NAME, displayJoin, displayName } from "../workspace/paths.ts";
import { planRender, type RenderPlan, type RenderRequest } from "../workspace/render-plan.ts";
import { renderedDirectory } from "../workspace/rendered-directory.ts";
import { agentsText } from "./agents-page.ts";
import { OWN_NAME, type PackageAnswers, readOrg } from "./answers.ts";
import { envText } from "./envfile.ts";
import { SKILL_PATH, skillText, toolFiles } from "./examples.ts";
import { gitignoreText, mergeGitignore } from "./gitignore.ts";
import { type NextStep, nextSteps } from "./next-steps.ts";
import { dependsOn, mergePackage, packageText } from "./package-json.ts";
import { type PlannedWorkflow, planWorkflow } from "./root-workflow.ts";
import { planFile, type ScaffoldFile } from "./scaffold-file.ts";

interface PlannedRender {
  readonly request: RenderRequest;
  readonly plan: RenderPlan;
  /** False where rendered files of other content are there, which only `render` replaces. */
  readonly isFresh: boolean;
}

/** Everything that init decides before it writes. */
export interface ScaffoldPlan {
  /** In the order of writing: what others rest on first, so that a run that was cut short can be completed. */
  readonly files: readonly ScaffoldFile[];
  /** As it will be. */
  readonly deployment: Deployment;
  /** Everything that `check` will say about it. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those of them that speak against rendering; empty for every fresh deployment. */
  readonly errors: readonly Diagnostic[];
  /** Null where there are such errors. */
  readonly render: PlannedRender | null;
  readonly steps: readonly NextStep[];
  /** True when package.json brings qm-deploy. */
  readonly isInstalled: boolean;
  /** Null where nothing says which target it is, and none is planned. */
  readonly workflow: PlannedWorkflow | null;
}

/**
 * Plans a scaffold around a new config, or around the one that is there already, which stays as it is. `directory` is
 * absolute and need not exist. Reads it, writes nothing.
 *
 * The config is parsed once, and the result checked and rendered once. It is resolved twice: what it resolves to without
 * `.env` and the examples says which secrets and which example tool there have to be.
 *
 * @throws {ScaffoldError} where something else stands in the place of a file that everything rests on
 * @throws {WriteRefused} where a link stands in the way of the rendered files
 */
export function planScaffold(answers: PackageAnswers, newConfig: string, directory: string, cwd: string): ScaffoldPlan {
  const plan = (path: string, text: string, options: Parameters<typeof planFile>[3] = {}): ScaffoldFile =>
    planFile(directory, path, text, options);

  const config = plan(CONFIG_NAME, newConfig, { needs: "text" });
  const loaded = loadConfig({ file: displayJoin(displayName(directory, cwd), CONFIG_NAME), text: config.text });
  const packages = { ...answers, org: soundOrg(loaded.config.orgId) ?? answers.org };
  const pins = plan("package.json", packageText(packages), { needs: "text", merge: mergePackage(packages) });
  const files = [pins, config];
  const inputs = readInputs(loaded, directory, { cwd });
  const bare = resolveDeployment(withPlannedFiles(inputs, files), loaded);
  const { target } = bare;
  const isInstalled = dependsOn(pins.text, answers.toolkit?.name ?? OWN_NAME);
  if (target === null)
    return { files, deployment: bare, ...verdict(bare), render: null, steps: [], isInstalled, workflow: null };

  files.push(plan(".gitignore", gitignoreText(target), { needs: "file", merge: mergeGitignore(target) }));
  files.push(plan(".env", envText(bare, config.action === "kept"), { needs: "text", secret: true }));
  files.push(plan(".env.example", envExample(bare)));
  for (const { path, text, mode } of examplesFor(bare, inputs)) files.push(plan(path, text, { mode }));
  const workflow = planWorkflow(directory, answers.action);
  files.push(workflow.file);

  const deployment = resolveDeployment(withPlannedFiles(inputs, files), loaded);
  const checked = verdict(deployment);
  const render = checked.errors.length === 0 ? plannedRender(deployment, directory, cwd) : null;
  const artifacts = render?.plan.files.map(({ artifact }) => artifact) ?? [];
  const steps = nextSteps(deployment, isInstalled);
  const rendered = artifacts.map(({ name }) => `rendered/${target}/${name}`);
  const paths = new Set([...files.map(({ path }) => path), ...rendered]);
  const gate = workflow.isGate ? workflow.file.path : null;
  files.push(plan("AGENTS.md", agentsText(deployment, target, steps, paths, gate)));
  return { files, deployment, ...checked, render, steps, isInstalled, workflow };
}

/** The examples; none beside skills and tools of the operator's own, as they would reach the agents too. */
function examplesFor(deployment: Deployment, { sandboxTree }: DeploymentInputs): ReturnType<typeof toolFiles> {
  const examples = [{ path: SKILL_PATH, text: skillText(), mode: 0o644 }, ...toolFiles(deployment)];
  // A run that was cut short may have left a part of them, which this one completes.
  const own = examples.map(({ path }) => `${posix.dirname(path)}/`);
  const isOthers = ({ kind, path }: TreeEntry): boolean =>
    kind === "file" && /^sandbox\/(?:skills|tools)\//.test(path) && !own.some((place) => path.startsWith(place));
  return sandboxTree.some(isOthers) ? [] : examples;
}

function soundOrg(written: string | undefined): string | null {
  const reading = readOrg(written ?? "");
  return "value" in reading ? reading.value : null;
}

/** What `check` says, and the errors among it that no value of the operator removes. */
function verdict(deployment: Deployment): Pick<ScaffoldPlan, "diagnostics" | "errors"> {
  const diagnostics = runRules(deployment);
  return { diagnostics, errors: blockingDiagnostics("init", diagnostics, deployment) };
}

function plannedRender(deployment: Deployment, directory: string, cwd: string): PlannedRender {
  const output = renderedDirectory(directory, deployment.target ?? "docker", undefined, cwd);
  const options = { secrets: false, withOptional: false, bind: DEFAULT_BIND };
  const request: RenderRequest = { deployment, output, options, only: null, prune: false };
  const plan = planRender(request);
  return { request, plan, isFresh: plan.files.every((file) => file.change !== "changed") };
}

/** The inputs of a deployment as they will be once the planned files are there: what is on disk, with them over it. */
function withPlannedFiles(inputs: DeploymentInputs, files: readonly ScaffoldFile[]): DeploymentInputs {
  const planned = (path: string) => {
    const found = files.find((file) => file.path === path);
    return found === undefined ? null : { ...found, file: displayJoin(inputs.directory ?? ".", path) };
  };
  const own = planned("package.json");
  const env = planned(".env");
  return {
    ...inputs,
    envFile: env ?? inputs.envFile,
    packageFiles: [
      ...(own === null ? [] : [{ file: own.file, text: own.text, relation: "own" as const }]),
      ...inputs.packageFiles.filter(({ relation }) => own === null || relation === "parent"),
    ],
    sandboxTree: withFiles(inputs.sandboxTree, files),
  };
}

function withFiles(tree: readonly TreeEntry[], files: readonly ScaffoldFile[]): readonly TreeEntry[] {
  const entries = new Map(tree.map((entry) => [entry.path, entry]));
  const base = { size: 0, mode: 0o755, text: null, isText: true, leadsTo: null };
  for (const { path, text, mode, action } of files.filter((file) => file.path.startsWith("sandbox/"))) {
    for (let at = posix.dirname(path); at !== "sandbox"; at = posix.dirname(at))
      if (!entries.has(at)) entries.set(at, { ...base, path: at, kind: "directory" });
    if (action === "kept" && entries.has(path)) continue;
    const isRead = /\/(?:SKILL\.md|tool\.json)$/.test(path);
    entries.set(path, { ...base, path, kind: "file", size: Buffer.byteLength(text), mode, text: isRead ? text : null });
  }
  return [...entries.values()].sort((a, b) => compareText(a.path, b.path));
}
