import type { World } from "./stand-ins/index.ts";

/** The value of one secret in `.env`, what the stores hold, and what comes of it. */
export interface Row {
  readonly what: string;
  /** The line of `.env` for CAPABILITY_SECRET, and what else stands there. */
  readonly env: string;
  readonly world?: World;
  /** The value that is read. */
  readonly value?: string;
  /** What is said in its place; the help of the tool is beside it. */
  readonly problem?: RegExp;
}

export const KEY = "k7Qm".repeat(10);
const SECRET = "arn:aws:secretsmanager:eu-west-1:210987654321:secret:acme/cap-AbCdEf";
const PARAMETER = "arn:aws-us-gov:ssm:us-gov-west-1:210987654321:parameter/acme/cap";
const CIPHER = `encrypted:${"BAbc".repeat(12)}=`;
const SOPS_LINE = "ENC[AES256_GCM,data:3v0xkq1Zb9s8dQ==,iv:Zk0a=,tag:aB1c==,type:str]";
const SOPS_TAIL = `sops_mac=${SOPS_LINE}\nsops_version=3.11.0\n`;

export const ROWS: readonly Row[] = [
  { what: "op", env: "op://acme/qm/cap", world: { op: { "op://acme/qm/cap": KEY } }, value: KEY },
  {
    what: "op, with blanks",
    env: '"op://My Vault/qm/a section/cap"',
    world: { op: { "op://My Vault/qm/a section/cap": KEY } },
    value: KEY,
  },
  {
    what: "op, as op inject writes it",
    env: "'{{ op://acme/qm/cap }}'",
    world: { op: { "op://acme/qm/cap": KEY } },
    value: KEY,
  },
  {
    what: "a value of several lines",
    env: "op://acme/qm/pem",
    world: { op: { "op://acme/qm/pem": "a\nb\n" } },
    value: "a\nb",
  },
  {
    what: "op, no such item",
    env: "op://acme/none/cap",
    problem: /`op`: it says: isn't an item$/,
  },
  {
    what: "op, not signed in",
    env: "op://acme/qm/cap",
    world: {
      faults: {
        op: {
          status: 1,
          says: "[ERROR] 2026/11/30 20:00:00 You are not currently signed in. Please run `op signin --help` for instructions",
        },
      },
    },
    problem: /`op`: it says: You are not currently signed in$/,
  },
  {
    what: "op, a blank field",
    env: "op://acme/qm/cap",
    world: { op: { "op://acme/qm/cap": "\n" } },
    problem: /is blank where `op` read it/,
  },
  {
    what: "a secret of AWS",
    env: SECRET,
    world: { aws: { [`eu-west-1 ${SECRET}`]: { AWSCURRENT: { SecretString: KEY } } } },
    value: KEY,
  },
  {
    what: "a key of its JSON, in an older version",
    env: `${SECRET}:cap:AWSPREVIOUS:`,
    world: { aws: { [`eu-west-1 ${SECRET}`]: { AWSPREVIOUS: { SecretString: JSON.stringify({ cap: KEY }) } } } },
    value: KEY,
  },
  {
    what: "a key that the JSON has not",
    env: `${SECRET}:toString::`,
    world: { aws: { [`eu-west-1 ${SECRET}`]: { AWSCURRENT: { SecretString: JSON.stringify({ cap: KEY }) } } } },
    problem: /names a key of the secret's JSON under which there is no text/,
  },
  {
    what: "a binary secret of AWS",
    env: SECRET,
    world: { aws: { [`eu-west-1 ${SECRET}`]: { AWSCURRENT: { SecretBinary: "AAEC" } } } },
    problem: /is binary in Secrets Manager/,
  },
  { what: "a parameter of AWS", env: PARAMETER, world: { aws: { [`us-gov-west-1 ${PARAMETER}`]: KEY } }, value: KEY },
  {
    what: "no such secret there",
    env: SECRET,
    problem:
      /`aws`: it says: An error occurred \(ResourceNotFoundException\) when calling the GetSecretValue operation$/,
  },
  {
    what: "an expired token",
    env: SECRET,
    world: {
      faults: {
        aws: {
          status: 254,
          says: "\nAn error occurred (ExpiredTokenException) when calling the GetSecretValue operation: The security token included in the request is expired",
        },
      },
    },
    problem: /ExpiredTokenException/,
  },
  {
    what: "an answer that is no JSON",
    env: SECRET,
    world: { faults: { aws: { status: 0, printed: "<html>" } } },
    problem: /is in AWS, whose answer has no text for it/,
  },
  {
    what: "vals",
    env: "ref+vault://secret/data/qm#/cap",
    world: { vals: { "ref+vault://secret/data/qm#/cap": KEY } },
    value: KEY,
  },
  {
    what: "vals, in a part of a value",
    env: "key-ref+awsssm://acme/qm+",
    world: { vals: { "ref+awsssm://acme/qm+": KEY } },
    value: `key-${KEY}`,
  },
  {
    what: "vals, refused",
    env: "secretref+vault://secret/none",
    problem: /`vals`: it says: Code: 403$/,
  },
  { what: "SOPS", env: `${SOPS_LINE}\n${SOPS_TAIL}`, world: { sops: `CAPABILITY_SECRET="${KEY}"\n` }, value: KEY },
  {
    what: "SOPS, no key",
    env: `${SOPS_LINE}\n${SOPS_TAIL}`,
    problem: /`sops`: it says: Failed to get the data key required to decrypt the SOPS file$/,
  },
  { what: "SOPS, a value alone", env: SOPS_LINE, problem: /sops metadata not found/ },
  {
    what: "SOPS, without the name",
    env: `${SOPS_LINE}\n${SOPS_TAIL}`,
    world: { sops: "OTHER=x\n" },
    problem: /is not in what `sops` gave/,
  },
  { what: "dotenvx", env: CIPHER, world: { dotenvx: { [CIPHER]: KEY } }, value: KEY },
  {
    what: "dotenvx, in double quotes",
    env: `"${CIPHER}"`,
    world: { dotenvx: { [CIPHER]: 'a\\nb\\"' } },
    value: 'a\nb"',
  },
  { what: "dotenvx, in single quotes", env: `'${CIPHER}'`, world: { dotenvx: { [CIPHER]: "a\\nb" } }, value: "a\\nb" },
  {
    what: "dotenvx, no key",
    env: CIPHER,
    problem: /`dotenvx`: it says: \[DECRYPTION_FAILED\]$/,
  },
];

