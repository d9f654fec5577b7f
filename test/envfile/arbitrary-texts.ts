import fc from "fast-check";

const PIECES = [
  "A",
  "B",
  "KEY",
  "A.b",
  "x-y",
  "export",
  "export ",
  "export\t",
  "=",
  "=",
  "=",
  "\n",
  "\n",
  "\r\n",
  "\r",
  " ",
  "  ",
  "\t",
  "#",
  " #",
  "'",
  '"',
  "`",
  '"""',
  "\\",
  "\\n",
  "\\r",
  '\\"',
  "\\'",
  "\\$",
  "$",
  "${",
  "}",
  "$A",
  "${B:-x}",
  "$$",
  ":",
  ": ",
  "value",
  "a b",
  "é",
  "\u00a0",
  "\u0085",
  "\uFEFF",
  "1",
  "__proto__",
  "\v",
  "\f",
] as const;

/** Texts made of what matters to readers of env files. */
export const envTexts = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.string({ maxLength: 3 }) },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

const WORDS = [
  "a",
  "b-c",
  "'x y'",
  "'$a'",
  '"q"',
  '"\\$d"',
  '"a\\\\b"',
  '"\\n"',
  "\\ ",
  "\\$",
  "''",
  "é",
  "#",
  "%",
  "=",
  "^",
  "}",
  "]",
  ":",
  "@",
  "'l\nm'",
  '"l\nm"',
  "\\\n",
  "\\",
  "'",
  '"',
  " ",
  "~",
] as const;

/** Texts that a shell mostly takes for assignments. */
export const shellTexts = fc
  .array(
    fc.tuple(
      fc.constantFrom("", "export ", "export\t", "  "),
      fc.constantFrom("A", "B", "A_1"),
      fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }),
      fc.constantFrom("\n", "\n\n", " \n", " # c\n", "#c\n", "\r\n"),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((lines) => lines.map(([prefix, name, words, end]) => `${prefix}${name}=${words.join("")}${end}`).join(""));

/** Values of every kind: plain, quoted, JSON, of several lines, with edges of blanks. */
export const envValues = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc
    .array(fc.constantFrom("a", "'", '"', "`", "$", "\\", "#", " ", "\n", "=", "n", "{", "}", "\t", "\\n", " #", "é"), {
      maxLength: 12,
    })
    .map((pieces) => pieces.join("")),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.json({ maxDepth: 2 }),
  fc.constantFrom("-----BEGIN KEY-----\nMIIB+/=\n-----END KEY-----\n", "postgres://u:p%40@h/db?x=1#f", "true", ""),
);

export const envNames = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
