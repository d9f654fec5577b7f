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

/** A comma list read entry by entry: what is sound, and the positions (from 1) of what is not. Entries may be secret. */
export interface ListReading<Entry> {
  readonly entries: readonly Entry[];
  readonly bad: readonly number[];
}

/** Reads a comma list with `read`, which gives null for a bad entry. Spaces around entries do not count; blank entries are bad. */
export function readList<Entry>(text: string, read: (entry: string) => Entry | null): ListReading<Entry> {
  const entries: Entry[] = [];
  const bad: number[] = [];
  text.split(",").forEach((part, at) => {
    const entry = read(part.trim());
    if (entry === null) bad.push(at + 1);
    else entries.push(entry);
  });
  return { entries, bad };
}

/** Reads a comma list of e-mail addresses, such as AUTH_ALLOWED_EMAILS. */
export function readEmailList(text: string): ListReading<string> {
  return readList(text, (entry) => (isEmail(entry) ? entry : null));
}

/** Whom ADMIN_GRANTS makes an administrator. */
export interface AdminGrant {
  readonly principal: string;
  readonly role: "org_admin";
}

/** Reads ADMIN_GRANTS: a comma list of `<principal>:org_admin`, where the principal may hold colons (docs/contract/qm-config.md#values-of-secrets). */
export function readAdminGrants(text: string): ListReading<AdminGrant> {
  return readList(text, (entry) => {
    const colon = entry.lastIndexOf(":");
    const principal = entry.slice(0, Math.max(colon, 0)).trim();
    return principal !== "" && entry.slice(colon + 1).trim() === "org_admin" ? { principal, role: "org_admin" } : null;
  });
}
