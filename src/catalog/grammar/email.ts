import { isDottedDomain } from "./dns.ts";

/** The unquoted local part of RFC 5321: atoms with single inner dots, at most 64 characters. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** True for one plain e-mail address, without a display name or angle brackets. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return at > 0 && at <= 64 && LOCAL_PART.test(text.slice(0, at)) && isDottedDomain(text.slice(at + 1));
}

/** A sender as mail providers take it: an address, alone or as `Name <address>`. */
export function isEmailSender(text: string): boolean {
  const named = /^([^<>]*)<([^<>]*)>$/.exec(text.trim());
  return isEmail(named === null ? text.trim() : (named[2] as string).trim());
}

/** True for an entry of ADMIN_GRANTS, `<principal>:org_admin`, whose principal may hold colons (docs/contract/qm-config.md#values-of-secrets). */
export function isAdminGrant(text: string): boolean {
  const colon = text.lastIndexOf(":");
  return text.slice(0, Math.max(colon, 0)).trim() !== "" && text.slice(colon + 1).trim() === "org_admin";
}

/** The positions (from 1) of the unsound entries of a comma list. Spaces around an entry do not count; a blank one is unsound. */
export function badEntries(text: string, isSound: (entry: string) => boolean): number[] {
  return text.split(",").flatMap((entry, at) => (isSound(entry.trim()) ? [] : [at + 1]));
}
