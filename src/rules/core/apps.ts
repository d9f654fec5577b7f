import { isDnsLabel } from "../../catalog/grammar/dns.ts";
import type { ServiceSettingKey } from "../../catalog/settings/index.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { type Finding, type Rule } from "../rule.ts";
import { processOf, type ServiceProcess } from "../process.ts";

/** The longest prefix of the names of apps that core takes on Fly. */
const LONGEST_PREFIX = 26;

/** Without what core cannot publish an app on Fly. */
const FLY_PARTS: readonly ServiceSettingKey[] = ["core.flyDeployAppPrefix", "core.flyDeployBaseImage", "core.flyOrg"];

const FLY_ENV =
  '"HARNESS": "pi", "DEPLOY_PROVIDER": "fly", "FLY_ORG": "acme-inc", "FLY_DEPLOY_BASE_IMAGE": "ghcr.io/acme/apps:1"';

export const APP_RULES: readonly Rule[] = [
  {
    id: "core/apps-provider",
    title: "Apps of agents that cannot be published",
    severity: "warning",
    why: "DEPLOY_PROVIDER says what serves the apps that agents deploy. Core starts without what that needs, and the first app that an agent publishes fails.",
    bad: `{ "env": { "core": { ${FLY_ENV} } } }`,
    good: `{ "env": { "core": { ${FLY_ENV}, "FLY_DEPLOY_APP_PREFIX": "acme-d" } } }`,
    check(deployment, report) {
      const core = processOf(deployment, "core");
      const provider = core?.text("core.deployProvider");
      if (core === null) return;
      if (provider === "fly") for (const finding of flyProblems(deployment, core)) report(finding);
      if (provider === "aws") for (const finding of awsProblems(deployment, core)) report(finding);
    },
  },
];

function* flyProblems({ release }: Deployment, core: ServiceProcess): Iterable<Finding> {
  const missing = FLY_PARTS.filter((key) => core.lacks(key)).map((key) => `\`${nameOf(release.release, key)}\``);
  if (missing.length > 0)
    yield {
      message: `${core.named("core.deployProvider")} is \`fly\`, and core has no ${missing.join(" and no ")}: agents cannot publish apps`,
      help: "set what is missing in `env.core`, or remove DEPLOY_PROVIDER",
      place: core.place("core.deployProvider"),
    };
  const prefix = core.text("core.flyDeployAppPrefix") ?? "";
  if (prefix !== "" && !(prefix.length <= LONGEST_PREFIX && isDnsLabel(prefix)))
    yield {
      message: `${core.named("core.flyDeployAppPrefix")} gives agents' apps a prefix that is no lower-case DNS label of at most ${LONGEST_PREFIX} characters: agents cannot publish apps`,
      help: "use a shorter `deployAppPrefix`, such as `acme-d`",
      place: core.place("core.flyDeployAppPrefix"),
    };
}

function* awsProblems({ target, workloads }: Deployment, core: ServiceProcess): Iterable<Finding> {
  // On aws the image has a rule of its own.
  if (target !== "aws" && core.lacks("core.awsDeployImage"))
    yield {
      message: `${core.named("core.deployProvider")} is \`aws\`, and ${core.named("core.awsDeployImage")} names no image: agents cannot publish apps`,
      help: "name the MicroVM image, or remove DEPLOY_PROVIDER",
      place: core.place("core.deployProvider"),
    };
  const hasSandboxBucket = workloads.some(
    ({ name, environment }) =>
      name === "core" && environment.some((entry) => entry.name === "AWS_SANDBOX_S3_BUCKET" && entry.value !== ""),
  );
  if (core.isSet("core.awsDeployDataRole") && core.lacks("core.awsDeployDataBucket") && !hasSandboxBucket)
    yield {
      message: `${core.named("core.awsDeployDataRole")} is set without ${core.named("core.awsDeployDataBucket")}: agents cannot publish apps`,
      help: "name the bucket of the apps' databases, or remove the role",
      place: core.place("core.awsDeployDataRole"),
    };
}
