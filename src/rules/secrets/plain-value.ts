import { secretShape } from "../../base/secret-shape.ts";

/** Keys that their providers publish: PostHog projects, Stripe pages, public halves and certificates. */
const PUBLIC_VALUE = /^(?:phc_\w+|pk_(?:live|test)_\w+|-----BEGIN (?:PUBLIC KEY|CERTIFICATE)-----[^]*)$/;

/**
 * True when a value cannot be a secret whatever its name is: blank, a switch, a key that its provider publishes, or a
 * path or URL that only says where a secret is. A path must look like one to its end, as base64 may begin with `/` or `.`.
 */
export function isPlainValue(value: string): boolean {
  const text = value.trim();
  if (/^(?:|[01]|true|false|yes|no|on|off|none|null|enabled|disabled|required|optional|auto|default)$/i.test(text))
    return true;
  if (secretShape(text) !== null) return false;
  return PUBLIC_VALUE.test(text) || isPath(text) || isPlainUrl(text);
}

/** A URL without query whose path holds no long random part. */
function isPlainUrl(text: string): boolean {
  const match = /^https?:\/\/[^\s/?#@]+((?:\/[^\s/?#]*)*)$/i.exec(text);
  return match !== null && (match[1] as string).split("/").every((part) => part.length <= 40 && !isMixed(part));
}

/** An absolute, home or relative path of words, not the base64 of random bytes. */
function isPath(text: string): boolean {
  if (!/^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@ -]+)*\/?$/.test(text) && !/^\.[a-z][\w-]*(?:\/[\w.@-]+)*$/.test(text))
    return false;
  const parts = text.split("/").filter((part) => !/^(?:|~|\.{1,2})$/.test(part));
  return parts.every((part) => part.length <= 40 && !isMixed(part));
}

/** Upper case, lower case and digits in turns: how random base64 looks and file names do not. */
function isMixed(part: string): boolean {
  const turns = part.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  return part.length >= 12 && turns >= 3;
}
