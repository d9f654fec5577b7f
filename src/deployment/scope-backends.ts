import { parseDocument } from "../config/parse.ts";

/** What `SANDBOX_SCOPE_BACKENDS` says, as far as it can be read. */
export interface ScopeReading {
  /** Backend names, trimmed and not blank, in the order written. */
  readonly names: readonly string[];
  readonly blank: boolean;
  /** Why it cannot be read as a JSON object of strings with each key once, without its value; null when it can. */
  readonly problem: string | null;
}

/** Reads a JSON object from scopes to backend names. Never throws; a scope may have any name, `__proto__` too. */
export function readScopes(text: string): ScopeReading {
  const unreadable = (problem: string): ScopeReading => ({ names: [], blank: false, problem });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable("is not JSON");
  }
  if (Array.isArray(value)) return unreadable("is a JSON array, not an object from scopes to backends");
  if (value === null || typeof value !== "object") return unreadable("is not a JSON object from scopes to backends");
  const values: unknown[] = Object.values(value);
  const names = values.filter((name) => typeof name === "string").map((name) => name.trim());
  return {
    names: names.filter((name) => name !== ""),
    blank: names.includes(""),
    problem:
      names.length < values.length
        ? "names a backend that is not a string"
        : repeatsKey(text, values.length)
          ? "names a scope twice, of which only the last counts"
          : null,
  };
}

/** True when a JSON object has more members than keys: its parser keeps the last of each and says nothing. */
function repeatsKey(text: string, keys: number): boolean {
  const { root } = parseDocument({ file: "scopes", text });
  return root?.kind === "object" && root.members.length > keys;
}
