import type { Condition } from "../../condition.ts";
import type { SecretRow } from "../../secret-row.ts";
import { fromOperator } from "../../secret-sources.ts";

const SMTP_ROWS = [
  ["SMTP_HOST", "Mail server that sends sign-in e-mails", "the host name of your mail provider"],
  ["SMTP_USERNAME", "User name at the mail server", "your mail provider"],
  ["SMTP_PASSWORD", "Password at the mail server", "your mail provider"],
] as const;

function transport(name: string): Condition {
  return { kind: "env", service: "auth", name: "AUTH_EMAIL_TRANSPORT", in: [name] };
}

/** The sender of sign-in e-mails as one service reads it. */
export function emailFrom(service: "auth" | "core", optional: boolean): SecretRow {
  return {
    name: "AUTH_EMAIL_FROM",
    description: "Sender of sign-in e-mails",
    service,
    ...(optional ? { optional } : {}),
    source: fromOperator("an address of a domain that your mail provider has verified"),
  };
}

/** The Resend key as one service reads it: the broker under its transport, core under every one. */
export function resendKey(service: "auth" | "core", optional: boolean): SecretRow {
  return {
    name: "RESEND_API_KEY",
    description: "Resend key that sends e-mails",
    service,
    ...(service === "auth" ? { when: transport("resend") } : {}),
    ...(optional ? { optional } : {}),
    source: fromOperator("resend.com/api-keys"),
  };
}

/** What the sign-in broker needs to send e-mails; newer releases start without it and sign nobody in by e-mail. */
export function brokerEmailSecrets(optional: boolean): SecretRow[] {
  return [
    emailFrom("auth", optional),
    resendKey("auth", optional),
    ...SMTP_ROWS.map(([name, description, hint]): SecretRow => ({
      name,
      description,
      service: "auth",
      when: transport("smtp"),
      ...(optional ? { optional } : {}),
      source: fromOperator(hint),
    })),
  ];
}
