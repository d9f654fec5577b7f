import { isJsonObject, parseJson } from "../../base/json.ts";

/** The key of a line comment that is a whole member, such as `// "BOXD_VCPU": "2",`; null for a comment in words. */
export function commentedKey(comment: string): string | null {
  const written = comment.slice("//".length).trim();
  if (!written.startsWith('"')) return null;
  const member = parseJson(`{${written.replace(/,$/, "")}}`);
  const [key, ...others] = isJsonObject(member) ? Object.keys(member) : [];
  return key === undefined || others.length > 0 ? null : key;
}
