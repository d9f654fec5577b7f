import { closestName } from "../../base/closest-name.ts";
import { names } from "../../base/phrase.ts";
import { consequenceOf, ends, type Otherwise, setting, unfit } from "./unfit.ts";
import type { Reading, ReleaseWords, Setting, SettingFacts } from "./setting.ts";

interface ChoiceFacts extends SettingFacts, Otherwise {
  /** Spaces around the word do not count. */
  readonly trim?: true;
  readonly anyCase?: true;
  /** qm's own command line refuses another word too, under every release. */
  readonly always?: true;
  /** A blank value is no better than another word. */
  readonly blankCounts?: true;
  /** A word that is refused although others are only read as something else. */
  readonly removed?: { readonly word: string; readonly instead: string };
  /** A word that is refused in production; `why` completes "`env.auth.NAME` …". */
  readonly inProduction?: { readonly word: string; readonly why: string };
}

/** One word of a list, which may differ between releases. */
export function choice(
  name: string,
  description: string,
  words: readonly string[] | ((release: ReleaseWords) => readonly string[]),
  facts: ChoiceFacts = {},
): Setting {
  const { trim, anyCase, otherwise, always, blankCounts, removed, inProduction, ...rest } = facts;
  const wordsOf = typeof words === "function" ? words : () => words;
  const consequence = consequenceOf(otherwise);
  const reading: Reading = {
    kind: "choice",
    takes: (release) => names(wordsOf(release), "or") || "nothing",
    words: wordsOf,
    blank: blankCounts === true ? ends(consequence) : null,
    otherwise: ends(consequence),
    judge(value, { release, production }) {
      const read = readWord(value, trim, anyCase);
      const known = wordsOf(release);
      if (production && read === inProduction?.word)
        return unfit(
          "refused",
          inProduction.why,
          `use ${names(
            known.filter((word) => word !== read),
            "or",
          )}`,
        );
      if (known.includes(read) || (value.trim() === "" && blankCounts !== true)) return null;
      if (removed !== undefined && read === removed.word)
        return unfit("refused", `is \`${removed.word}\`, which qm has removed`, removed.instead);
      const meant = closestName(value.toLowerCase(), known);
      const help = `${meant === null ? "" : `did you mean \`${meant}\`? `}it must be ${names(known, "or")}`;
      const found = unfit(consequence, describe(value), help, meant);
      return always === true ? { ...found, severity: "error" } : found;
    },
  };
  return setting(name, description, reading, rest);
}

function readWord(value: string, trim = false, anyCase = false): string {
  const trimmed = trim ? value.trim() : value;
  return anyCase ? trimmed.toLowerCase() : trimmed;
}

/** True for a text that may be shown, as it is too plain for a secret. */
export function isPlainWord(text: string): boolean {
  return /^[A-Za-z0-9_.-]{1,30}$/.test(text);
}

/** A word may be shown; anything else may be secret, and is only described. */
function describe(value: string): string {
  if (value.trim() === "") return "is blank, which is no value of it";
  if (!isPlainWord(value.trim())) return "holds a value that qm does not know";
  return value === value.trim()
    ? `names \`${value}\`, which qm does not know`
    : "has spaces around its value, which count";
}
