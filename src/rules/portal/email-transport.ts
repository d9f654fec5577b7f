import { EMAIL_TRANSPORTS } from "../../catalog/models.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { closestName } from "../../base/closest-name.ts";
import { findPlaceholder } from "../../config/placeholder.ts";
import { envValue } from "../../deployment/env-values.ts";
import type { Fix } from "../../diagnostics/diagnostic.ts";
import { field, names } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** The sign-in broker does not know how to send e-mails. */
export const EMAIL_TRANSPORT: Rule = {
  id: "portal/email-transport",
  title: "Sign-in broker without a way to send e-mails",
  severity: "error",
  clause: "config.v1",
  why: "The broker signs people in with links that it sends by e-mail. qm demands that the way is named, exactly as it writes it.",
  bad: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "sendgrid" } } }',
  good: '{ "services": ["core", "web-ui", "portal", "auth"], "env": { "core": { "HARNESS": "pi" }, "auth": { "AUTH_EMAIL_TRANSPORT": "resend" } } }',
  check(deployment, report) {
    const { config, services, broken, document } = deployment;
    if (!services.includes("auth")) return;
    const name = nameOf(deployment.release.release, "auth.emailTransport");
    const path = ["env", "auth", name];
    const written = envValue(config, "auth", name);
    if (written === null) {
      const isUnsound = document.node(path) !== undefined && config.env?.auth?.[name] === undefined;
      if (broken || isUnsound) return;
      report({
        message: `${field(path)} is not set, and \`auth\` must send its sign-in links somehow`,
        help: `set it to ${names(EMAIL_TRANSPORTS, "or")}`,
        place: { path },
      });
      return;
    }
    if (EMAIL_TRANSPORTS.includes(written.value) || findPlaceholder(written.value) !== null) return;
    const meant = closestName(written.value.toLowerCase(), EMAIL_TRANSPORTS);
    const fix: Fix | null =
      meant === null
        ? null
        : {
            safety: "suggested",
            title: `set ${field(path)} to \`${meant}\``,
            changes: [{ kind: "set", path, value: meant }],
          };
    report({
      message: `${field(path)} must be ${names(EMAIL_TRANSPORTS, "or")}`,
      help: meant === null ? "use one of them" : `did you mean \`${meant}\`?`,
      place: { path, at: "value" },
      ...(fix === null ? {} : { fix }),
    });
  },
};
