import { isOwnSecret, readsWhole, secretArn } from "../../deployment/secrets/in-place.ts";
import { filledSecrets, inEnvFile } from "./entries.ts";
import { beside, type Rule } from "../rule.ts";
import { awsBlock } from "../aws/account.ts";

export const ARN_RULES: readonly Rule[] = [
  {
    id: "env-file/part-of-secret",
    title: "Part of a secret in the place of the whole",
    concerns: "secret-values",
    why: "A task reads the secret `<secretsPrefix><NAME>` as a whole. An ARN in `.env` that names a key of its JSON, or one version, is resolved to that part, which would then be put in the place of the whole.",
    bad: "CAPABILITY_SECRET=arn:aws:secretsmanager:us-west-2:210987654321:secret:acme-qm/CAPABILITY_SECRET:key::\n",
    good: "CAPABILITY_SECRET=arn:aws:secretsmanager:us-west-2:210987654321:secret:acme-qm/CAPABILITY_SECRET\n",
    check(deployment, report) {
      for (const { secret, entry } of filledSecrets(deployment)) {
        const arn = secretArn(deployment, secret);
        if (arn === null || !isOwnSecret(deployment, secret, arn) || readsWhole(arn)) continue;
        report({
          message: `\`${secret.name}\` is a part of the very secret that its tasks read as a whole`,
          help: "keep the JSON under another name, or write the ARN without what stands behind the name",
          place: inEnvFile(deployment, entry.valueRange),
        });
      }
    },
  },
  {
    id: "env-file/arn-elsewhere",
    title: "ARN of another region or account",
    severity: "warning",
    concerns: "secret-values",
    why: "Tasks read secrets of their own region and account. An ARN in `.env` that names another one is copied by `render --secrets --resolve`: a later change of the original reaches no task, and whoever resolves it needs rights in both.",
    bad: "CAPABILITY_SECRET=arn:aws:secretsmanager:eu-west-1:210987654321:secret:acme/cap\n",
    good: "CAPABILITY_SECRET=arn:aws:secretsmanager:us-west-2:210987654321:secret:acme/cap\n",
    check(deployment, report) {
      const { region, accountId } = awsBlock(deployment) ?? {};
      for (const { secret, entry } of filledSecrets(deployment)) {
        const arn = secretArn(deployment, secret);
        if (arn === null) continue;
        const fields = [
          ...(region === undefined || arn.region === region ? [] : ["region"]),
          ...(accountId === undefined || arn.account === accountId ? [] : ["accountId"]),
        ];
        if (fields.length === 0) continue;
        const differs = fields.map((field) => `\`aws.${field}\``).join(" and ");
        report({
          message: `the ARN of \`${secret.name}\` does not agree with ${differs}, where its tasks run`,
          help: "write the ARN of a secret there, or have it copied with each `render --secrets --resolve`",
          place: inEnvFile(deployment, entry.valueRange),
          related: fields.map((field) => beside(["aws", field], "where the tasks run")),
        });
      }
    },
  },
];
