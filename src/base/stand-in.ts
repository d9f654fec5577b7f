import { memoizeByText } from "./memo.ts";
import { STAND_IN_FORMS, type StandInForm } from "./stand-in-forms.ts";

/** Longer than any reference, mask or note: such a text is looked at no closer. */
const LONGEST = 4_000;

/** Rows in the order of digits, letters and keys. */
const ROWS = [
  "0123456789abcdefghijklmnopqrstuvwxyz",
  "1234567890qwertyuiop",
  "qwertyuiop",
  "qwertyuiopasdfghjklzxcvbnm",
  "asdfghjkl",
  "zxcvbnm",
];

const ROW: StandInForm = {
  kind: "note",
  what: "is a row of characters as they are counted or lie on a keyboard",
  pattern: /^[0-9a-z]{8,}$/i,
};
/** True when nearly every character follows the one before in a row, which may begin anew. */
function isRow(text: string): boolean {
  const lower = text.toLowerCase();
  return ROWS.some((row) => {
    let steps = 0;
    for (let at = 1; at < lower.length; at++) {
      const before = row.indexOf(lower[at - 1] as string);
      if (before !== -1 && row[before + 1] === lower[at]) steps++;
    }
    return steps >= lower.length * 0.85;
  });
}

/**
 * What a value of a secret is where it is not the secret itself: a reference, ciphertext, a template, a mask, a note or an error message. Null
 * where it may be the secret. A text that only contains a word of such a kind counts as little as a passphrase of words.
 */
export const findStandIn = memoizeByText(512, (value): StandInForm | null => {
  const text = value.trim();
  if (text === "" || text.length > LONGEST) return null;
  // An address is never a note, whatever its words are.
  const isAddress = /:\/\/|@/.test(text);
  const form = STAND_IN_FORMS.find(({ kind, pattern }) => !(isAddress && kind === "note") && pattern.test(text));
  if (form !== undefined) return form;
  return ROW.pattern.test(text) && isRow(text) ? ROW : null;
});

/**
 * Most values of a config: a few words, a web address, the name of an image. No reference looks like them, and one look at this instead of at
 * every form keeps the start of `check` short.
 */
const ORDINARY =
  /^(?:[\w.,@ -]{0,40}|https?:\/\/(?![\w-]+\.vault\.)[^\s]*|(?!projects\/|secret\/|kv\/)[\w.-]+(?:\/[\w.-]+)+(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?)$/;

/** The form of a value that only its tool can turn into the secret: a reference, or ciphertext. */
export function findReference(value: string): StandInForm | null {
  if (ORDINARY.test(value)) return null;
  const form = findStandIn(value);
  return form?.kind === "reference" || form?.kind === "ciphertext" ? form : null;
}
