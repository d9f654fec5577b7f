import { findSecretPlaceholder } from "../../config/placeholder.ts";
import { settingValue } from "../../deployment/env-values.ts";
import { names, type Rule } from "../rule.ts";
import { entriesByName, inEnvFile } from "../envfile/entries.ts";

/** What each way of sending e-mails needs besides a sender. */
const NEEDED: { readonly [transport: string]: readonly string[] } = {
  resend: ["RESEND_API_KEY"],
  smtp: ["SMTP_HOST", "SMTP_USERNAME", "SMTP_PASSWORD"],
};

export const SIGN_IN_MAIL_RULES: readonly Rule[] = [
  {
    id: "env-file/no-sign-in-mail",
    title: "Sign-in by e-mail without e-mails",
    severity: "warning",
    concerns: "secret-values",
    why: "Newer releases start without a sender or a mail provider, and then send no sign-in links: nobody can sign in. On fly and aws the values may be in the target's store: an info.",
    bad: "AUTH_EMAIL_FROM=Acme <qm@acme.dev>\n",
    good: "AUTH_EMAIL_FROM=Acme <qm@acme.dev>\nRESEND_API_KEY=re_acme_1\n",
    check(deployment, report) {
      const { services, env, secrets, config, release, target, broken } = deployment;
      if (!services.includes("auth") || env === null || broken) return;
      const transport = settingValue(config, release.release, "auth.emailTransport")?.value ?? "";
      const needed = NEEDED[transport];
      if (needed === undefined) return;
      const entries = entriesByName(deployment);
      // Where a release demands them they are missing secrets like any other.
      const missing = ["AUTH_EMAIL_FROM", ...needed].filter((name) => {
        const value = entries.get(name)?.value.trim() ?? "";
        const isDemanded = secrets.some((secret) => secret.name === name && secret.required);
        return !isDemanded && (value === "" || findSecretPlaceholder(value) !== null);
      });
      const [first] = missing;
      if (first === undefined) return;
      const [has, them] = missing.length === 1 ? ["has", "it"] : ["have", "them"];
      const unless = target === "docker" ? ", so" : ` here: unless the store of ${target} has ${them},`;
      report({
        message: `${names(missing)} ${has} no value${unless} no sign-in link is ever sent and nobody can sign in by e-mail`,
        help: `set ${them} with \`qm-deploy secrets set\``,
        command: `qm-deploy secrets set ${first}`,
        severity: target === "docker" ? "warning" : "info",
        place: inEnvFile(deployment, entries.get(first)?.keyRange ?? null),
      });
    },
  },
];
