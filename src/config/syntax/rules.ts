import type { RuleInfo } from "../../diagnostics/rule-info.ts";

function syntax(name: string, title: string, why: string, bad: string, good: string): RuleInfo {
  return { id: `syntax/${name}`, title, severity: "error", clause: "config.v1", why, bad, good };
}

/** Findings of the JSONC reader, by what an operator wrote. */
export const SYNTAX_RULES: readonly RuleInfo[] = [
  // The fragments of depth, encoding, more-problems and size only show what is meant: the real thing fills a page.
  syntax("bare-word", "Text without quotes", "JSONC knows no bare words but `true`, `false` and `null`, in lower case.", '{ "target": docker }', '{ "target": "docker" }'),
  syntax("colon", "Missing colon", "Key and value are joined by a colon; without it the reader has to guess which is which.", '{ "contract" 1 }', '{ "contract": 1 }'),
  syntax("comma", "Missing or stray comma", "Values of a list stand with exactly one comma between them. One comma after the last is fine.", '{ "contract": 1 "orgId": "acme" }', '{ "contract": 1, "orgId": "acme" }'),
  syntax("control-character", "Control character inside text", "JSON forbids raw control characters in text: qm's own reader refuses the file.", '{ "model": "a\tb" }', '{ "model": "a\\tb" }'),
  syntax("depth", "Nested too deeply", "No configuration of qm is deeper than a few levels, and readers that recurse fall over hundreds of them.", '{ "env": [[[[[[[[ /* … 200 levels */ ]]]]]]]] }', '{ "env": {} }'),
  syntax("duplicate-key", "Key set twice", "Readers take the last of two equal keys while editors change the first, so that an edit has no effect.", '{ "orgId": "acme", "orgId": "globex" }', '{ "orgId": "acme" }'),
  syntax("empty", "Empty file", "There is nothing to deploy in a file without an object.", "// to do", '{ "contract": 1 }'),
  syntax("encoding", "Not UTF-8 text", "qm reads UTF-8. Some editors save UTF-16, which reads as text full of NUL characters.", '{ "orgId": "acme" } // saved as UTF-16', "{}"),
  syntax("escape", "Unknown escape", "A backslash in JSON text begins an escape. Windows paths and regular expressions need theirs doubled.", '{ "skills": ["team\\skills"] }', '{ "skills": ["team/skills"] }'),
  syntax("hash-comment", "Comment with `#`", "JSONC comments begin with `//` or stand between `/*` and `*/`.", '{\n  # our organisation\n  "orgId": "acme"\n}', '{\n  // our organisation\n  "orgId": "acme"\n}'),
  syntax("invisible-character", "Invisible character", "Spaces other than the ordinary ones come in by copy and paste. They look right and stop every reader.", '{ "orgId":\u00a0"acme" }', '{ "orgId": "acme" }'),
  syntax("key", "Something else in the place of a key", "Inside an object every value needs a key in double quotes.", '{ { "orgId": "acme" } }', '{ "orgId": "acme" }'),
  syntax("lone-surrogate", "Half a surrogate pair", "Half a character cannot be written as UTF-8: files and environment variables would get something else.", '{ "botName": "\\ud83d" }', '{ "botName": "\\ud83d\\ude00" }'),
  syntax("more-problems", "More syntax problems", "After a hundred findings the rest is only counted.", '{ "skills": [x y, x y /* … a hundred times */] }', '{ "skills": [] }'),
  syntax("number", "Not a JSON number", "JSON numbers are plain decimals; hexadecimal, a leading `+` or zero, and a bare point are not read by qm.", '{ "basePort": 0x1F90 }', '{ "basePort": 8080 }'),
  syntax("number-range", "Number that cannot be kept", "Programs keep numbers as 64-bit floats: beyond their range or precision they would use another number than the one written.", '{ "basePort": 9007199254740993 }', '{ "basePort": 8080 }'),
  syntax("proto-key", "`__proto__` as a key", "Many programs drop this key or change an object's nature by it, so that settings vanish silently.", '{ "env": { "__proto__": {} } }', '{ "env": {} }'),
  syntax("quotes", "Wrong quotes", "JSON text stands in double quotes. Single, back and typographic quotes belong to other formats.", "{ \"orgId\": 'acme' }", '{ "orgId": "acme" }'),
  syntax("root", "Not an object", "The configuration is one object; a list or a single value holds no settings.", "[]", "{}"),
  syntax("size", "File too large", "A deployment's configuration is a few kilobytes. A file above 1 MiB is something else.", '{ /* … more than 1 MiB */ }', "{}"),
  syntax("stray-text", "Text outside the object", "Before and after the object only comments may stand.", '{ "contract": 1 } }', '{ "contract": 1 }'),
  syntax("unclosed", "Bracket never closed", "Everything after the bracket counts as inside it, so that the reader has to guess where it ends.", '{ "services": ["core" }', '{ "services": ["core"] }'),
  syntax("unclosed-comment", "Comment never closed", "All that follows is taken for the comment. qm's own reader accepts this silently.", '{ "contract": 1 } /* the end', '{ "contract": 1 } /* the end */'),
  syntax("unclosed-string", "Text never closed", "Text ends with a double quote on the line where it began.", '{ "orgId": "acme\n}', '{ "orgId": "acme" }'),
  syntax("unquoted-key", "Key without quotes", "Keys without quotes are JSON5 or JavaScript; qm's own reader refuses the file.", "{ contract: 1 }", '{ "contract": 1 }'),
  syntax("value", "Missing value", "A key without a value says nothing.", '{ "orgId": }', '{ "orgId": "acme" }'),
];
