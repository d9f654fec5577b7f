import type { ReadingKind, SettingProblem } from "../../catalog/settings/setting.ts";
import { findPlaceholder } from "../../config/placeholder.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { judgeWritten, type WrittenSetting, writtenSettings } from "../../deployment/written-settings.ts";
import { field, type Finding, notStarting, refusedAtBoot, replacement, type Rule } from "../rule.ts";

const STRICT =
  "A service that reads a value strictly does not start with another one; others take their default without a word.";

/** One rule for each way in which qm's services read a setting (docs/settings.md). */
export const SETTING_VALUE_RULES: readonly Rule[] = [
  rule("boolean", {
    title: "Switch that is neither on nor off",
    why: "Core takes a few words for on and off and does not start with another one. Switches that are compared with `1` take everything else, `true` too, for off.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "SEED_SKILLS": "enabled" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "SEED_SKILLS": "true" } } }',
  }),
  rule("number", {
    title: "Not a number, or out of range",
    why: STRICT,
    bad: '{ "env": { "core": { "HARNESS": "pi", "EXEC_TIMEOUT_MAX_SEC": "10m" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "EXEC_TIMEOUT_MAX_SEC": "600" } } }',
  }),
  rule("choice", {
    title: "Value that the setting does not accept",
    formerly: ["model/unknown-harness", "model/unknown-provider"],
    clause: "config.v1",
    why: STRICT,
    bad: '{ "env": { "core": { "HARNESS": "pie" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi" } } }',
  }),
  rule("url", {
    title: "Address that the setting does not accept",
    why: "An address of the wrong form is refused at start, or leads requests elsewhere.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "OPENAI_BASE_URL": "models.acme.dev/v1" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "OPENAI_BASE_URL": "https://models.acme.dev/v1" } } }',
  }),
  rule("email", {
    title: "Malformed e-mail domain or list of addresses",
    formerly: ["portal/allowed-emails", "portal/email-domain"],
    clause: "config.v1",
    why: "It decides who may sign in. The domain is compared with what stands after the `@`, so a list or an address lets nobody in, and an entry that is no address matches nobody.",
    bad: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend", "AUTH_ALLOWED_EMAIL_DOMAIN": "@acme.dev" } } }',
    good: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend", "AUTH_ALLOWED_EMAIL_DOMAIN": "acme.dev" } } }',
  }),
  rule("text", {
    title: "Text in the wrong form for the setting",
    why: "Some texts have a form: a name that machines begin with, a colour. Another one is refused when the first machine is made, or dropped.",
    bad: '{ "env": { "core": { "BOXD_NAME_PREFIX": "Acme" } }, "sandbox": { "backend": "boxd" } }',
    good: '{ "env": { "core": { "BOXD_NAME_PREFIX": "acme" } }, "sandbox": { "backend": "boxd" } }',
  }),
];

/** `why` is all that a reading's rule may say; the rest is the vocabulary's (src/catalog/settings/). */
function rule(kind: ReadingKind, facts: Pick<Rule, "title" | "why" | "bad" | "good" | "clause" | "formerly">): Rule {
  return {
    id: `settings/${kind}`,
    ...facts,
    check(deployment, report) {
      for (const written of writtenSettings(deployment, kind)) {
        const problem = hasOwnRules(written, deployment) ? null : judgeWritten(deployment, written);
        if (problem !== null && findPlaceholder(written.value) === null) report(finding(deployment, written, problem));
      }
    },
  };
}

function hasOwnRules({ setting: { ownRules = [] } }: WrittenSetting, { target }: Deployment): boolean {
  return ownRules === true || (target !== null && ownRules.includes(target));
}

function finding(deployment: Deployment, written: WrittenSetting, problem: SettingProblem): Finding {
  const { path } = written;
  return {
    message: `${field(path)} ${problem.message}${problem.severity === "boot" ? `: ${notStarting(deployment, written.runtime.name)}` : ""}`,
    help: problem.help,
    place: { path, at: "value" },
    severity: problem.severity === "boot" ? refusedAtBoot(deployment) : problem.severity,
    fix: replacement(path, problem.meant ?? null),
  };
}
