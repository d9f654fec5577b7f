import type { RuleInfo } from "../diagnostics/rule-info.ts";

/** `example` is a bad fragment and the good one in its place. */
function rule(id: RuleInfo["id"], title: string, why: string, example: readonly [bad: string, good: string]): RuleInfo {
  return { id, title, severity: "error", clause: "config.v1", why, bad: example[0], good: example[1] };
}

/** What the findings of `loadConfig` say about themselves: those of the JSONC reader, of shape, and of what was not filled in yet. */
export const CONFIG_RULES: readonly RuleInfo[] = [
  // The fragments of depth, encoding, more-problems and size only show what is meant: the real thing fills a page.
  rule(
    "syntax/bare-word",
    "Text without quotes",
    "JSONC knows no bare words but `true`, `false` and `null`, in lower case.",
    ['{ "target": docker }', '{ "target": "docker" }'],
  ),
  rule(
    "syntax/colon",
    "Missing colon",
    "Key and value are joined by a colon; without it the reader has to guess which is which.",
    ['{ "contract" 1 }', '{ "contract": 1 }'],
  ),
  rule(
    "syntax/comma",
    "Missing or stray comma",
    "Values of a list stand with exactly one comma between them. One comma after the last is fine.",
    ['{ "contract": 1 "orgId": "acme" }', '{ "contract": 1, "orgId": "acme" }'],
  ),
  rule(
    "syntax/control-character",
    "Control character inside text",
    "JSON forbids raw control characters in text: qm's own reader refuses the file.",
    ['{ "model": "a\tb" }', '{ "model": "a\\tb" }'],
  ),
  rule(
    "syntax/depth",
    "Nested too deeply",
    "No configuration of qm is deeper than a few levels, and readers that recurse fall over hundreds of them.",
    ['{ "env": [[[[[[[[ /* … 200 levels */ ]]]]]]]] }', '{ "env": {} }'],
  ),
  rule(
    "syntax/duplicate-key",
    "Key set twice",
    "Readers take the last of two equal keys while editors change the first, so that an edit has no effect.",
    ['{ "orgId": "acme", "orgId": "globex" }', '{ "orgId": "acme" }'],
  ),
  rule("syntax/empty", "Empty file", "There is nothing to deploy in a file without an object.", [
    "// to do",
    '{ "contract": 1 }',
  ]),
  rule(
    "syntax/encoding",
    "Not UTF-8 text",
    "qm reads UTF-8. Some editors save UTF-16, which reads as text full of NUL characters.",
    ['{ "orgId": "acme" } // saved as UTF-16', "{}"],
  ),
  rule(
    "syntax/escape",
    "Unknown escape",
    "A backslash in JSON text begins an escape. Windows paths and regular expressions need theirs doubled.",
    ['{ "skills": ["team\\skills"] }', '{ "skills": ["team/skills"] }'],
  ),
  rule("syntax/hash-comment", "Comment with `#`", "JSONC comments begin with `//` or stand between `/*` and `*/`.", [
    '{\n  # our organisation\n  "orgId": "acme"\n}',
    '{\n  // our organisation\n  "orgId": "acme"\n}',
  ]),
  rule(
    "syntax/invisible-character",
    "Invisible character",
    "Spaces other than the ordinary ones come in by copy and paste. They look right and stop every reader.",
    ['{ "orgId":\u00a0"acme" }', '{ "orgId": "acme" }'],
  ),
  rule(
    "syntax/key",
    "Something else in the place of a key",
    "Inside an object every value needs a key in double quotes.",
    ['{ { "orgId": "acme" } }', '{ "orgId": "acme" }'],
  ),
  rule(
    "syntax/lone-surrogate",
    "Half a surrogate pair",
    "Half a character cannot be written as UTF-8: files and environment variables would get something else.",
    ['{ "botName": "\\ud83d" }', '{ "botName": "\\ud83d\\ude00" }'],
  ),
  rule("syntax/more-problems", "More syntax problems", "After a hundred findings the rest is only counted.", [
    '{ "skills": [x y, x y /* … a hundred times */] }',
    '{ "skills": [] }',
  ]),
  rule(
    "syntax/nul",
    "NUL in a text",
    "Programs take NUL for the end of a text: no environment variable and no argument can hold one.",
    ['{ "botName": "\\u0000Acme" }', '{ "botName": "Acme" }'],
  ),
  rule(
    "syntax/number",
    "Not a JSON number",
    "JSON numbers are plain decimals; hexadecimal, a leading `+` or zero, and a bare point are not read by qm.",
    ['{ "basePort": 0x1F90 }', '{ "basePort": 8080 }'],
  ),
  rule(
    "syntax/number-range",
    "Number that cannot be kept",
    "Programs keep numbers as 64-bit floats: beyond their range or precision they would use another number than the one written.",
    ['{ "basePort": 9007199254740993 }', '{ "basePort": 8080 }'],
  ),
  rule(
    "syntax/proto-key",
    "`__proto__` as a key",
    "Many programs drop this key or change an object's nature by it, so that settings vanish silently.",
    ['{ "env": { "__proto__": {} } }', '{ "env": {} }'],
  ),
  rule(
    "syntax/quotes",
    "Wrong quotes",
    "JSON text stands in double quotes. Single, back and typographic quotes belong to other formats.",
    ["{ \"orgId\": 'acme' }", '{ "orgId": "acme" }'],
  ),
  rule("syntax/root", "Not an object", "The configuration is one object; a list or a single value holds no settings.", [
    "[]",
    "{}",
  ]),
  rule(
    "syntax/size",
    "File too large",
    "A deployment's configuration is a few kilobytes. A file above 1 MiB is something else.",
    ["{ /* … more than 1 MiB */ }", "{}"],
  ),
  rule("syntax/stray-text", "Text outside the object", "Before and after the object only comments may stand.", [
    '{ "contract": 1 } }',
    '{ "contract": 1 }',
  ]),
  rule(
    "syntax/unclosed",
    "Bracket never closed",
    "Everything after the bracket counts as inside it, so that the reader has to guess where it ends.",
    ['{ "services": ["core" }', '{ "services": ["core"] }'],
  ),
  rule(
    "syntax/unclosed-comment",
    "Comment never closed",
    "All that follows is taken for the comment. qm's own reader accepts this silently.",
    ['{ "contract": 1 } /* the end', '{ "contract": 1 } /* the end */'],
  ),
  rule("syntax/unclosed-string", "Text never closed", "Text ends with a double quote on the line where it began.", [
    '{ "orgId": "acme\n}',
    '{ "orgId": "acme" }',
  ]),
  rule(
    "syntax/unquoted-key",
    "Key without quotes",
    "Keys without quotes are JSON5 or JavaScript; qm's own reader refuses the file.",
    ["{ contract: 1 }", '{ "contract": 1 }'],
  ),
  rule("syntax/value", "Missing value", "A key without a value says nothing.", ['{ "orgId": }', '{ "orgId": "acme" }']),
  rule(
    "config/bad-value",
    "Value of the wrong form",
    "qm either refuses such a value or passes it on to a target that does, in the middle of a deployment.",
    ['{ "orgId": "Acme Corp!" }', '{ "orgId": "acme-corp" }'],
  ),
  rule(
    "config/contract",
    "Unsupported contract",
    "The contract number says how the file is to be read. This toolkit, like qm 0.1, knows contract 1.",
    ['{ "contract": 2 }', '{ "contract": 1 }'],
  ),
  rule(
    "config/env-name",
    "Not an environment name",
    "Other names cannot be exported by a shell, and become nested tables or syntax errors in the files of some targets.",
    ['{ "env": { "core": { "MY.KEY": "1" } } }', '{ "env": { "core": { "MY_KEY": "1" } } }'],
  ),
  rule(
    "config/invisible-character",
    "Invisible character in a value",
    "Zero-width characters, direction marks, no-break spaces and control characters come in by copy and paste: the value looks right, and its reader gets another one. In a text of several words it may be meant: a warning there.",
    ['{ "env": { "core": { "ACME_MODE": "fa\\u200bst" } } }', '{ "env": { "core": { "ACME_MODE": "fast" } } }'],
  ),
  rule(
    "config/missing-key",
    "Missing field",
    "qm cannot deploy without it, and nothing else can be taken in its place.",
    [
      '{ "contract": 1 }',
      '{ "contract": 1, "orgId": "acme", "publicUrl": "https://qm.acme.com", "target": "docker", "services": ["core"] }',
    ],
  ),
  rule("config/more-problems", "More problems", "After a hundred findings the rest is only counted.", [
    '{ "a1": 1, "a2": 2 /* … a hundred more */ }',
    "{}",
  ]),
  rule(
    "config/origin-url",
    "Not the origin of a site",
    "qm stores the address as it is written and builds cookies, redirects and issuer names from it: a path, a space or a capital letter breaks sign-in.",
    ['{ "publicUrl": "https://QM.acme.com/app" }', '{ "publicUrl": "https://qm.acme.com" }'],
  ),
  {
    ...rule(
      "config/placeholder",
      "Placeholder not filled in",
      "A value such as `replace-me`, `<org>` or an account of zeros passes a syntax check and cannot work.",
      ['{ "orgId": "replace-me" }', '{ "orgId": "acme" }'],
    ),
    concerns: "operator-values",
  },
  {
    ...rule(
      "config/reserved-domain",
      "Reserved example domain",
      "Nobody can own example.com and its like (RFC 2606): mail to it vanishes, and nothing is served there.",
      ['{ "publicUrl": "https://qm.example.com" }', '{ "publicUrl": "https://qm.acme.com" }'],
    ),
    severity: "warning",
  },
  {
    ...rule(
      "secrets/misplaced-secret",
      "Secret in a field, a name or a comment",
      "The config is committed, and so is most of what is rendered from it: a key in `region`, in the tag of an image, or where `secretEnv` should name a secret is as public as one in `env`. Nothing is rendered from such a config, `--force` included.",
      [
        `{ "secretEnv": { "core": { "ACME_TOKEN": "bxk${"_"}4f6XyTq0LmN8sRkZbQwE2vUj7aPcDgHi" } } }`,
        '{ "secretEnv": { "core": { "ACME_TOKEN": "ACME_TOKEN" } } }',
      ],
    ),
    clause: "config.no-secret-values",
  },
  rule(
    "config/unknown-key",
    "Unknown field",
    "qm refuses unknown fields at the top level and silently drops them elsewhere, so that the setting has no effect.",
    ['{ "sandbox": { "backnd": "boxd" } }', '{ "sandbox": { "backend": "boxd" } }'],
  ),
  rule("config/unknown-name", "Unknown name", "Only these names mean something to qm.", [
    '{ "target": "dokcer" }',
    '{ "target": "docker" }',
  ]),
  rule(
    "config/wrong-type",
    "Value of the wrong type",
    "qm refuses it or silently ignores it, so that the setting has no effect.",
    ['{ "region": 1 }', '{ "region": "sjc" }'],
  ),
];