/** What a store may hold or a tool may do that is to do no harm. */
export const HOSTILE: readonly Row[] = [
  {
    what: "what is no UTF-8",
    env: "op://acme/qm/cap",
    world: { op: { "op://acme/qm/cap": [0x61, 0xff, 0xfe] } },
    problem: /it printed what is no UTF-8 text/,
  },
  {
    what: "a huge value",
    env: "op://acme/qm/cap",
    world: { op: { "op://acme/qm/cap": "x".repeat(131_073) } },
    problem: /is longer than 128 KiB/,
  },
  {
    what: "an endless one",
    env: "op://acme/qm/cap",
    world: { op: { "op://acme/qm/cap": "x".repeat(5_000_000) } },
    problem: /it printed more than is read/,
  },
  {
    what: "a tool that prints the secret when it fails",
    env: "op://acme/qm/cap",
    world: {
      faults: {
        op: {
          status: 1,
          printed: "correct horse battery\n",
          says: "could not write correct horse battery (op://acme/qm/cap, ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5)",
        },
      },
    },
    problem: /^was not given by `op`: it failed with status 1$/,
  },
  {
    what: "a tool that prints a secret of plain words where it fails, and nowhere else",
    env: "op://acme/qm/cap",
    world: { faults: { op: { status: 1, says: "correct horse battery: session expired: correct horse battery" } } },
    problem: /^was not given by `op`: it says: session expired$/,
  },
  {
    what: "a tool that shows the beginning of its key",
    env: CIPHER,
    world: {
      faults: {
        dotenvx: {
          status: 1,
          says: "[WRONG_PRIVATE_KEY] could not decrypt A using private key 'DOTENV_PRIVATE_KEY=5c51d78…'",
        },
      },
    },
    problem: /^was not given by `dotenvx`: it says: \[WRONG_PRIVATE_KEY\]$/,
  },
  {
    what: "a tool that speaks to the terminal and the log",
    env: "op://acme/qm/cap",
    world: { faults: { op: { status: 1, says: "\n\u001b[2J\u001b]0;x\u0007::error::x` and\r\nmore" } } },
    problem: /^was not given by `op`: it failed with status 1$/,
  },
  {
    what: "a value that would be an option",
    env: "'--config=ref+vault://secret/x'",
    world: { vals: { "ref+vault://secret/x": KEY } },
    problem: /begins with a hyphen/,
  },
  {
    what: "a tool that says nothing",
    env: "op://acme/qm/cap",
    world: { faults: { op: { status: 3 } } },
    problem: /it failed with status 3$/,
  },
  {
    what: "another reference",
    env: "op://acme/qm/cap",
    world: { op: { "op://acme/qm/cap": "op://acme/qm/cap" } },
    value: "op://acme/qm/cap",
  },
  {
    what: "an object in the place of the answer",
    env: SECRET,
    world: { aws: { [`eu-west-1 ${SECRET}`]: { AWSCURRENT: { SecretString: { a: 1 } } } } },
    problem: /no text for it/,
  },
];

/** Values that are for no tool, though they look it: none is started. */
export const NOT_ASKED: readonly string[] = [
  "arn:aws:secretsmanager:eu-west-1:210987654321:secret:x;touch /tmp/x",
  "arn:aws:secretsmanager:eu-west-1:210987654321:secret:$(id)",
  "arn:aws:ssm:eu-west-1:210987654321:document/acme",
  "arn:aws:secretsmanager:eu-west-1:21098765432:secret:x",
  "ref+exec://sh/-c/id",
  "a ref+exec://sh/-c/id",
  "vault:secret/data/acme#cap",
  "plain",
];
