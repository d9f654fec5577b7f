import { parseJson } from "../../base/json.ts";
import { isMachineName } from "../driver/index.ts";
import { secureBase } from "./connection.ts";

/** A started container, for another process: what is needed to wait for it and to delete its machine. */
export interface MachineHandle {
  readonly name: string;
  readonly id: string;
  readonly url: string;
  /** when boxd deletes the machine by itself; null for never */
  readonly expiresAt: Date | null;
}

const SCHEME = "openenv1.";

/** One word of letters, digits, `-`, `_` and a dot. It holds the machine's address, so it is a secret. */
export function encodeHandle({ name, id, url, expiresAt }: MachineHandle): string {
  const fields = [name, id, url, expiresAt?.toISOString() ?? null];
  return SCHEME + Buffer.from(JSON.stringify(fields), "utf8").toString("base64url");
}

/** Throws TypeError, without showing the text, for anything that {@link encodeHandle} does not write. */
export function decodeHandle(text: string): MachineHandle {
  const fields: unknown = text.startsWith(SCHEME)
    ? parseJson(Buffer.from(text.slice(SCHEME.length), "base64url").toString())
    : null;
  if (Array.isArray(fields)) {
    const [name, id, url, expires] = fields as unknown[];
    const expiresAt = typeof expires === "string" ? new Date(expires) : null;
    if (typeof name === "string" && isMachineName(name) && typeof id === "string" && typeof url === "string") {
      const handle = { name, id, url: secureBase(url), expiresAt };
      if (!Number.isNaN(expiresAt?.getTime()) && encodeHandle(handle) === text) return handle;
    }
  }
  throw new TypeError("the handle is not one of a started container");
}
