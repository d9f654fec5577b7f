/** The key of a line comment that is a whole member, such as `// "BOXD_VCPU": "2",`; null for a comment in words. */
export function commentedKey(comment: string): string | null {
  const written = comment.slice("//".length).trim();
  if (!written.startsWith('"')) return null;
  try {
    const [key, ...others] = Object.keys(JSON.parse(`{${written.replace(/,$/, "")}}`) as object);
    return key === undefined || others.length > 0 ? null : key;
  } catch {
    return null;
  }
}
