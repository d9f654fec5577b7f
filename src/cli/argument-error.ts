import { looksRandom } from "../base/random-text.ts";
import { REDACTED } from "../base/redacted-span.ts";
import { lines, type Shown } from "../base/shown.ts";

const UNKNOWN_OPTION = "error: unknown option '";

/** Commander repeats a word that it takes for an unknown option. One that does not look like ours may be a value, and a value may be a secret. */
function withoutValues(message: string): string {
  const word = message.startsWith(UNKNOWN_OPTION)
    ? message.slice(UNKNOWN_OPTION.length, message.lastIndexOf("'"))
    : null;
  if (word === null) return message;
  const rest = message.slice(message.lastIndexOf("'") + 1);
  const name = /^(?:--[a-z]+(?:-[a-z]+)*|-[A-Za-z])(?=$|=)/.exec(word)?.[0];
  const said =
    name === undefined
      ? "error: a word begins with `-` and is no option; where it is a value, put `--` before it, and give a secret on stdin"
      : `${UNKNOWN_OPTION}${name}'`;
  return said + rest;
}

/** Commander repeats what it does not understand, which may be a secret in the wrong place. */
function withoutSecrets(message: string): Shown {
  const said = message.replace(/'[^']*'/g, (quoted) =>
    looksRandom(quoted.slice(1, -1).replace(/^-{1,2}/, "")) ? `'${REDACTED}'` : quoted,
  );
  // A line end that a word brings is within its quotes; those that are commander's own are not.
  const quoted = said.replace(/'[^']*'/g, (word) => word.replaceAll("\r", "\\r").replaceAll("\n", "\\n"));
  return lines(quoted.trimEnd().split("\n"));
}

/** What commander says of a wrong command line, without what may be a secret in the wrong place. */
export function argumentError(said: string): Shown {
  return withoutSecrets(withoutValues(said));
}
