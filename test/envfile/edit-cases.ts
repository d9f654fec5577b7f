import type { FileReader } from "../../src/envfile/index.ts";

/** `K` set to `value`: the text that results, or reader and character of the refusal. Readers: qm unless given. */
export interface EditCase {
  readonly id: string;
  readonly text: string;
  readonly value: string;
  readonly readers?: readonly FileReader[];
  readonly result?: string;
  readonly refused?: readonly [FileReader | null, string | null];
}

export const EDIT_CASES: readonly EditCase[] = [
  { id: "double quotes", text: "K=old\n", value: '"abc"', result: "K='\"abc\"'\n" },
  { id: "single quotes", text: "K=old\n", value: "'abc'", result: "K=\"'abc'\"\n" },
  { id: "backticks", text: "K=old\n", value: "`abc`", result: "K='`abc`'\n" },
  { id: "edge blanks", text: "K=old\n", value: " abc ", result: "K=' abc '\n" },
  { id: "all quotes, for qm", text: "K=old\n", value: "'a' \"b\" `c`", refused: ["qm", "'"] },
  {
    id: "all quotes, for us alone",
    text: "K=old\n",
    value: "'a' \"b\" `c`",
    readers: [],
    result: 'K="\'a\' \\"b\\" `c`"\n',
  },
  {
    id: "export",
    text: "export K=old\nexport\tB=1\n",
    value: "new",
    readers: [],
    result: "export K=new\nexport\tB=1\n",
  },
  {
    id: "value of several lines",
    text: 'A=1\nK="line1\nline2"\nB=2\n',
    value: "new",
    result: "A=1\nK=new\nB=2\n",
  },
  { id: "CRLF", text: "A=1\r\nK=old\r\n", value: "new", result: "A=1\r\nK=new\r\n" },
  { id: "CRLF, appended", text: "A=1\r\n", value: "new", result: "A=1\r\nK=new\r\n" },
  {
    id: "CRLF and a value of two lines",
    text: "A=1\r\nK=old\r\n",
    value: "a\nb",
    readers: ["compose"],
    result: 'A=1\r\nK="a\\nb"\r\n',
  },
  { id: "a comment that looks like the name", text: "# K=\nK=\n", value: "new", result: "# K=\nK=new\n" },
  { id: "text behind quotes", text: "K=\n", value: '"Acme" <a@b>', result: "K='\"Acme\" <a@b>'\n" },
  {
    id: "later duplicates go",
    text: "K=1\nA=1\nexport K=2\nK='3\n4'\nB=2\n",
    value: "new",
    result: "K=new\nA=1\nB=2\n",
  },
  { id: "comments of duplicates stay", text: "K=1\nK='2' # why\n", value: "new", result: "K=new\n# why\n" },
  {
    id: "a comment behind the value stays where readers allow it",
    text: "K=1 # why\n",
    value: "new",
    readers: ["compose"],
    result: "K=new # why\n",
  },
  {
    id: "a comment behind the value stays behind quotes for qm",
    text: "K=1 # why\n",
    value: "new",
    result: "K='new' # why\n",
  },
  {
    id: "a comment behind the value moves up where qm would take it for a part of the value",
    text: "A=1\nK=1 # why\n",
    value: "a'\"`b",
    result: "A=1\n# why\nK=a'\"`b\n",
  },
  { id: "export and a tab, which qm does not take off", text: "export\tK=1\n", value: "2", result: "export K=2\n" },
  {
    id: "no quoting for compose and qm alike",
    text: "K=1\n",
    value: "it's $1",
    readers: ["qm", "compose"],
    refused: [null, "'"],
  },
  {
    id: "an entry that compose gives up on",
    text: "A%=1\n",
    value: "new",
    readers: ["compose"],
    refused: ["compose", null],
  },
  { id: "blanks around = stay where readers allow it", text: "K = old\n", value: "new", result: "K = new\n" },
  { id: "BOM", text: "\uFEFFK=old\n", value: "new", result: "\uFEFFK=new\n" },
  { id: "absent, no final line end", text: "A=1", value: "new", result: "A=1\nK=new\n" },
  { id: "present, no final line end", text: "K=1", value: "new", result: "K=new" },
  { id: "empty file", text: "", value: "new", result: "K=new\n" },
  { id: "lone CR", text: "A=1\rK=1\r", value: "new", readers: [], result: "A=1\rK=new\r" },
  { id: "the same value stays as it is written", text: 'K="a" # why\n', value: "a", result: 'K="a" # why\n' },
  { id: "blank", text: "K=1\n", value: "", result: "K=\n" },
  { id: "an unclosed quote", text: "K='old\nA=1\n", value: "new", result: "K=new\nA=1\n" },
  { id: "JSON", text: "K=\n", value: '{"a":"it\'s"}', readers: [], result: 'K="{\\"a\\":\\"it\'s\\"}"\n' },
];
