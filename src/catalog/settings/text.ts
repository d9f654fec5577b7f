import { consequenceOf, ends, type Otherwise, setting, unfit } from "./unfit.ts";
import type { Reading, ReadingKind, Setting, SettingFacts } from "./setting.ts";

interface TextFacts extends SettingFacts {
  /** Completes "takes …" where it is more than text: "a path in the container". */
  readonly takes?: string;
  /** What a blank value means, where it is not the same as none. */
  readonly blank?: string;
}

/** Text of which core takes any. */
export function text(name: string, description: string, facts: TextFacts = {}): Setting {
  const { takes = "text", blank = null, ...rest } = facts;
  const reading: Reading = {
    kind: "text",
    takes: () => takes,
    words: null,
    blank,
    otherwise: null,
    judge: () => null,
  };
  return setting(name, description, reading, rest);
}

interface VerbatimFacts extends TextFacts {
  /** What a value does that has spaces around it: "nobody can sign in". */
  readonly otherwise: string;
  /** Judges a value of nothing or of blanks, where no other rule does. */
  readonly judgeBlank?: Reading["judge"];
}

/** Text that a service compares to the letter with what somebody else sends: spaces around it count. */
export function verbatim(name: string, description: string, facts: VerbatimFacts): Setting {
  const { takes = "text", blank = null, otherwise, judgeBlank, ...rest } = facts;
  const reading: Reading = {
    kind: "text",
    takes: () => takes,
    words: null,
    blank,
    otherwise,
    judge(value, context) {
      const text = value.trim();
      if (text === "") return judgeBlank?.(value, context) ?? null;
      if (text === value) return null;
      return unfit({ otherwise }, "has spaces around it, which count", "write it without the spaces", text);
    },
  };
  return setting(name, description, reading, rest);
}

interface ShapeFacts extends SettingFacts, Otherwise {
  readonly takes: string;
  /** Completes "`env.core.NAME` …". */
  readonly unless: string;
  readonly help: string;
}

/** Text of a certain shape; it is judged trimmed, and a blank one is none. */
export function shaped(
  name: string,
  description: string,
  isSound: (value: string) => boolean,
  facts: ShapeFacts,
): Setting {
  const { takes, unless, help, otherwise, ...rest } = facts;
  const consequence = consequenceOf(otherwise);
  const reading: Reading = {
    kind: "text",
    takes: () => takes,
    words: null,
    blank: null,
    otherwise: ends(consequence),
    judge: (value) => (value.trim() === "" || isSound(value.trim()) ? null : unfit(consequence, unless, help)),
  };
  return setting(name, description, reading, rest);
}

interface JudgedFacts extends SettingFacts {
  readonly takes: string;
  readonly words?: readonly string[];
  /** Judges a trimmed value that is not blank. */
  readonly judge: Reading["judge"];
}

/** A setting whose values its backend judges in its own way; a blank one is none. */
export function judged(kind: ReadingKind, name: string, description: string, facts: JudgedFacts): Setting {
  const { takes, words, judge, ...rest } = facts;
  const reading: Reading = {
    kind,
    takes: () => takes,
    words: words === undefined ? null : () => words,
    blank: null,
    otherwise: "the backend cannot use it",
    judge: (value, context) => (value.trim() === "" ? null : judge(value.trim(), context)),
  };
  return setting(name, description, reading, rest);
}
