import { memoizeByText } from "./memo.ts";
import { isAscii } from "./printable.ts";

/** How well-known kinds of keys and tokens begin. */
const KEY_PREFIX = /^(?:(?:sk|pk|rk)[-_]|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza|eyJ|-----BEGIN)/;

/** A URL with a user name or password in it that is no placeholder. */
const URL_WITH_LOGIN = /:\/\/(?!<[a-z]+>:<[a-z]+>@)[^/]*@/;

/** What names an image or a file by its content; long, random and public. */
const DIGEST = /sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})(?![0-9a-z])/g;

/** What this toolkit and qm put into names themselves: the bucket of a deployment, and who owns an app on Fly. */
const OWN_DIGEST = /(?:\bqm-[a-z0-9-]{1,31}-[0-9a-f]{12}|\bQM_OWNER_[0-9A-F]{16})(?![0-9A-Za-z])/g;

/** An image by registry, path and tag. */
const TAGGED_IMAGE = /^[a-z0-9.-]{1,63}(?::[0-9]{1,5})?\/[a-z0-9._/-]{1,128}:[\w.-]{1,128}(?:@|$)/;

/** A commit, short or whole, as builds name their tags by it: `:main-9f86d08`. */
const COMMIT = /(?<=[:._-])(?:[0-9a-f]{7,12}|[0-9a-f]{40})(?![0-9A-Za-z])/g;

/** A GitHub Action by its commit, as workflows pin it. */
const PINNED_ACTION = /^([\w.-]{1,64}(?:\/[\w.-]{1,64}){1,4})@[0-9a-f]{40}$/;

/** The same classes twice: most text is ASCII, and compiling the Unicode ones costs a short command more than a millisecond. */
const ASCII = {
  separators: /[^A-Za-z0-9]+/,
  digits: /^[0-9]{1,12}$/,
  letters: /^[A-Za-z]+$/,
  caseSwitches: /[a-z](?=[A-Z])/g,
  numbered: /^(?:[A-Za-z]{1,16}[0-9]{1,4}|[0-9]{1,4}[A-Za-z]{1,8})$/,
} as const;
const UNICODE = {
  separators: /[^\p{L}\p{N}\p{M}]+/u,
  digits: /^\p{N}{1,12}$/u,
  letters: /^[\p{L}\p{M}]+$/u,
  caseSwitches: /\p{Ll}(?=\p{Lu})/gu,
  numbered: /^(?:\p{L}{1,16}\p{N}{1,4}|\p{N}{1,4}\p{L}{1,8})$/u,
} as const;

/** True for a run of text that may be a key or token; false for one that reads like words, numbers, names or an address. */
export const looksRandom = memoizeByText(4096, (run): boolean => {
  if (run.length > 256 || KEY_PREFIX.test(run) || URL_WITH_LOGIN.test(run) || run.includes("\\")) return true;
  const classes = isAscii(run) ? ASCII : UNICODE;
  return (TAGGED_IMAGE.test(run) ? run.replace(COMMIT, "") : run.replace(PINNED_ACTION, "$1"))
    .replace(DIGEST, "")
    .replace(OWN_DIGEST, "")
    .split(classes.separators)
    .some((segment) => segment !== "" && !isOrdinary(segment, classes));
});

/** The name of an error, as programs print them: `ResourceNotFoundException`. */
const ERROR_NAME = /^(?:[A-Z][a-z]{1,14}){1,6}(?:Exception|Error)$/;

/** True for a segment such as `core`, `8080`, `publicUrl` or `us2`. */
function isOrdinary(segment: string, classes: typeof ASCII | typeof UNICODE): boolean {
  if (classes.digits.test(segment)) return true;
  if (segment.length > 6 && (segment.match(classes.caseSwitches)?.length ?? 0) > 3) return false;
  if (ERROR_NAME.test(segment)) return true;
  return classes.letters.test(segment) ? segment.length <= 24 : segment.length <= 6 || classes.numbered.test(segment);
}
