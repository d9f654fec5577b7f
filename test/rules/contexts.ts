import type { SkillsPath, TreeEntry } from "../../src/deployment/inputs.ts";
import type { FragmentContext } from "../support/fragment.ts";

/** A file of the deployment directory, as the workspace reads it. */
export function file(path: string, facts: Partial<TreeEntry> = {}): TreeEntry {
  return {
    path,
    kind: "file",
    size: facts.text?.length ?? 10,
    mode: 0o644,
    text: null,
    isText: true,
    leadsTo: null,
    ...facts,
  };
}

/** A sound SKILL.md. */
export const SKILL = "---\nname: report\ndescription: Writes the weekly report.\n---\nCollect what was done.\n";

const BROKER = {
  services: ["core", "web-ui", "portal", "auth"],
  env: { core: { HARNESS: "pi" }, auth: { AUTH_EMAIL_TRANSPORT: "resend" } },
};
/** Every other secret that the sound deployment requires. */
const REST = [
  "ANTHROPIC_API_KEY=a1",
  "BOXD_API_KEY=b2",
  "PUBLIC_API_URL=https://qm.acme.dev",
  ...["CONNECTOR_SECRET_KEY", "CORE_SIGNING_SECRET", "PORTAL_IDENTITY_SECRET", "SKILL_SIGNING_SECRET"].map(
    (name, at) => `${name}=${String(at).repeat(64)}`,
  ),
];
const TOOL = [
  file("sandbox/tools/acme/tool.json", { text: '{"id":"acme","install":{"binary":"acme"}}' }),
  file("sandbox/tools/acme/acme"),
];

/** A path of `skills` with these files below. */
export function skillsPath(root: string, files: readonly TreeEntry[]): SkillsPath {
  return { written: root, kind: "directory", tree: { root, entries: files } };
}

/** What the fragments of a rule need around them, by rule id; rules that need nothing are not here. */
export const CONTEXTS: { readonly [rule: string]: FragmentContext } = {
  "secrets/env-value": { env: "BOXD_API_KEY=k3v9x2m7q4w8\n" },
  "sandbox/malformed-scopes": { release: "0.1.12" },
  "sandbox/idle-field": { release: "0.1.12" },
  "sandbox/backend-not-wired": { release: "0.1.12" },
  "sandbox/missing-setting": { release: "0.1.12" },
  "sandbox/undelivered-file": { sandboxTree: TOOL },
  "env-file/part-of-secret": { config: { target: "aws" } },
  "env-file/arn-elsewhere": { config: { target: "aws" } },
  "env-file/missing-secret": { env: `${REST.join("\n")}\n` },
  "env-file/signing-key": { config: BROKER },
  "env-file/allowed-emails": { config: BROKER },
  "env-file/email-from": { config: BROKER },
  "env-file/admin-grants": { config: { secretEnv: { core: { ADMIN_GRANTS: "ADMIN_GRANTS" } } } },
  "fly/missing-field": { without: ["region"] },
  "aws/missing-field": { without: ["aws.region"] },
  "aws/missing-coordinates": { without: ["aws.services.core.cpu"] },
  "aws/shared-alb": { without: ["aws.alb"] },
  "plugins/two-sources": { pluginsTree: [file("plugins/acme-bot/Dockerfile", { text: "FROM scratch\n" })] },
  "plugins/core-access": { release: "0.1.12" },
  "skills/no-directory": {
    skillsPaths: [
      { written: "skills/misspelt", kind: "missing" },
      { written: "skills/support", kind: "directory" },
    ],
  },
  "skills/duplicate": {
    skillsPaths: [
      { written: "skills/support", kind: "directory" },
      { written: "./skills/support/", kind: "directory" },
    ],
  },
  "skills/outside": {
    skillsPaths: [
      { written: "../../../etc", kind: "outside" },
      { written: "skills/support", kind: "directory" },
    ],
  },
  "skills/whole-deployment": {
    skillsPaths: [
      { written: ".", kind: "deployment" },
      { written: "skills/support", kind: "directory" },
    ],
  },
  "skills/not-mounted": { skillsPaths: [{ written: "skills/support", kind: "directory" }] },
  "skills/no-skill": {
    skillsPaths: [
      skillsPath("skills/support/triage", [file("skills/support/triage/SKILL.md", { text: SKILL })]),
      skillsPath("skills/support", [file("skills/support/triage/SKILL.md", { text: SKILL })]),
    ],
  },
  "layer/install-file": { release: "0.1.12" },
  "env-file/setting-value": { config: { secretEnv: { core: { WORKERS: "ACME_WORKERS" } } } },
  "aws/background-work": { release: "0.1.12" },
  "env-file/no-sign-in-mail": { release: "0.1.12", config: BROKER },
  "env-file/one-slack-token": { config: { services: ["core", "slack", "web-ui"] } },
};
