/** A `.env` and what our own reader makes of it. */
export interface ReadCase {
  /** What the case shows. */
  readonly id: string;
  readonly text: string;
  /** Entries in order, as name and value. */
  readonly entries: readonly (readonly [string, string])[];
  /** Problems in order, as kind, slice of the text and name. */
  readonly problems?: readonly (readonly [string, string, string | null])[];
}

const PEM = "-----BEGIN PRIVATE KEY-----\nMIIB+/Q==\n-----END PRIVATE KEY-----";

export const READ_CASES: readonly ReadCase[] = [
  { id: "escaped quotes", text: 'J="{\\"a\\":1}"\n', entries: [["J", '{"a":1}']] },
  {
    id: "JSON with escapes of its own",
    text: 'J="{\\"a\\":\\"x\\\\ny\\\\\\"z\\"}"\n',
    entries: [["J", '{"a":"x\\ny\\"z"}']],
  },
  { id: "JSON in single quotes", text: 'J=\'{"a":"x\\ny"}\'\n', entries: [["J", '{"a":"x\\ny"}']] },
  {
    id: "PEM",
    text: `K="${PEM}"\nB=2\n`,
    entries: [
      ["K", PEM],
      ["B", "2"],
    ],
  },
  {
    id: "PEM with CRLF",
    text: `K='${PEM.replaceAll("\n", "\r\n")}'\r\nB=2\r\n`,
    entries: [
      ["K", PEM],
      ["B", "2"],
    ],
  },
  { id: "PEM in backticks", text: `K=\`${PEM}\`\n`, entries: [["K", PEM]] },
  { id: "escaped backslash", text: 'A="a\\\\n"\n', entries: [["A", "a\\n"]] },
  { id: "escapes that are none stay", text: 'A="C:\\temp\\d \\$x \\n"\n', entries: [["A", "C:\\temp\\d $x \n"]] },
  {
    id: "no escapes in other quotes",
    text: "A='\\n'\nB=`\\\"`\nC=\\n\n",
    entries: [
      ["A", "\\n"],
      ["B", '\\"'],
      ["C", "\\n"],
    ],
  },
  {
    id: "export and tab",
    text: "export\tA=1\n  export  B=2\nexport=3\nexport =4\n",
    entries: [
      ["A", "1"],
      ["B", "2"],
      ["export", "3"],
      ["export", "4"],
    ],
    problems: [["duplicate-name", "export", "export"]],
  },
  {
    id: "inline comment",
    text: "A=1 # note\nB='1' # note\nC=1\t#note\n",
    entries: [
      ["A", "1"],
      ["B", "1"],
      ["C", "1"],
    ],
    problems: [
      ["inline-comment", "# note", "A"],
      ["inline-comment", "#note", "C"],
    ],
  },
  {
    id: "a hash inside a value",
    text: "A=a#b\nB=#b\nC= #c\nD=https://h/#f\n",
    entries: [
      ["A", "a#b"],
      ["B", "#b"],
      ["C", ""],
      ["D", "https://h/#f"],
    ],
    problems: [["inline-comment", "#c", "C"]],
  },
  {
    id: "blank hides",
    text: "A=1\nA=\n",
    entries: [
      ["A", "1"],
      ["A", ""],
    ],
    problems: [["blank-hides-value", "A", "A"]],
  },
  {
    id: "repeated name",
    text: "A=1\nexport A=2\n",
    entries: [
      ["A", "1"],
      ["A", "2"],
    ],
    problems: [["duplicate-name", "A", "A"]],
  },
  {
    id: "blank first, then a value",
    text: "A=\nA=1\n",
    entries: [
      ["A", ""],
      ["A", "1"],
    ],
    problems: [["duplicate-name", "A", "A"]],
  },
  {
    id: "invalid names",
    text: "A-B=1\n1A=1\n=1\nA B=1\nexport A.b=1\n",
    entries: [],
    problems: [
      ["invalid-name", "A-B", "A-B"],
      ["invalid-name", "1A", null],
      ["invalid-name", "", null],
      ["invalid-name", "A B", null],
      ["invalid-name", "A.b", null],
    ],
  },
  {
    id: "an invalid name does not leak its lines",
    text: "A-B='1\nC=2'\nD=3\n",
    entries: [["D", "3"]],
    problems: [["invalid-name", "A-B", "A-B"]],
  },
  {
    id: "lone CR",
    text: "A=1\rB=2\r",
    entries: [
      ["A", "1"],
      ["B", "2"],
    ],
  },
  { id: "BOM", text: "\uFEFFA=1", entries: [["A", "1"]] },
  {
    id: "BOM and CRLF",
    text: "\uFEFFA=1\r\nB=2\r\n",
    entries: [
      ["A", "1"],
      ["B", "2"],
    ],
  },
  { id: "node's quotes", text: 'A="x \\"y\\" z"', entries: [["A", 'x "y" z']] },
  {
    id: "triple quotes",
    text: 'V="""x"""\nW=2\n',
    entries: [
      ["V", ""],
      ["W", "2"],
    ],
    problems: [["text-after-quote", '"x"""', "V"]],
  },
  { id: "comment and export", text: "# test\n\n  # more\nexport K=v\n", entries: [["K", "v"]] },
  {
    id: "comment behind a number",
    text: "B=50  # amount in peso\n",
    entries: [["B", "50"]],
    problems: [["inline-comment", "# amount in peso", "B"]],
  },
  {
    id: "empty, and = inside",
    text: "A=\nB=a=b==\nC= \t\n",
    entries: [
      ["A", ""],
      ["B", "a=b=="],
      ["C", ""],
    ],
  },
  { id: "single quotes", text: "A='x'\n", entries: [["A", "x"]] },
  {
    id: "blanks around =",
    text: "A = 1 \n\tB\t=\t2 3\t\n",
    entries: [
      ["A", "1"],
      ["B", "2 3"],
    ],
  },
  {
    id: "text behind a quote",
    text: "A='x' y # c\nB=2",
    entries: [
      ["A", "x"],
      ["B", "2"],
    ],
    problems: [["text-after-quote", "y # c", "A"]],
  },
  { id: "a comment without blank behind a quote", text: "A='x'#c\n", entries: [["A", "x"]] },
  {
    id: "never closed",
    text: "A='x # y\nB=2\n",
    entries: [
      ["A", "'x # y"],
      ["B", "2"],
    ],
    problems: [["unterminated-quote", "'", "A"]],
  },
  {
    id: "closed only by the next assignment",
    text: 'A="x\nB="y"\nexport C="z\nD=4\n',
    entries: [
      ["A", '"x'],
      ["B", "y"],
      ["C", '"z'],
      ["D", "4"],
    ],
    problems: [
      ["unterminated-quote", '"', "A"],
      ["unterminated-quote", '"', "C"],
    ],
  },
  {
    id: "closed only by an apostrophe below",
    text: "A='x\nB=don't\n",
    entries: [
      ["A", "'x"],
      ["B", "don't"],
    ],
    problems: [["unterminated-quote", "'", "A"]],
  },
  { id: "a lone quote at the end", text: 'A="', entries: [["A", '"']], problems: [["unterminated-quote", '"', "A"]] },
  {
    id: "lines without =",
    text: "hello\nexport A\nB=1\n",
    entries: [["B", "1"]],
    problems: [
      ["no-equals", "hello", null],
      ["no-equals", "A", null],
    ],
  },
  {
    id: "NUL and DEL",
    text: "A=a\0b\nB=\x7f\nC=\t\n",
    entries: [
      ["A", "a\0b"],
      ["B", "\x7f"],
      ["C", ""],
    ],
    problems: [
      ["control-character", "\0", "A"],
      ["control-character", "\x7f", "B"],
    ],
  },
  {
    id: "what is invisible or typographic in a value",
    text: "A=a\u200bb\nB=\u201cab\u201d\nC=Caf\u00e9 \u2013 Bar\n",
    entries: [
      ["A", "a\u200bb"],
      ["B", "\u201cab\u201d"],
      ["C", "Caf\u00e9 \u2013 Bar"],
    ],
    problems: [
      ["invisible-character", "\u200b", "A"],
      ["invisible-character", "\u201c", "B"],
    ],
  },
  {
    id: "__proto__",
    text: "__proto__=1\nconstructor=2\n",
    entries: [
      ["__proto__", "1"],
      ["constructor", "2"],
    ],
  },
  {
    id: "a broken PEM is not printed as names",
    text: 'K="-----BEGIN KEY-----\nMIIBVQIBADANBgkq==\nx"y\n',
    entries: [
      ["K", '"-----BEGIN KEY-----'],
      ["MIIBVQIBADANBgkq", "="],
    ],
    problems: [
      ["unterminated-quote", '"', "K"],
      ["no-equals", 'x"y', null],
    ],
  },
  { id: "nothing", text: "", entries: [] },
  { id: "only a BOM", text: "\uFEFF", entries: [] },
];
