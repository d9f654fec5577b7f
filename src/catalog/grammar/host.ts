/** Where a host is reached from. `reserved` is for documentation and the like: it leads nowhere. */
export type HostKind = "loopback" | "unspecified" | "private" | "link-local" | "reserved" | "public";

/** Special-purpose IPv4 blocks that are not public (IANA registry, RFC 6890). They do not overlap. */
const IPV4_BLOCKS: { readonly [kind in Exclude<HostKind, "public">]: readonly string[] } = {
  loopback: ["127.0.0.0/8"],
  unspecified: ["0.0.0.0/8"],
  private: ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16"],
  "link-local": ["169.254.0.0/16"],
  reserved: ["192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"],
};

/**
 * Suffixes that no public resolver answers, `localhost` apart: RFC 6761, RFC 6762 with its appendix G, RFC 8375, ICANN's `.internal`; Fly's private
 * load balancer, services of Kubernetes and Consul; what AWS and Azure resolve to addresses inside the account alone.
 */
const PRIVATE_SUFFIX =
  /(?:^|\.)(?:local|internal|lan|home\.arpa|localdomain|intranet|private|corp|home|mail|flycast|svc|consul|internal\.cloudapp\.net)$|^internal-[^.]+\.[a-z0-9-]+\.elb\.amazonaws\.com$|\.privatelink\./;
/** For documentation, and for networks that browsers and resolvers know nothing of (RFC 6761, RFC 7686, RFC 9476). */
const RESERVED_SUFFIX = /(?:^|\.)(?:invalid|test|example|onion|alt)$/;
const LOOPBACK =
  /^(?:(?:.*\.)?localhost|localhost\.localdomain|ip6-localhost|(?:.*\.)?(?:localtest\.me|lvh\.me|vcap\.me|lacolhost\.com))$/s;
/** Public names that lead to the address which they hold. */
const ADDRESS_NAME = /(?:^|[.-])(\d{1,3}[.-]\d{1,3}[.-]\d{1,3}[.-]\d{1,3})\.(?:nip\.io|sslip\.io|xip\.io)$/;

function ipv4Number(dotted: string): number | null {
  const parts = dotted.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

function ipv4Kind(address: number): HostKind {
  const isIn = (block: string): boolean => {
    const [first = "", length] = block.split("/");
    const start = ipv4Number(first) as number;
    return address >= start && address < start + 2 ** (32 - Number(length));
  };
  const found = Object.entries(IPV4_BLOCKS).find(([, blocks]) => blocks.some(isIn));
  return found === undefined ? "public" : (found[0] as HostKind);
}

/** The eight groups of an address as WHATWG URL writes it: lower-case hex, `::` at most once, no dotted part. */
function ipv6Groups(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const read = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return read(head);
  const before = read(head);
  const after = read(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function ipv6Kind(groups: readonly number[]): HostKind {
  const [first = 0, second = 0] = groups;
  const embedded = (at: number): HostKind => ipv4Kind((groups[at] ?? 0) * 65536 + (groups[at + 1] ?? 0));
  if (groups.slice(0, 7).every((group) => group === 0)) {
    if (groups[7] === 1) return "loopback";
    if (groups[7] === 0) return "unspecified";
  }
  if (groups.slice(0, 5).every((group) => group === 0) && (groups[5] === 0xffff || groups[5] === 0)) return embedded(6);
  if (first === 0x64 && second === 0xff9b) return groups[2] === 0 ? embedded(6) : "private";
  if (first === 0x2002) return embedded(1);
  if ((first & 0xfe00) === 0xfc00) return "private";
  if ((first & 0xffc0) === 0xfe80) return "link-local";
  if ((first & 0xffc0) === 0xfec0) return "private";
  if (first === 0x2001 && second === 0xdb8) return "reserved";
  return (first & 0xe000) === 0x2000 ? "public" : "reserved";
}

function nameKind(name: string): HostKind {
  const bare = name.endsWith(".") ? name.slice(0, -1) : name;
  if (LOOPBACK.test(bare)) return "loopback";
  const address = ADDRESS_NAME.exec(bare)?.[1];
  if (address !== undefined) return ipv4Kind(ipv4Number(address.replaceAll("-", ".")) ?? 0);
  if (PRIVATE_SUFFIX.test(bare) || !bare.includes(".")) return "private";
  // example.com and its like resolve, so they are for the placeholder rules to judge.
  if (RESERVED_SUFFIX.test(bare)) return "reserved";
  return "public";
}

/**
 * Where a host of a URL is reached from. Takes `URL.hostname`, whose parser has already turned odd IPv4 forms
 * (`0x7f.1`, `2130706433`) into dotted ones and shortened IPv6; other spellings count as names.
 */
export function hostKind(hostname: string): HostKind {
  if (hostname.startsWith("[")) return ipv6Kind(ipv6Groups(hostname.slice(1, -1)));
  const address = ipv4Number(hostname.endsWith(".") ? hostname.slice(0, -1) : hostname);
  return address === null ? nameKind(hostname.toLowerCase()) : ipv4Kind(address);
}

/** The kind of host that an http or https URL leads to; null where the text is no such URL. */
export function urlHostKind(text: string): HostKind | null {
  const url = readWebUrl(text);
  return url === null ? null : hostKind(url.hostname);
}

/** The parsed URL where the text is written as an http or https one; null otherwise. */
export function readWebUrl(text: string): URL | null {
  if (!/^https?:\/\//i.test(text)) return null;
  try {
    const url = new URL(text);
    return url.hostname === "" ? null : url;
  } catch {
    return null;
  }
}

const PRIVATE_TO_PORTAL =
  /^(?:(?:.*\.)?localhost|.*\.(?:internal|flycast|local)|(?:10|127)(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[::1\]|\[f[cd][0-9a-f]{2}:.*\])$/is;
const LOCAL_TO_PORTAL = /^(?:(?:.*\.)?localhost|127\.0\.0\.1|\[::1\])$/is;

/** The portal's own idea of a private host, which is narrower than {@link hostKind} (docs/contract/qm-rendering.md#the-sign-in-broker). */
export function isPrivateToPortal(hostname: string): boolean {
  return PRIVATE_TO_PORTAL.test(hostname);
}

/** The portal's own idea of a developer's machine. */
export function isLocalToPortal(hostname: string): boolean {
  return LOCAL_TO_PORTAL.test(hostname);
}
