import type { ConfigNode } from "../node.ts";
import { foreignNumber, readNumber } from "./number.ts";
import type { Problems } from "./problems.ts";
import { checkString, foreignText } from "./string.ts";
import type { Token } from "./tokens.ts";

const NAMED: { readonly [word: string]: string } = {
  NaN: "JSON has no `NaN`",
  Infinity: "JSON has no `Infinity`",
  "-Infinity": "JSON has no `Infinity`",
  "+Infinity": "JSON has no `Infinity`",
  undefined: "JSON has no `undefined`",
  None: "JSON has no `None`",
  nil: "JSON has no `nil`",
};
const KEYWORDS = ["true", "false", "null"];
const PLAIN_WORD = /^[A-Za-z][\w.-]*$/;

/** Reads a value of one token; null when it cannot be known what was meant. */
export function readScalar(token: Token, text: string, problems: Problems): ConfigNode | null {
  const { start, end } = token;
  switch (token.kind) {
    case "string":
      return checkString(token, text, problems) ? { kind: "string", start, end, value: token.value } : null;
    case "number": {
      const value = readNumber(token, problems);
      return value === undefined ? null : { kind: "number", start, end, value };
    }
    case "true":
    case "false":
      return { kind: "boolean", start, end, value: token.kind === "true" };
    case "null":
      return { kind: "null", start, end };
    case "quoted":
      reportForeignQuotes(token, problems);
      return { kind: "string", start, end, value: foreignText(token.value) };
    default:
      return readWord(token, problems);
  }
}

export function reportForeignQuotes(token: Token, problems: Problems): void {
  problems.habit(
    "syntax/quotes",
    token,
    'text needs double quotes (`"`), not other ones',
    'put `"` on both sides',
    "place",
  );
}

/** Never shows the word: it may be a secret that lost its quotes. */
function readWord(token: Token, problems: Problems): ConfigNode | null {
  const { start, end, value: word } = token;
  const number = foreignNumber(word);
  if (number !== null) {
    problems.note(
      "syntax/number",
      token,
      "the number is not written as JSON writes numbers",
      "write plain decimal digits: no leading `+`, no leading zero, no hexadecimal, and a digit on both sides of the point",
    );
    return { kind: "number", start, end, value: number };
  }
  const named = Object.hasOwn(NAMED, word) ? NAMED[word] : undefined;
  const keyword = KEYWORDS.find((name) => name === word.toLowerCase());
  if (keyword !== undefined) {
    problems.report(
      "syntax/bare-word",
      token,
      `\`${keyword}\` is written in lower case`,
      `write \`${keyword}\``,
      false,
    );
    return keyword === "null"
      ? { kind: "null", start, end }
      : { kind: "boolean", start, end, value: keyword === "true" };
  }
  if (named !== undefined) {
    problems.report("syntax/bare-word", token, named, "write a number or `null`, or leave the key out");
    return null;
  }
  if (/^[-+.\d]/.test(word)) {
    problems.report(
      "syntax/number",
      token,
      "the value is not a number as JSON writes them",
      "write plain decimal digits, or put it in double quotes when it is text",
    );
    return null;
  }
  problems.report("syntax/bare-word", token, "a text value needs double quotes", 'put `"` on both sides', false);
  if (PLAIN_WORD.test(word)) return { kind: "string", start, end, value: word };
  problems.broken = true;
  return null;
}
