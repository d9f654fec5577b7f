import { names, type Rule } from "../rule.ts";
import { awsBlock } from "./account.ts";

export const SECRET_SUFFIX_RULES: readonly Rule[] = [
  {
    id: "aws/secret-suffix",
    title: "Name of a secret that looks like the end of an ARN",
    why: "A task names a secret by its ARN without the hyphen and six characters that Secrets Manager appends. A name that ends in such a suffix itself is taken for a whole ARN: the secret is not found, and the task does not start.",
    bad: '{ "target": "aws", "aws": { "secretsPrefix": "acme-" }, "secretEnv": { "core": { "SENTRY": "SENTRY" } } }',
    good: '{ "target": "aws", "aws": { "secretsPrefix": "acme/" }, "secretEnv": { "core": { "SENTRY": "SENTRY" } } }',
    check(deployment, report) {
      const prefix = awsBlock(deployment)?.secretsPrefix;
      if (prefix === undefined) return;
      const confused = deployment.secrets
        .filter(({ name, destinations }) => destinations.length > 0 && /-\w{6}$/.test(prefix + name))
        .map(({ name }) => name);
      if (confused.length === 0) return;
      const ends = confused.length === 1 ? "ends" : "end";
      report({
        message: `behind \`aws.secretsPrefix\` ${names(confused)} ${ends} in a hyphen and six characters, which Secrets Manager takes for the random end of an ARN`,
        help: "let the prefix end in `/`, or give the secret another name",
        place: { path: ["aws", "secretsPrefix"], at: "value" },
      });
    },
  },
];
