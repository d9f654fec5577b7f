import type { Concern, RuleInfo } from "../diagnostics/rule-info.ts";

/** Completes rules that are always errors; most are about what no fragment of a config can show. */
function errors(
  concerns: Concern,
  rules: readonly (Pick<RuleInfo, "id" | "title" | "why"> & Partial<RuleInfo>)[],
): readonly RuleInfo[] {
  return rules.map((rule) => ({ severity: "error", concerns, bad: "", good: "", ...rule }));
}

/** What the reader and the writer of files report. Each ends a run with status 2. */
const INPUT_RULES = errors("input", [
  {
    id: "input/missing",
    title: "Input that does not exist",
    why: "A path that is not there is a wrong command or a lost file, never a deployment that passes.",
  },
  {
    id: "input/unreadable",
    title: "Input that cannot be read",
    why: "Without permission to read a file nothing can be said about it.",
  },
  {
    id: "input/not-a-file",
    title: "Input that is not a regular file",
    why: "Pipes, sockets and devices are not read, since reading them could block or never end. Only `-e` takes a pipe, with a time limit, as that is how secrets are handed over without a file; Node itself empties one that `--env-file` names.",
  },
  {
    id: "input/too-large",
    title: "Input above the size limit",
    why: "A config or an env file of more than 1 MiB is not one; the limit keeps memory and time bounded.",
  },
  {
    id: "input/not-text",
    title: "Input that is not UTF-8 text",
    why: "QM reads its files as UTF-8. Text in another encoding would be read as something else than it says.",
  },
  {
    id: "input/no-deployment",
    title: "No deployment found",
    why: "A gate that looks at nothing must not pass. What `render` wrote is no deployment, wherever it lies.",
  },
  {
    id: "input/unwritable",
    title: "Fixes that could not be written",
    why: "A config that is a link, is read-only or changes meanwhile is left as it was; what `--fix` would have fixed is still there.",
  },
]);

/** What renderers refuse an artifact with. */
const RENDER_RULES = errors("rendering", [
  {
    id: "render/image-missing",
    title: "No image to render",
    why: "An artifact that starts a container needs an image. qm 0.1.6 published none, so there every workload needs one in `imageOverrides`; a plugin needs `image` or a Dockerfile.",
    bad: `{ "target": "fly", "services": ["core"] } // with qm 0.1.6`,
    good: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core@sha256:…" } }`,
  },
  {
    id: "render/image-not-pinned",
    title: "Image without a digest",
    why: "A tag can be moved after the review of what was rendered. A task definition names the copy in ECR by its digest, which only a pinned image has.",
    bad: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core:latest" } }`,
    good: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core@sha256:…" } }`,
  },
  {
    id: "render/value-not-carried",
    title: "Value that the format cannot carry",
    why: "Each file format and reader has characters that it loses or misreads. A value that would arrive changed is refused by its name instead of being rendered wrong.",
    bad: `{ "env": { "core": { "GREETING": "two\\nlines" } } } // docker's env files hold one line a value`,
    good: `{ "env": { "core": { "GREETING": "one line" } } }`,
  },
  {
    id: "render/secret-missing",
    title: "No value for a secret",
    clause: "secrets.computed-set",
    why: "`render --secrets` writes the values that services start with. A file without a required one, or with a placeholder in its place, would fail later and elsewhere.",
    bad: `CAPABILITY_SECRET=replace-me`,
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}`,
  },
  {
    id: "render/name-twice",
    title: "Name both plain and secret",
    clause: "config.secretEnv",
    why: "A container gets each name once. When the environment and a secret both claim it, one of them would be lost without a word.",
    bad: `{ "env": { "core": { "FOO": "1" } }, "secretEnv": { "core": { "FOO": "FOO" } } }`,
    good: `{ "secretEnv": { "core": { "FOO": "FOO" } } }`,
  },
  {
    id: "render/too-large",
    title: "Artifact above the limit of its reader",
    why: "Amazon ECS refuses a task definition above 64 KiB, long after the review.",
    bad: `{ "env": { "core": { "BLOB": "… 70,000 characters …" } } }`,
    good: `{ "env": { "core": { "BLOB_URL": "https://…" } } }`,
  },
  {
    id: "render/deployment-identity",
    title: "Core that only qm's own `up` can deploy",
    why: "Under `aws.backgroundWorkControl` core starts only with an id that qm's own `up` makes for each deployment. A task definition without it would be refused when it is deployed.",
    bad: `{ "target": "aws", "aws": { "backgroundWorkControl": true } }`,
    good: `{ "target": "aws", "aws": { "backgroundWorkControl": false } }`,
  },
  {
    id: "render/incomplete",
    title: "Missing part of the configuration",
    clause: "config.v1",
    why: "An artifact is not rendered from half a configuration: the missing part would be made up.",
    bad: `{ "target": "aws" } // no aws block`,
    good: `{ "target": "aws", "aws": { "accountId": "…" } }`,
  },
  {
    id: "render/drift",
    title: "Rendered files that are not what the config says",
    why: "What is reviewed and deployed are the rendered files. The GitHub Action says so of a deployment whose committed files `render --check` finds different; on the command line, `render --check` itself shows the differences.",
  },
]);

/** Faults of this toolkit. Each ends a run with status 70, and stops every operation. */
const TOOLKIT_RULES = errors("toolkit", [
  {
    id: "internal/broken-rule",
    title: "Rule that failed",
    why: "A rule of qm-deploy failed, which is always a fault of qm-deploy. The other rules were still run and their findings are complete.",
  },
  {
    id: "internal/fault",
    title: "Fault of qm-deploy",
    why: "qm-deploy failed on a deployment, which is always a fault of qm-deploy. The other deployments of the run were still judged.",
  },
]);

/** Everything that is reported around a check, by what reads files, renders or runs the rules. */
export const OPERATION_RULES: readonly RuleInfo[] = [...INPUT_RULES, ...RENDER_RULES, ...TOOLKIT_RULES];
