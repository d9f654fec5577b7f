import { DEPLOY_IMAGE_NAME } from "../../catalog/targets/aws.ts";
import { findPlaceholder } from "../../config/placeholder.ts";
import { coreValue, envValue } from "../../deployment/env-values.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { assumedRelease, field, type Rule } from "../rule.ts";
import { awsBlock } from "./block.ts";

const NAME = "AWS_DEPLOY_IMAGE";

const PATH = ["env", "core", NAME];

/** The image of the MicroVMs that run what agents deploy. */
export const DEPLOY_IMAGE_RULES: readonly Rule[] = [
  {
    id: "aws/deploy-image",
    title: "MicroVM image missing or misnamed",
    severity: "error",
    clause: "config.v1",
    why: "Apps that agents deploy, and sandboxes of the backend `aws`, run in MicroVMs from one image. It is named, not referenced as a container image is.",
    bad: '{ "target": "aws", "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    good: '{ "target": "aws", "env": { "core": { "HARNESS": "pi", "AWS_DEPLOY_IMAGE": "acme-apps" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
    check(deployment, report) {
      if (awsBlock(deployment) === null) return;
      const written = envValue(deployment.config, "core", NAME);
      if (written !== null) {
        if (DEPLOY_IMAGE_NAME.test(written.value) || findPlaceholder(written.value) !== null) return;
        report({
          message: `${field(PATH)} must be the name of a MicroVM image: letters, digits and \`_-\`, at most 64`,
          help: "use the name, and not a container image or an ARN",
          place: { path: PATH, at: "value" },
        });
        return;
      }
      const isUnsound =
        deployment.document.node(PATH) !== undefined && deployment.config.env?.core?.[NAME] === undefined;
      const reason = whyNeeded(deployment);
      if (reason === null || isUnsound || deployment.broken) return;
      report({
        message: `${field(PATH)} is missing, which ${reason}`,
        help: `name the image of the MicroVMs; \`qm infra build-image\` builds it${assumedRelease(deployment)}`,
        command: "qm infra build-image",
        place: { path: PATH },
      });
    },
  },
];

/** What needs the image, as a phrase; null where nothing does. */
function whyNeeded({ release, config, sandbox }: Deployment): string | null {
  if (release.release.awsDeployImage === "always")
    return `qm ${release.resolved} needs on aws under every sandbox backend`;
  if ((coreValue(config, "DEPLOY_PROVIDER")?.value ?? "aws") === "aws")
    return "the apps that agents deploy need (`DEPLOY_PROVIDER` is `aws`)";
  return sandbox.selected.some((backend) => backend.name === "aws") ? "the sandbox backend `aws` needs" : null;
}
