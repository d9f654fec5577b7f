import { redact } from "../driver/index.ts";

const MOST_CHARS = 500;
const MASK = "[redacted]";
/** Names of variables whose values are secret. */
const SECRET_NAME = /PASS|SECRET|TOKEN|KEY|CREDENTIAL|AUTH|PROXY/i;

/** Places in a command line where a secret stands in the open; the first group is kept. */
const PLACES: readonly RegExp[] = [
  /(--?(?:token|password|passwd|secret|client[-_]?secret|api[-_]?key|auth)[ =])(?:"[^"]*"|'[^']*'|\S+)/gi,
  /(?<!\w)((?=\w*(?:PASS|SECRET|TOKEN|KEY|CREDENTIAL))\w+=)(?:"[^"]*"|'[^']*'|[^\s;&|]+)/gi,
  /(\b(?:Bearer|Basic) )[A-Za-z0-9._~+/=-]+/gi,
  /(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
  /((?:echo|printf)\s+(?:%s\s+)?)(?:"[^"]*"|'[^']*'|\S+)(?=\s*\|[^|]*--(?:with-token|password-stdin))/gi,
];

/** A command for a listing: the handle's secret values and what looks like a secret masked, at most 500 characters. */
export function redactCommand(command: string, env: Readonly<Record<string, string>> = {}): string {
  const values = Object.entries(env)
    .filter(([name]) => SECRET_NAME.test(name))
    .map(([, value]) => value);
  let text = redact(command, values);
  for (const place of PLACES) text = text.replace(place, `$1${MASK}`);
  return text.slice(0, MOST_CHARS);
}
