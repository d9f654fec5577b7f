import { type ListReading, readList } from "./email.ts";

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
