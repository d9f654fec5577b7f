import type { Draft } from "./texts.ts";

/** What a link holds: the draft and what was being looked at. There is no field for `.env`, so that no link can hold it. */
export interface SharedState extends Draft {
  readonly tab: string;
  /** The rendered file that is open. */
  readonly file: string | null;
}

/** Characters of a text that a link may come to, inflated: above it, the library judges nothing anyway. */
const MOST_BYTES = 2 * 1024 * 1024;

/** How the rest of a fragment is written: deflated where the browser can, and always as base64url. */
const [DEFLATED, PLAIN] = ["z", "p"];

/** The fragment (without `#`) that stands for a state. Only its known fields are written, whatever else the value has. */
export async function encodeState({
  config,
  example,
  target,
  release,
  strict,
  tab,
  file,
}: SharedState): Promise<string> {
  const bytes = new TextEncoder().encode(
    JSON.stringify({ config, example, target, release, strict, tab, file } satisfies SharedState),
  );
  if (typeof CompressionStream === "undefined") return PLAIN + toBase64Url(bytes);
  return DEFLATED + toBase64Url(await through(bytes, new CompressionStream("deflate-raw")));
}

/** The state that a fragment stands for; null where it is none of ours, cut, or too large. */
export async function decodeState(fragment: string): Promise<SharedState | null> {
  try {
    const bytes = fromBase64Url(fragment.slice(1));
    if (fragment[0] === PLAIN) return stateOf(new TextDecoder().decode(bytes));
    if (fragment[0] !== DEFLATED) return null;
    return stateOf(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
  } catch {
    return null;
  }
}

function stateOf(text: string): SharedState | null {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return null;
  const { config, example, target, release, strict, tab, file } = value as { [name: string]: unknown };
  if (typeof config !== "string") return null;
  return {
    config,
    example: textOrNull(example),
    target: textOrNull(target),
    release: textOrNull(release),
    strict: strict === true,
    tab: typeof tab === "string" ? tab : "",
    file: textOrNull(file),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Reads a stream to its end, and no further than the limit: a short link may inflate to anything. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const output = new Blob([bytes]).stream().pipeThrough(transform) as ReadableStream<Uint8Array>;
  const reader = output.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > MOST_BYTES) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    chunks.push(next.value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
}
