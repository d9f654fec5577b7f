import { readRoleArn } from "../../catalog/grammar/role-arn.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { awsBlock, coordinates } from "./block.ts";

/** A role that the deployment's account does not have. */
export const FOREIGN_ROLE: Rule = {
  id: "aws/foreign-role",
  title: "Role of another account",
  severity: "error",
  clause: "config.v1",
  why: "Tasks and deployments can only run with roles of the account that they run in.",
  bad: '{ "target": "aws", "aws": { "deployRoleArn": "arn:aws:iam::123456789012:role/acme-qm-deploy" } }',
  good: '{ "target": "aws", "aws": { "deployRoleArn": "arn:aws:iam::210987654321:role/acme-qm-deploy" } }',
  check(deployment, report) {
    const aws = awsBlock(deployment);
    if (aws?.accountId === undefined) return;
    const roles: [ConfigPath, string | undefined][] = [[["aws", "deployRoleArn"], aws.deployRoleArn]];
    for (const [workload, service] of coordinates(deployment)) {
      for (const name of ["taskRoleArn", "executionRoleArn"] as const)
        roles.push([["aws", "services", workload, name], service[name]]);
    }
    for (const [path, arn] of roles) {
      if (arn === undefined) continue;
      const role = readRoleArn(arn);
      const place = { path, at: "value" } as const;
      // A name that is longer than IAM allows passes the shape, which knows no lengths.
      if (role === null)
        report({
          message: `${field(path)} has a role name or path that IAM does not allow`,
          help: "use the ARN that `aws iam get-role` shows",
          place,
        });
      else if (role.accountId !== aws.accountId)
        report({
          message: `${field(path)} is a role of another account than \`aws.accountId\``,
          help: "use a role of the deployment's own account",
          place,
        });
    }
  },
};
