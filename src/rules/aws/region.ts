import { AWS_REGIONS, suggestAwsRegion } from "../../catalog/targets/aws.ts";
import type { Rule } from "../rule.ts";
import { awsBlock } from "./block.ts";

/** A region that AWS does not have, as far as is known. */
export const AWS_REGION: Rule = {
  id: "aws/region",
  title: "Unknown AWS region",
  severity: "warning",
  clause: null,
  why: "Nothing answers in a region that does not exist. New ones open, so this is no error.",
  bad: '{ "target": "aws", "aws": { "region": "us-wst-2" } }',
  good: '{ "target": "aws", "aws": { "region": "us-west-2" } }',
  check(deployment, report) {
    const region = awsBlock(deployment)?.region;
    if (region === undefined || AWS_REGIONS.includes(region)) return;
    const meant = suggestAwsRegion(region);
    const path = ["aws", "region"];
    report({
      message: `\`${region}\` is no region of AWS that is known here`,
      help: meant === null ? "`aws account list-regions` lists them" : `did you mean \`${meant}\`?`,
      command: meant === null ? "aws account list-regions" : undefined,
      place: { path, at: "value" },
      ...(meant === null
        ? {}
        : {
            fix: {
              safety: "suggested",
              title: `set \`aws.region\` to \`${meant}\``,
              changes: [{ kind: "set", path, value: meant }],
            },
          }),
    });
  },
};
