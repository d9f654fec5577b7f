const RESERVED = /(?:^|\.)example\.(?:com|net|org|edu)$|(?:^|\.)(?:example|test|invalid)$/;
/** Of a bare word only these are surely a domain: `vitest.test` may be a file. */
const SURELY_RESERVED = /^(?:[a-z0-9-]+\.)*example\.(?:com|net|org|edu)$/;
const HOST = String.raw`[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?`;
const URL_HOST = new RegExp(String.raw`^[A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/(?:[^\s/?#@]*@)?(${HOST})(?:[:/?#]|$)`);
const MAIL_HOST = new RegExp(`^[^\\s@/]*@(${HOST})$`);
/** `registry.example.com/name`, `example.com:8080`. */
const PLACE_HOST = new RegExp(`^(${HOST})(?::[0-9]{1,5})?(?:/|$)`);

/**
 * The reserved example domain (RFC 2606) that a value names as the host of a URL, image or e-mail address, or that it is
 * itself; null when there is none. Lists are read item by item.
 */
export function findReservedDomain(value: string): string | null {
  if (value.length > 10_000) return null;
  for (const item of value.split(/[\s,;<>"'()]+/)) {
    const host = (URL_HOST.exec(item) ?? MAIL_HOST.exec(item))?.[1]?.toLowerCase();
    if (host !== undefined) {
      if (RESERVED.test(host)) return host;
      continue;
    }
    const place = PLACE_HOST.exec(item)?.[1]?.toLowerCase();
    if (place !== undefined && SURELY_RESERVED.test(place)) return place;
  }
  return null;
}
