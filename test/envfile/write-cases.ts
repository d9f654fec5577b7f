import type { DialectName } from "../../src/envfile/index.ts";
import type { Program } from "../../src/envfile/write/programs.ts";

/** A value, and the line of `K` that a dialect makes of it, or the reader and character for which it is refused. */
export interface WriteCase {
  readonly dialect: DialectName;
  readonly value: string;
  readonly line?: string;
  readonly refused?: readonly [Program | null, string | null];
}

export const WRITE_CASES: readonly WriteCase[] = [
  { dialect: "docker", value: "a b 'c' # $d \"e\"", line: "K=a b 'c' # $d \"e\"" },
  { dialect: "docker", value: "a\nb", refused: ["docker", "\n"] },
  { dialect: "docker", value: "a\r", refused: ["docker", "\r"] },
  { dialect: "docker", value: " a ", line: "K= a " },
  { dialect: "docker", value: "'a'", refused: ["docker", "'"] },
  { dialect: "docker", value: "'", line: "K='" },
  { dialect: "docker", value: '{"a":1}', line: 'K={"a":1}' },
  { dialect: "compose", value: "a$b", line: "K='a$b'" },
  { dialect: "compose", value: "it's $1", line: 'K="it\'s \\$1"' },
  { dialect: "compose", value: "a\nb", line: "K='a\nb'" },
  { dialect: "compose", value: "it's\\", line: "K=it's\\" },
  { dialect: "compose", value: "a # it's\\", refused: ["compose", "#"] },
  { dialect: "dotenv", value: "a#b", line: "K='a#b'" },
  { dialect: "dotenv", value: "it's #1", line: 'K="it\'s #1"' },
  { dialect: "dotenv", value: "'\" #", line: "K=`'\" #`" },
  { dialect: "dotenv", value: "'\"`#", refused: ["node", "'"] },
  { dialect: "dotenv", value: " a", line: "K=' a'" },
  { dialect: "dotenv", value: "a\rb", refused: ["node", "\r"] },
  { dialect: "fly", value: "a#b", line: 'K="a#b"' },
  { dialect: "fly", value: "a\nb", line: 'K="""a\nb"""' },
  { dialect: "fly", value: "it's", line: 'K="it\'s"' },
  { dialect: "fly", value: '{"a":"#"}', line: 'K=\'{"a":"#"}\'' },
  { dialect: "shell", value: "it's $HOME `x` \"\\\n", line: "export K='it'\\''s $HOME `x` \"\\\n'" },
  { dialect: "shell", value: "", line: "export K=''" },
  { dialect: "fly", value: "", line: "K=" },
  { dialect: "docker", value: "\0", refused: [null, "\0"] },
  { dialect: "compose", value: "\ud800", refused: [null, "\ud800"] },
];
