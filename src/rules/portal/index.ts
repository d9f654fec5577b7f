import type { Rule } from "../rule.ts";
import { about } from "../subject.ts";
import { EMAIL_TRANSPORT } from "./email-transport.ts";
import { ALLOWED_EMAILS, EMAIL_DOMAIN, PRINCIPAL_CLAIM } from "./allowed.ts";
import { ISSUER_KEYS } from "./issuer.ts";

/** Whom the portal lets in, and on whose word. */
export const PORTAL_RULES: readonly Rule[] = about("portal", [
  EMAIL_TRANSPORT,
  ISSUER_KEYS,
  EMAIL_DOMAIN,
  ALLOWED_EMAILS,
  PRINCIPAL_CLAIM,
]);
