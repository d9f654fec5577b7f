import { AWS_LIMITS } from "../../catalog/targets/aws.ts";
import type { WrittenAws } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { field } from "../wording.ts";
import type { Finding, Report, Rule } from "../rule.ts";
import { awsBlock, coordinates } from "./block.ts";

/** A name that is made from others and gets too long for AWS. */
export const NAME_LENGTH: Rule = {
  id: "aws/name-length",
  title: "Name that is too long for AWS",
  severity: "error",
  clause: "config.v1",
  why: "Names of services, roles and secrets are put together from parts; AWS refuses the whole when it is too long.",
  bad: `{ "target": "aws", "aws": { "services": { "core": { "ecsService": "${"a".repeat(256)}" } } } }`,
  good: '{ "target": "aws", "aws": { "services": { "core": { "ecsService": "acme-core" } } } }',
  check(deployment, report) {
    const aws = awsBlock(deployment);
    if (aws === null) return;
    for (const [workload, { ecsService, assumeRoleArns, taskRoleArn }] of coordinates(deployment)) {
      const path = ["aws", "services", workload];
      const most =
        workload === "core" && aws.backgroundWorkControl === true
          ? AWS_LIMITS.backgroundEcsService
          : AWS_LIMITS.ecsName;
      if (ecsService !== undefined && ecsService.length > most)
        report(tooLong([...path, "ecsService"], ecsService.length, most));
      const role = `${aws.cluster ?? ""}-${workload}-task`.length;
      if (assumeRoleArns === undefined || taskRoleArn !== undefined || role <= AWS_LIMITS.roleName) continue;
      report({
        message: `the task role of \`${workload}\` would have a name of ${role} characters, and ${AWS_LIMITS.roleName} are the most`,
        help: `name a role of its own in ${field([...path, "taskRoleArn"])}`,
        place: { path: [...path, "assumeRoleArns"] },
      });
    }
    reportSecretName(deployment, aws, report);
  },
};

function tooLong(path: readonly string[], length: number, most: number): Finding {
  const why = most === AWS_LIMITS.backgroundEcsService ? " under `aws.backgroundWorkControl`, which appends to it" : "";
  return {
    message: `${field(path)} has ${length} characters, and ${most} are the most${why}`,
    help: "shorten it",
    place: { path, at: "value" },
  };
}

function reportSecretName({ secrets }: Deployment, { secretsPrefix }: WrittenAws, report: Report): void {
  const longest = secrets.reduce((name, secret) => (secret.name.length > name.length ? secret.name : name), "");
  if (secretsPrefix === undefined || secretsPrefix.length + longest.length <= AWS_LIMITS.secretName) return;
  const shown = longest.length > 80 ? `${longest.slice(0, 80)}…` : longest;
  report({
    message: `\`aws.secretsPrefix\` and the secret \`${shown}\` together have more than ${AWS_LIMITS.secretName} characters`,
    help: "shorten the prefix or the name of the secret",
    place: { path: ["aws", "secretsPrefix"], at: "value" },
  });
}
