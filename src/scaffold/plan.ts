import type { Deployment } from "../deployment/deployment.ts";
import { planRender, type RenderPlan, type RenderRequest } from "../workspace/render-plan.ts";
import { renderedDirectory } from "../workspace/rendered-directory.ts";
import { CONFIG_NAME } from "../workspace/paths.ts";
import { envExample } from "../render/env-example.ts";
import { agentsText } from "./agents-page.ts";
import type { Answers, RandomText } from "./answers.ts";
import { configText } from "./config/config.ts";
import { envText, type MakeSecret } from "./envfile.ts";
import { gitignoreText, mergeGitignore } from "./gitignore.ts";
import { resourceNames } from "./resource-names.ts";
import { deploymentWith } from "./planned-deployment.ts";
import { dependsOn, mergePackage, packageText } from "./package-json.ts";
import { type Existing, type PlannedFile, planFile } from "./scaffold-file.ts";
import { isFit, unfit } from "./fitness.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { SKILL_PATH, skillText } from "./skill.ts";
import { type NextStep, nextSteps } from "./next-steps.ts";
import { OWN_NAME } from "./toolkit-spec.ts";
import { toolFiles } from "./examples.ts";
import { WORKFLOW_PATH, workflowText } from "./workflow.ts";

/** What planning needs from outside. */
export interface PlanContext {
  /** The deployment directory, absolute; need not exist. */
  readonly directory: string;
  readonly cwd: string;
  readonly existing: Existing;
  readonly random: RandomText;
  readonly make: MakeSecret;
}

/** What a render would do, beside the files of init itself. */
interface PlannedRender {
  readonly request: RenderRequest;
  readonly plan: RenderPlan;
  /** False where rendered files of other content are there, which only `render` replaces. */
  readonly isFresh: boolean;
}

/** Everything that init decides before it writes. */
export interface ScaffoldPlan {
  /** In the order of writing: what others rest on first, so that a run that was cut short can be completed. */
  readonly files: readonly PlannedFile[];
  /** As it will be. */
  readonly deployment: Deployment;
  /** Null where the deployment has errors beyond values that the operator supplies. */
  readonly render: PlannedRender | null;
  /** The errors that speak against rendering; empty for every fresh deployment. */
  readonly errors: readonly Diagnostic[];
  readonly steps: readonly NextStep[];
  /** True when package.json brings qm-deploy. */
  readonly isInstalled: boolean;
}

/**
 * Plans a scaffold. Reads the directory, writes nothing. Where a config is there already the deployment is what that
 * says, and the answers only serve for what it needs beside it.
 *
 * @throws {PathOccupied} where something else stands in the place of a file that everything rests on
 * @throws {WriteRefused} where a link stands in the way of the rendered files
 */
export function planScaffold(answers: Answers, context: PlanContext): ScaffoldPlan {
  const { existing, cwd, directory } = context;
  const pins = planFile("package.json", packageText(answers), existing, {
    needs: "text",
    merge: mergePackage(answers),
  });
  const config = planFile(CONFIG_NAME, configText(answers, resourceNames(answers.org, context.random)), existing, {
    needs: "text",
  });
  const files = [pins, config];
  const isInstalled = dependsOn(pins.text, answers.toolkit?.name ?? OWN_NAME);
  const bare = deploymentWith(directory, files, cwd);
  const { target } = bare;
  if (target === null) return { files, deployment: bare, render: null, errors: unfit(bare), steps: [], isInstalled };
  files.push(planFile(".gitignore", gitignoreText(target), existing, { needs: "file", merge: mergeGitignore(target) }));
  files.push(planFile(".env", envText(bare, context.make), existing, { needs: "text", secret: true }));
  files.push(planFile(".env.example", envExample(bare), existing));
  files.push(planFile(SKILL_PATH, skillText(), existing));
  for (const { path, text, mode } of toolFiles(bare)) files.push(planFile(path, text, existing, { mode }));
  files.push(planFile(WORKFLOW_PATH, workflowText(target), existing));
  const deployment = deploymentWith(directory, files, cwd);
  const render = isFit(deployment) ? plannedRender(deployment, context) : null;
  const steps = nextSteps(
    deployment,
    (render?.plan.files ?? []).map((file) => file.artifact),
    isInstalled,
  );
  const paths = new Set([
    ...files.map((file) => file.path),
    ...(render?.plan.files ?? []).map((file) => `rendered/${target}/${file.artifact.name}`),
  ]);
  files.push(planFile("AGENTS.md", agentsText({ deployment, target, steps, paths }), existing));
  return { files, deployment, render, errors: unfit(deployment), steps, isInstalled };
}

function plannedRender(deployment: Deployment, { directory, cwd }: PlanContext): PlannedRender {
  const place = renderedDirectory(directory, deployment.target ?? "docker", undefined, cwd);
  const options = { secrets: false, withOptional: false, bind: "127.0.0.1" };
  const request: RenderRequest = { deployment, place, options, only: null, prune: false };
  const plan = planRender(request);
  return { request, plan, isFresh: plan.files.every((file) => file.change !== "changed") };
}
