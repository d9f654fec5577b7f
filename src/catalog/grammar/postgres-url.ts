import { type HostKind, hostKind } from "./host.ts";

/** Where a Postgres URL leads. `reason` completes "DATABASE_URL …" and shows nothing of the value. */
export type PostgresReading =
  { readonly ok: true; readonly hostKind: HostKind } | { readonly ok: false; readonly reason: string };

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The host as an http URL would have it, so that odd spellings of an address are known for what they are. */
function kindOf(host: string): HostKind {
  const web = `http://${host}/`;
  return hostKind(URL.canParse(web) ? new URL(web).hostname : host);
}

/** Reads a connection URL of Postgres with one host; core takes none of libpq's lists of hosts and sockets. */
export function readPostgresUrl(text: string): PostgresReading {
  const refuse = (reason: string): PostgresReading => ({ ok: false, reason });
  if (!/^postgres(?:ql)?:\/\//i.test(text)) return refuse("does not begin with `postgres://` or `postgresql://`");
  if (/\s/.test(text)) return refuse("has a space in it");
  if (!URL.canParse(text))
    return refuse("is not a URL; write characters such as `/ # ? : @ %` in the password as `%2F %23 %3F %3A %40 %25`");
  const url = new URL(text);
  const parts = [url.username, url.password, url.pathname.slice(1)].map(decoded);
  if (parts.includes(null)) return refuse("has a `%` that is not followed by two hexadecimal digits of UTF-8 text");
  const [user, , database] = parts as [string, string, string];
  if (url.hostname === "") return refuse("names no host");
  if (/[@,]/.test(url.hostname) || url.hostname.includes("%"))
    return refuse("names more than one host, or holds an `@` that must be written as `%40`");
  if (user === "") return refuse("names no user");
  if (url.hash !== "") return refuse("has a `#`, which must be written as `%23`");
  if (database.includes("/")) return refuse("has a `/` in the name of the database");
  return { ok: true, hostKind: kindOf(url.hostname) };
}
