import type { ConfigPath } from "../base/config-path.ts";
import type { RuleInfo } from "../diagnostics/rule-info.ts";
import type { Deployment } from "../deployment/deployment.ts";
import type { Refusal } from "./artifact.ts";

/** The ids that renderers refuse with; a part of the registry that docs and `explain` are made from. */
export const RENDER_RULES: readonly RuleInfo[] = [
  {
    id: "render/image-missing",
    title: "No image to render",
    severity: "error",
    clause: null,
    why: "An artifact that starts a container needs an image. qm 0.1.6 published none, so there every workload needs one in `imageOverrides`; a plugin needs `image` or a Dockerfile.",
    bad: `{ "target": "fly", "services": ["core"] } // with qm 0.1.6`,
    good: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core@sha256:…" } }`,
  },
  {
    id: "render/image-not-pinned",
    title: "Image without a digest",
    severity: "error",
    clause: null,
    why: "A tag can be moved after the review of what was rendered. A task definition names the copy in ECR by its digest, which only a pinned image has.",
    bad: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core:latest" } }`,
    good: `{ "imageOverrides": { "core": "ghcr.io/acme/qm-core@sha256:…" } }`,
  },
  {
    id: "render/value-not-carried",
    title: "Value that the format cannot carry",
    severity: "error",
    clause: null,
    why: "Each file format and reader has characters that it loses or misreads. A value that would arrive changed is refused by its name instead of being rendered wrong.",
    bad: `{ "env": { "core": { "GREETING": "two\\nlines" } } } // docker's env files hold one line a value`,
    good: `{ "env": { "core": { "GREETING": "one line" } } }`,
  },
  {
    id: "render/secret-missing",
    title: "No value for a secret",
    severity: "error",
    clause: "secrets.computed-set",
    why: "`render --secrets` writes the values that services start with. A file without a required one, or with a placeholder in its place, would fail later and elsewhere.",
    bad: `CAPABILITY_SECRET=replace-me`,
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}`,
  },
  {
    id: "render/name-twice",
    title: "Name both plain and secret",
    severity: "error",
    clause: "config.secretEnv",
    why: "A container gets each name once. When the environment and a secret both claim it, one of them would be lost without a word.",
    bad: `{ "env": { "core": { "FOO": "1" } }, "secretEnv": { "core": { "FOO": "FOO" } } }`,
    good: `{ "secretEnv": { "core": { "FOO": "FOO" } } }`,
  },
  {
    id: "render/too-large",
    title: "Artifact above the limit of its reader",
    severity: "error",
    clause: null,
    why: "Amazon ECS refuses a task definition above 64 KiB, long after the review.",
    bad: `{ "env": { "core": { "BLOB": "… 70,000 characters …" } } }`,
    good: `{ "env": { "core": { "BLOB_URL": "https://…" } } }`,
  },
  {
    id: "render/incomplete",
    title: "Part of the configuration missing",
    severity: "error",
    clause: "config.v1",
    why: "An artifact is not rendered from half a configuration: the missing part would be made up.",
    bad: `{ "target": "aws" } // no aws block`,
    good: `{ "target": "aws", "aws": { "accountId": "…" } }`,
  },
];

/** A refusal of one artifact, pointing at the config place that is to be changed. */
export function refuse(
  deployment: Deployment,
  what: {
    readonly artifact: string;
    readonly rule: string;
    readonly message: string;
    readonly help: string;
    readonly path: ConfigPath;
  },
): Refusal {
  const info = RENDER_RULES.find((rule) => rule.id === what.rule);
  return {
    artifact: what.artifact,
    rule: what.rule,
    clause: info?.clause ?? null,
    severity: "error",
    message: what.message,
    help: what.help,
    file: deployment.document.file,
    range: deployment.document.keyRange(what.path),
    fix: null,
  };
}
