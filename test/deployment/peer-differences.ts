/** A difference to qm 0.1.12 that is meant. `undefined` stands for "not rendered" or "not in the catalogue". */
export interface Difference {
  /** What differs: `core.SANDBOX_BACKEND`, or `secret DATABASE_URL`. */
  readonly what: string;
  /** The configurations of peer/configs.ts in which it shows; a test fails where it does not. */
  readonly configs: readonly string[];
  readonly ours: string | undefined;
  readonly qm: string | undefined;
  readonly why: string;
}

const FLY = [
  "nothing chosen",
  "sprites",
  "agent37",
  "boxd through env",
  "own identity provider",
  "slack sets the model",
  "plugins",
].map((name) => `fly/${name}`);

/** What Lambda MicroVMs need of core on aws. */
const LAMBDA: readonly (readonly [name: string, value: string])[] = [
  ["AWS_SANDBOX_EXEC_ROLE_ARN", "arn:aws:iam::210987654321:role/acme-qm-microvm-exec"],
  ["AWS_SANDBOX_IMAGE", "acme-apps"],
  ["AWS_SANDBOX_IMAGE_VERSION", ""],
  ["AWS_SANDBOX_REGION", "us-west-2"],
  ["AWS_SANDBOX_S3_BUCKET", "qm-acme-fc5d44ee52bc"],
];
const DOCKER = [
  "nothing chosen",
  "local",
  "local with an image",
  "sprites",
  "agent37",
  "boxd through env",
  "local through env",
  "every service",
  "slack sets the model",
  "screen",
].map((name) => `docker/${name}`);

/** Every accepted difference between what qm 0.1.12 renders and what this toolkit resolves. */
export const DIFFERENCES: readonly Difference[] = [
  {
    what: "core.SANDBOX_BACKEND",
    configs: ["docker/sprites", "fly/sprites"],
    ours: "sprites",
    qm: undefined,
    why: "core refuses to start in production without SANDBOX_BACKEND, so it is rendered whenever a backend is selected",
  },
  {
    what: "core.DOCKER_HOST",
    configs: ["docker/local through env"],
    ours: "unix:///var/run/docker.sock",
    qm: undefined,
    why: "qm wires the local backend only where `sandbox.backend` names it; core runs it all the same when `env.core` does",
  },
  {
    what: "core.QM_CORE_CONTAINER",
    configs: ["docker/local through env"],
    ours: "qm-acme-core",
    qm: undefined,
    why: "as DOCKER_HOST",
  },
  {
    what: "core.LOCAL_SANDBOX_IMAGE",
    configs: ["docker/local through env"],
    ours: "qm-acme-sandbox-local:latest",
    qm: undefined,
    why: "as DOCKER_HOST",
  },
  {
    what: "core.AUTH_ALLOWED_EMAIL_DOMAIN",
    configs: ["docker/every service"],
    ours: "acme.com",
    qm: undefined,
    why: "qm hands core the domain on fly and aws, and the list of addresses on every target; docker's core needs it no less",
  },
  ...["DATABASE_URL", "POSTGRES_PASSWORD"].map((name): Difference => ({
    what: `secret ${name}`,
    configs: DOCKER,
    ours: `optional, operator, ${name === "DATABASE_URL" ? "core" : "pg"}.${name}`,
    qm: undefined,
    why: "qm reads it from `.env` without listing it, or makes it itself; a rendered compose.yaml has no other place to take it from",
  })),
  ...["DATABASE_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_S3"].map((name): Difference => ({
    what: `secret ${name}`,
    configs: FLY,
    ours: `required, fly, core.${name}`,
    qm: undefined,
    why: "Fly puts it into core's app when the database or bucket is attached; listing it says so, and no operator has to supply it",
  })),
  {
    what: "secret BOXD_API_KEY",
    configs: ["fly/boxd through env"],
    ours: "required, operator, core.BOXD_API_KEY",
    qm: undefined,
    why: "qm knows no boxd; here the key is required exactly when boxd is a selected backend",
  },
  {
    what: "core.SANDBOX_BACKEND",
    configs: ["aws/slack names the backend"],
    ours: "sprites",
    qm: "aws",
    why: "slack's environment lands in core on every target; on aws qm overwrites the name with its default and says nothing",
  },
  {
    what: "secret SPRITES_TOKEN",
    configs: ["aws/slack names the backend"],
    ours: "required, operator, core.SPRITES_TOKEN",
    qm: undefined,
    why: "follows from the backend",
  },
  ...LAMBDA.map(([name, value]): Difference => ({
    what: `core.${name}`,
    configs: ["aws/slack names the backend"],
    ours: undefined,
    qm: value,
    why: "follows from the backend",
  })),
  ...LAMBDA.map(([name, value]): Difference => ({
    what: `core.${name}`,
    configs: ["aws/secondary"],
    ours: value,
    qm: undefined,
    why: "qm wires only the primary backend; core cannot start a MicroVM for the secondary one without these",
  })),
];
