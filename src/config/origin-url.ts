import { memoizeByText } from "../base/memo.ts";
/** `origin` is canonical: lower case, no default port, no trailing slash. */
export type OriginReading =
  | { readonly ok: true; readonly origin: string }
  /** `reason` completes "`publicUrl` …". `canonical` is what was certainly meant; null where that is not known. */
  | { readonly ok: false; readonly reason: string; readonly canonical: string | null };

const SHAPE = /^https?:\/\/([^/?#\\]*)\/?$/;

/**
 * Reads a URL that must be a site's origin and nothing else, one trailing slash allowed. qm stores such a URL as it is
 * written, so that whatever `new URL` forgives would reach cookies and redirects: here it is a finding.
 */
export const readOrigin = memoizeByText(64, (text): OriginReading => {
  const refuse = (reason: string, canonical: string | null = null): OriginReading => ({ ok: false, reason, canonical });
  if (text.trim() === "") return refuse("is blank");
  const trimmed = text.trim();
  let url: URL;
  try {
    url = new URL(trimmed);
  } catch {
    return refuse(/^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? "is not a URL" : "must begin with `https://` or `http://`");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("must begin with `https://` or `http://`");
  if (url.username !== "" || url.password !== "" || /^[^/?#]*\/\/[^/?#]*@/.test(trimmed))
    return refuse("must not hold a user name or password");
  if (url.hostname.endsWith(".")) return refuse("must not have a dot at the end of its host name", withoutLastDot(url));
  if (url.port === "0") return refuse("must not name port 0");
  if (!isHostName(url.hostname))
    return refuse(
      "must have a host name whose parts are 1 to 63 letters, digits, hyphens or underscores, at most 253 characters in all",
    );
  if (url.pathname !== "/") return refuse("must not have a path");
  if (url.search !== "" || trimmed.includes("?"))
    return refuse("must not have a query (`?`)", url.search === "" ? url.origin : null);
  if (url.hash !== "" || trimmed.includes("#"))
    return refuse("must not have a fragment (`#`)", url.hash === "" ? url.origin : null);
  if (text !== trimmed) return refuse("has spaces around it", url.origin);
  // oxlint-disable-next-line no-control-regex -- `new URL` drops them
  if (/[\s\u0000-\u001f]/.test(text)) return refuse("has spaces or control characters in it", url.origin);
  const authority = SHAPE.exec(text)?.[1];
  if (authority === undefined) return refuse("is not written as `https://host`", url.origin);
  if (authority !== url.host) return refuse(nonCanonical(authority, url), url.origin);
  return { ok: true, origin: url.origin };
});

/** True for what DNS can carry, and for an IP address. `new URL` lets a wildcard, an empty label or a page of text pass. */
function isHostName(host: string): boolean {
  return (
    host.startsWith("[") || (host.length <= 253 && host.split(".").every((label) => /^[a-z0-9_-]{1,63}$/.test(label)))
  );
}

function withoutLastDot(url: URL): string | null {
  const reading = readOrigin(url.origin.replace(/\.(?=:\d+$|$)/, ""));
  return reading.ok ? reading.origin : null;
}

function nonCanonical(authority: string, url: URL): string {
  if (authority.toLowerCase() === url.host) return "must be in lower case";
  if (url.port === "" && /:\d*$/.test(authority)) return "must not name the default port";
  return "is not in the canonical form of its host name";
}
