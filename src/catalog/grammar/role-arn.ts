/** The parts of an IAM role's ARN. */
export interface RoleArn {
  readonly accountId: string;
  /** `/` or `/a/b/`. */
  readonly path: string;
  readonly name: string;
}

/** Reads the ARN of an IAM role in a commercial account; null where the text is none. */
export function readRoleArn(text: string): RoleArn | null {
  const match = /^arn:aws:iam::(\d{12}):role(\/(?:[\x21-\x2e\x30-\x7e]+\/)*)([A-Za-z0-9_+=,.@-]{1,64})$/.exec(text);
  if (match === null || (match[2] as string).length > 512) return null;
  return { accountId: match[1] as string, path: match[2] as string, name: match[3] as string };
}
