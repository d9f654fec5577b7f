import { mailDomain, mailList } from "./addresses.ts";
import { number } from "./readings.ts";
import { text } from "./text.ts";
import { choice } from "./words.ts";

const BY_SMTP = { when: { name: "AUTH_EMAIL_TRANSPORT", is: "smtp" } } as const;

function seconds(name: string, description: string, most: number, standard: string) {
  const otherwise = `the default of ${standard} counts`;
  return number(name, description, { positive: true, most, otherwise, default: standard });
}

function limit(name: string, description: string, standard: string) {
  const otherwise = `the default of ${standard} counts`;
  return number(name, description, { positive: true, whole: true, most: 64, otherwise, default: standard });
}

/** What the sign-in broker reads from its environment, by key. */
export const AUTH = {
  "auth.nodeEnv": choice(
    "NODE_ENV",
    "Whether the broker demands what production needs",
    ["production", "development", "test"],
    { setBy: "the image of the broker", default: "production", ownRules: true },
  ),
  "auth.allowedEmails": mailList("AUTH_ALLOWED_EMAILS", "People who may sign in", { isSecret: true }),
  "auth.allowedEmailDomain": mailDomain("AUTH_ALLOWED_EMAIL_DOMAIN", "Domain whose people may sign in", {
    trim: true,
    list: "AUTH_ALLOWED_EMAILS",
  }),
  "auth.brandName": text("AUTH_BRAND_NAME", "Name in sign-in mails and pages", { setBy: "`botName`", default: "qm" }),
  "auth.clientId": text("AUTH_CLIENT_ID", "The portal's id at the broker", { setBy: "the target" }),
  "auth.emailFrom": text("AUTH_EMAIL_FROM", "Sender of sign-in mails: an address, or `Name <address>`", {
    isSecret: true,
    ownRules: true,
  }),
  "auth.emailTransport": choice("AUTH_EMAIL_TRANSPORT", "How sign-in mails are sent", ["resend", "smtp"], {
    trim: true,
    always: true,
  }),
  "auth.issuer": text("AUTH_ISSUER", "Address of the broker", { takes: "an https URL", setBy: "`publicUrl`" }),
  "auth.redirectUri": text("AUTH_REDIRECT_URI", "Where the broker sends people back to", {
    takes: "an https URL",
    setBy: "`publicUrl`",
  }),

  "auth.linkTtl": seconds("AUTH_LINK_TTL_S", "Seconds that the link in a sign-in mail counts", 3600, "900"),
  "auth.codeTtl": seconds("AUTH_CODE_TTL_S", "Seconds that the portal has to redeem a sign-in", 600, "120"),
  "auth.accessTtl": seconds("AUTH_ACCESS_TTL_S", "Seconds that the portal has to ask who signed in", 600, "120"),
  "auth.requestTtl": seconds("AUTH_REQUEST_TTL_S", "Seconds that the sign-in page counts", 3600, "900"),
  "auth.sendWindow": seconds(
    "AUTH_SEND_WINDOW_S",
    "Length of the window of the two limits of mails in seconds",
    3600,
    "900",
  ),
  "auth.sendLimitPerEmail": limit("AUTH_SEND_LIMIT_PER_EMAIL", "Sign-in mails to one address within the window", "5"),
  "auth.sendLimitPerIp": limit(
    "AUTH_SEND_LIMIT_PER_IP",
    "Sign-in mails for one visitor's network address within the window",
    "20",
  ),

  "auth.smtpHost": text("SMTP_HOST", "Mail server", {
    takes: "a host name",
    ...BY_SMTP,
    isSecret: true,
    ownRules: true,
  }),
  "auth.smtpPort": number("SMTP_PORT", "Port of the mail server", {
    positive: true,
    whole: true,
    most: 65_535,
    otherwise: "the default of 587 counts",
    default: "587",
    ...BY_SMTP,
  }),
  "auth.smtpTls": choice(
    "SMTP_TLS",
    "How the connection to the mail server is encrypted",
    ["starttls", "implicit", "none"],
    {
      trim: true,
      inProduction: { word: "none", why: "would send the password unencrypted, which production refuses" },
      otherwise: "it counts as `implicit` on port 465, else as `starttls`",
      default: "starttls",
      ...BY_SMTP,
    },
  ),
} as const;
