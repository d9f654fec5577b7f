import type { ReaderName } from "./readers/index.ts";

/** What a reader makes of a text; a string is the reason why it gives up. */
export interface ReaderCase {
  readonly reader: ReaderName;
  readonly text: string;
  readonly values: { readonly [name: string]: string } | string;
}

/** Facts about readers that cannot run here, from their sources and public tests, and what tells readers apart. */
export const READER_CASES: readonly ReaderCase[] = [
  { reader: "fly", text: "\n# c\n\nFOO=BAR\n# c\nQUX=NAH\n", values: { FOO: "BAR", QUX: "NAH" } },
  { reader: "fly", text: "FOO=BAR\r\nQUX=NAH\r\n", values: { FOO: "BAR", QUX: "NAH" } },
  { reader: "fly", text: 'M="""ONE\nTWO\n\nEND"""\nT=what\n', values: { M: "ONE\nTWO\n\nEND", T: "what" } },
  { reader: "fly", text: 'V="""x"""\nW=2\n', values: { V: "x", W: "2" } },
  { reader: "fly", text: "FOO = BAR", values: { FOO: "BAR" } },
  { reader: "fly", text: "B=50  # amount in peso\n", values: { B: "50" } },
  { reader: "fly", text: "B='a#b'\n", values: { B: "'a" } },
  { reader: "fly", text: 'B="a#b"\n', values: { B: "a#b" } },
  { reader: "fly", text: "export K=v\n", values: { "export K": "v" } },
  { reader: "fly", text: 'A="\n', values: "the value is a lone quote, on which flyctl crashes" },
  { reader: "fly", text: "A\n", values: "the line has no `=`" },
  { reader: "docker", text: "\uFEFFA='x'\r\n  B= y \n#c\nC\n", values: { A: "'x'", B: " y " } },
  { reader: "docker", text: "A B=1", values: "the name holds a space or tab" },
  { reader: "docker", text: "=1", values: "the line has no name" },
  { reader: "docker", text: `A=${"x".repeat(65_540)}`, values: "the line is longer than 65535 bytes" },
  { reader: "compose", text: "\uFEFFA=1\r\nB=2\r\n", values: { A: "1", B: "2" } },
  {
    reader: "compose",
    text: "P=\"abc$def\"\nQ='abc$def'\nR=abc\\$def\n",
    values: { P: "abc", Q: "abc$def", R: "abc\\" },
  },
  {
    reader: "compose",
    text: 'A=1\nB=$A-${A}-${X:-d}-${A:+s}-$$A\nC="\\$A \\n \\\\ \\" \\0101 \\c"\n',
    values: { A: "1", B: "1-1-d-s-$A", C: '$A \n \\ " A \\c' },
  },
  { reader: "compose", text: "A=b # note\nC=d#e\nF: g\nH='it\\'s'\n", values: { A: "b", C: "d#e", F: "g", H: "it's" } },
  { reader: "compose", text: "A=1\nB='x\n", values: "a quote is never closed" },
  { reader: "compose", text: "A=a$\n", values: "a `$` starts no reference that compose understands" },
  { reader: "compose", text: "A=${X?needed}\n", values: "a `$` starts no reference that compose understands" },
  { reader: "compose", text: "A%=1\n", values: "the name holds a character that compose refuses" },
  {
    reader: "compose",
    text: "árvíztűrő-TÜKÖRFÚRÓGÉP=ÁRVÍZ\na[1]=c\nexport\tE=1\nNONE\nZ=1\n",
    values: { "árvíztűrő-TÜKÖRFÚRÓGÉP": "ÁRVÍZ", "a[1]": "c", E: "1", Z: "1" },
  },
  {
    reader: "qm",
    text: 'J="{\\"a\\":1}"\nexport\tA=1\nB=1 # note\nA-B=1\nC=`x` y\nD="a\\\\n"\n',
    values: { J: "{\\", B: "1 # note", C: "x", D: "a\\\n" },
  },
  { reader: "shell", text: "export A='it'\\''s' # c\nB=\"\\$x\"\n", values: { A: "it's", B: "$x" } },
  { reader: "shell", text: "A=$B\n", values: "the value is not one literal word" },
  { reader: "shell", text: "A=1 cmd\n", values: "the line holds more than an assignment" },
  { reader: "shell", text: "UID=1\n", values: "the shell sets this name itself" },
  { reader: "shell", text: "A = 1\n", values: "the line is no assignment" },
];
