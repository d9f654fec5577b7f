import type { RuleInfo } from "../../diagnostics/rule-info.ts";

function shape(id: RuleInfo["id"], title: string, why: string, bad: string, good: string): RuleInfo {
  return { id, title, severity: "error", clause: "config.v1", why, bad, good };
}

/** Findings about the shape of the config and about what was not filled in yet. */
export const SHAPE_RULES: readonly RuleInfo[] = [
  shape(
    "config/bad-value",
    "Value of the wrong form",
    "qm either refuses such a value or passes it on to a target that does, in the middle of a deployment.",
    '{ "orgId": "Acme Corp!" }',
    '{ "orgId": "acme-corp" }',
  ),
  shape(
    "config/contract",
    "Unsupported contract",
    "The contract number says how the file is to be read. This toolkit, like qm 0.1, knows contract 1.",
    '{ "contract": 2 }',
    '{ "contract": 1 }',
  ),
  shape(
    "config/env-name",
    "Not an environment name",
    "Other names cannot be exported by a shell, and become nested tables or syntax errors in the files of some targets.",
    '{ "env": { "core": { "MY.KEY": "1" } } }',
    '{ "env": { "core": { "MY_KEY": "1" } } }',
  ),
  shape(
    "config/missing-key",
    "Missing field",
    "qm cannot deploy without it, and nothing else can be taken in its place.",
    '{ "contract": 1 }',
    '{ "contract": 1, "orgId": "acme", "publicUrl": "https://qm.acme.com", "target": "docker", "services": ["core"] }',
  ),
  shape(
    "config/more-problems",
    "More problems of shape",
    "After a hundred findings the rest is only counted.",
    '{ "a1": 1, "a2": 2 /* … a hundred more */ }',
    "{}",
  ),
  shape(
    "config/origin-url",
    "Not the origin of a site",
    "qm stores the address as it is written and builds cookies, redirects and issuer names from it: a path, a space or a capital letter breaks sign-in.",
    '{ "publicUrl": "https://QM.acme.com/app" }',
    '{ "publicUrl": "https://qm.acme.com" }',
  ),
  {
    ...shape(
      "config/placeholder",
      "Placeholder not filled in",
      "A value such as `replace-me`, `<org>` or an account of zeros passes a syntax check and cannot work.",
      '{ "orgId": "replace-me" }',
      '{ "orgId": "acme" }',
    ),
    concerns: "operator-values",
  },
  {
    ...shape(
      "config/reserved-domain",
      "Reserved example domain",
      "Nobody can own example.com and its like (RFC 2606): mail to it vanishes, and nothing is served there.",
      '{ "publicUrl": "https://qm.example.com" }',
      '{ "publicUrl": "https://qm.acme.com" }',
    ),
    severity: "warning",
  },
  shape(
    "config/unknown-key",
    "Unknown field",
    "qm refuses unknown fields at the top level and silently drops them elsewhere, so that the setting has no effect.",
    '{ "sandbox": { "backnd": "boxd" } }',
    '{ "sandbox": { "backend": "boxd" } }',
  ),
  shape(
    "config/unknown-name",
    "None of the known names",
    "Only these names mean something to qm.",
    '{ "target": "dokcer" }',
    '{ "target": "docker" }',
  ),
  shape(
    "config/wrong-type",
    "Value of the wrong type",
    "qm refuses it or silently ignores it, so that the setting has no effect.",
    '{ "region": 1 }',
    '{ "region": "sjc" }',
  ),
];
