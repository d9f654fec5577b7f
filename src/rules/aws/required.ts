import type { ConfigPath } from "../../base/config-path.ts";
import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { awsBlock } from "./block.ts";

/** What qm demands of `aws`, each with what to put there. */
const REQUIRED: readonly (readonly [path: ConfigPath, what: string])[] = [
  [["accountId"], "the 12 digits of the account"],
  [["region"], "the region, such as `us-west-2`"],
  [["cluster"], "the name of the ECS cluster"],
  [["deployRoleArn"], "the ARN of the role that deploys"],
  [["secretsPrefix"], "what the names in Secrets Manager begin with, such as `acme-qm/`"],
  [["imageLabel"], "the tag of the images in ECR, such as `stable`"],
  [
    ["networking", "cloudMapNamespace"],
    "the Cloud Map namespace that services find each other in, such as `acme-qm.internal`",
  ],
  [["services"], "the coordinates of each service"],
];

/** What must be there as soon as a block is. */
const TOGETHER: readonly (readonly [path: ConfigPath, what: string])[] = [
  [["deploymentState", "table"], "the DynamoDB table that keeps the state of deployments"],
  [["deploymentState", "namespace"], "the namespace of this deployment in the table"],
];

/** Where each of them stands, and what it stands in. */
const PARTS = [...REQUIRED, ...TOGETHER].map(([step, what]) => ({
  path: ["aws", ...step],
  parent: ["aws", ...step.slice(0, -1)],
  what,
}));

/** A part of `aws` that qm cannot do without. */
export const MISSING_AWS_FIELD: Rule = {
  id: "aws/missing-field",
  title: "Part of `aws` missing",
  severity: "error",
  clause: "config.v1",
  why: "Nothing about an account, its cluster or its names can be guessed.",
  bad: '{ "target": "aws", "aws": { "alb": "acme-qm" } }',
  good: '{ "target": "aws", "aws": { "region": "us-west-2" } }',
  check(deployment, report) {
    const { target, document, broken } = deployment;
    if (target !== "aws" || broken) return;
    if (document.node(["aws"]) === undefined) {
      report({
        message: "`aws` is missing, which a deployment on aws needs",
        help: "add account, region, cluster and the coordinates of each service: `qm-deploy init --target aws` writes an example",
        command: "qm-deploy init --target aws",
        place: { path: ["aws"] },
      });
      return;
    }
    if (awsBlock(deployment) === null) return;
    for (const { path, parent, what } of PARTS) {
      const node = document.node(path);
      const isBlank = node?.kind === "string" && node.value === "" && path[1] === "secretsPrefix";
      if (node !== undefined && !isBlank) continue;
      const around = document.node(parent);
      if (around === undefined ? path[1] === "deploymentState" : around.kind !== "object") continue;
      report({
        message: `${field(path)} is ${isBlank ? "blank" : "missing"}`,
        help: `add ${what}`,
        place: isBlank ? { path, at: "value" } : { path },
      });
    }
  },
};

/** A shared load balancer without its name. */
export const SHARED_ALB: Rule = {
  id: "aws/shared-alb",
  title: "Shared load balancer without a name",
  severity: "error",
  clause: "config.v1",
  why: "A load balancer that several deployments share exists already: qm must know which one it is.",
  bad: '{ "target": "aws", "aws": { "sharedAlb": true } }',
  good: '{ "target": "aws", "aws": { "sharedAlb": true, "alb": "acme-shared" } }',
  check(deployment, report) {
    const aws = awsBlock(deployment);
    if (aws?.sharedAlb !== true || deployment.broken || deployment.document.node(["aws", "alb"]) !== undefined) return;
    report({
      message: "`aws.sharedAlb` is true, and `aws.alb` does not name the load balancer",
      help: "add its name in `aws.alb`",
      place: { path: ["aws", "sharedAlb"] },
    });
  },
};
