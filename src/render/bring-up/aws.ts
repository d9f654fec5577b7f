import { PROJECTION } from "../../deployment/rendered-names.ts";
import type { RenderContext } from "../artifact.ts";
import { needsProjection } from "../projection.ts";
import { coreSetting } from "../workloads.ts";
import { coreImageStep, layerImageStep, layerStep, qm, reachStep, serviceImagesStep } from "./agents.ts";
import { identityProviderStep, moduleStep, stateStep } from "./aws-account.ts";
import { awsImagesStep } from "./aws-images.ts";
import { applyStep, certificateStep, frontDoorStep, microVmStep, variablesStep } from "./aws-infrastructure.ts";
import { MODULE, registry } from "./aws-names.ts";
import { awsMigrationStep, awsRegisterStep, awsSecretsStep, awsStartSteps } from "./aws-roll.ts";
import { signInStep } from "./sign-in.ts";
import { type BringUp, envFileStep, type Step } from "./step.ts";

/** From an empty AWS account to a running deployment with the rendered files. */
export function awsBringUp(context: RenderContext): BringUp {
  const { deployment, options } = context;
  const { workloads } = deployment;
  // An image that is pinned in the deployment's own registry can be tried once it is there.
  const core = coreImageStep(context);
  const isOwn = workloads.some(
    ({ name, image }) => name === "core" && image?.reference.startsWith(`${registry(context)}/`),
  );
  const projection = needsProjection(deployment) ? `${options.place}/${PROJECTION}` : null;
  return {
    target: "aws",
    lead: `Every command is meant for the deployment directory. Needs Terraform 1.10 or newer, the aws command line with credentials of an administrator of the account, docker with buildx, and qm-deploy; qm's own commands need Node 24.`,
    steps: [
      serviceImagesStep(context),
      isOwn ? [] : core,
      moduleStep(context),
      stateStep(context),
      identityProviderStep(context),
      certificateStep(context),
      variablesStep(context),
      applyStep(context),
      frontDoorStep(context),
      envFileStep(context),
      awsSecretsStep(context),
      coreSetting(deployment, "core.awsDeployImage") === undefined
        ? []
        : microVmStep(context, (command) => qm(context, command), projection),
      layerImageStep(context),
      awsImagesStep(context, workloads),
      isOwn ? core : [],
      awsRegisterStep(context, workloads),
      awsMigrationStep(context),
      awsStartSteps(context, workloads),
      healthStep(context),
      layerStep(context),
      signInStep(context),
      reachStep(context),
      commitStep(context),
    ],
  };
}

function healthStep({ deployment }: RenderContext): Step | [] {
  const { publicOrigin } = deployment;
  if (publicOrigin === null) return [];
  return {
    title: "See that the front door answers",
    commands: [`curl --fail --silent --show-error ${publicOrigin}/healthz`],
    check: { text: "it says that it is well. A 502 or 503 means that the tasks are not healthy yet." },
  };
}

/** The steps have learned what the config and the rendered files say now. */
function commitStep({ options }: RenderContext): Step {
  return {
    title: "Commit what the steps have set",
    commands: [
      `git add qm.config.jsonc ${MODULE} ${options.place}`,
      'git diff --cached --quiet || git commit --message "Bring up on aws"',
    ],
    changes: `the config, the module with its lock file, and what is rendered; \`.env\` and files with secrets stay out.`,
    check: { commands: ["git status --short"], text: "shows none of them" },
    undo: { text: "`git revert`, and render again." },
  };
}
