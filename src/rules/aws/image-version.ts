import { nameOf } from "../../catalog/settings/index.ts";
import { DEPLOY_IMAGE_NAME } from "../../catalog/targets/aws.ts";
import { settingValue } from "../../deployment/env-values.ts";
import { field, type Rule } from "../rule.ts";
import { isUndecided } from "../sandbox/backend-names.ts";

export const IMAGE_VERSION_RULES: readonly Rule[] = [
  {
    id: "aws/image-not-built",
    title: "MicroVM image not built yet",
    severity: "warning",
    why: "Lambda sandboxes boot one version of the MicroVM image. Until it is built and its version is in the config, qm refuses to deploy, and core would take whatever version is the newest.",
    bad: '{ "target": "aws", "env": { "core": { "AWS_DEPLOY_IMAGE": "acme-apps" } }, "sandbox": { "backend": "aws" } }',
    good: '{ "target": "aws", "env": { "core": { "AWS_DEPLOY_IMAGE": "acme-apps", "AWS_DEPLOY_IMAGE_VERSION": "3" } }, "sandbox": { "backend": "aws" } }',
    check(deployment, report) {
      const { config, release, sandbox, target, broken } = deployment;
      if (target !== "aws" || broken || isUndecided(deployment)) return;
      if (!sandbox.selected.some(({ name }) => name === "aws")) return;
      const image = settingValue(config, release.release, "core.awsDeployImage");
      const version = settingValue(config, release.release, "core.awsDeployImageVersion");
      // One that is misnamed is told as that.
      if (image === null || version !== null || !DEPLOY_IMAGE_NAME.test(image.value)) return;
      const name = nameOf(release.release, "core.awsDeployImageVersion");
      report({
        message: `${field(image.path)} names an image, and ${field(["env", "core", name])} no version of it`,
        help: "once the infrastructure is there, build it as the step of `bring-up.md` says, which takes the version over",
        place: { path: image.path, at: "value" },
      });
    },
  },
];
