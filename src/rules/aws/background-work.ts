import type { Deployment } from "../../deployment/deployment.ts";
import type { Rule } from "../rule.ts";

export const BACKGROUND_WORK_RULES: readonly Rule[] = [
  {
    id: "aws/background-work",
    title: "Core that only qm's own `up` can deploy",
    severity: "warning",
    why: "Under `aws.backgroundWorkControl` core starts only with the id of its deployment (BACKGROUND_DEPLOYMENT_ID). qm's own `up` makes one for each deployment, no config may name it, and so `render` leaves out core's task definition.",
    bad: '{ "target": "aws", "aws": { "backgroundWorkControl": true } }',
    good: '{ "target": "aws", "aws": { "backgroundWorkControl": false } }',
    check(deployment, report) {
      if (!hasBackgroundWorkControl(deployment)) return;
      const path = ["aws", "backgroundWorkControl"];
      report({
        message:
          "`aws.backgroundWorkControl` is true, so `render` cannot write core's task definition: only qm's own `up` makes the id that it needs",
        help: "deploy core with qm's own `up`, from the projection that `qm-deploy render` writes, or set it to false",
        place: { path, at: "value" },
      });
    },
  },
];

/** True where core is deployed under background work control, which the release knows. */
export function hasBackgroundWorkControl({ target, config, release }: Deployment): boolean {
  const isKnown = !release.release.unsupportedFields.includes("aws.backgroundWorkControl");
  return target === "aws" && isKnown && config.aws?.backgroundWorkControl === true;
}
