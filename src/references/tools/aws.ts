import { readSecretArn, type SecretArn } from "../../base/secret-arn.ts";
import { ownField, parseJson } from "../../base/json.ts";
import type { Call, NoValue, Tool } from "../tool.ts";

const NOT_READ: NoValue = {
  problem: "is in AWS, whose answer has no text for it",
  help: "look at the secret with `aws secretsmanager describe-secret` or `aws ssm describe-parameters`",
};

/** `aws`, for the ARNs of secrets and parameters; in the region that the ARN names, whatever the profile says. */
export const AWS: Tool = {
  program: "aws",
  install: "the AWS command line (https://aws.amazon.com/cli)",
  help: "run `aws sts get-caller-identity`, sign in, and see that this identity may read the secret in its account and region",
  failures:
    /An error occurred \([A-Za-z]{3,60}\) when calling the (?:GetSecretValue|GetParameter) operation|Unable to locate credentials|Partial credentials found|Error loading SSO Token|The SSO session associated with this profile has expired|Your session has expired or credentials have changed|(?:Error when retrieving|Cannot refresh) credentials|The config profile|Could not connect to the endpoint URL|(?:Read|Connect) timeout on endpoint URL|SSL validation failed|Failed to connect to proxy URL/,
  callFor: ({ text }) => {
    const arn = readSecretArn(text);
    if (arn === null) return NOT_READ;
    return arn.service === "ssm" ? parameterCall(arn) : secretCall(arn);
  },
};

function secretCall({ id, region, stage, version, key }: SecretArn): Call {
  const args = [
    ...["secretsmanager", "get-secret-value", "--secret-id", id],
    ...(stage === "" ? [] : ["--version-stage", stage]),
    ...(version === "" ? [] : ["--version-id", version]),
    ...["--region", region, "--output", "json"],
  ];
  return {
    args,
    read: (printed) => {
      const answer = parseJson(printed);
      const text = ownField(answer, "SecretString");
      if (typeof text !== "string")
        return ownField(answer, "SecretBinary") === undefined
          ? NOT_READ
          : { problem: "is binary in Secrets Manager, and an environment holds text", help: "store it as text there" };
      return key === "" ? text : valueOfKey(text, key);
    },
  };
}

/** As Amazon ECS reads `arn:…:secret:<name>:<key>::`. */
function valueOfKey(text: string, key: string): string | NoValue {
  const value = ownField(parseJson(text), key);
  if (typeof value === "string") return value;
  return {
    problem: "names a key of the secret's JSON under which there is no text",
    help: "correct the part of the ARN behind the name, or the secret",
  };
}

function parameterCall({ id, region }: SecretArn): Call {
  return {
    args: ["ssm", "get-parameter", "--name", id, "--with-decryption", "--region", region, "--output", "json"],
    read: (printed) => {
      const value = ownField(ownField(parseJson(printed), "Parameter"), "Value");
      return typeof value === "string" ? value : NOT_READ;
    },
  };
}
