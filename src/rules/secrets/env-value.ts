import { isUnmistakable } from "../../base/redact.ts";
import { textsBelow } from "../../config/node.ts";
import { knownSecrets } from "../../deployment/secrets/known-values.ts";
import { field, type Rule, samePath } from "../rule.ts";
import { misplacedValues } from "./value-in-config.ts";

/** A secret's value that `.env` keeps, and the config holds too. */
export const ENV_VALUE_RULES: readonly Rule[] = [
  {
    id: "secrets/env-value",
    title: "Value of `.env` in the config",
    clause: "config.no-secret-values",
    why: "`.env` keeps the values of secrets out of every commit. The config is committed and rendered in the clear, so a value that stands in both is no secret any longer, whatever its form and its name.",
    bad: '{ "botName": "k3v9x2m7q4w8" }',
    good: '{ "botName": "Robin" }',
    check(deployment, report) {
      const known = knownSecrets(deployment).filter(([, value]) => isUnmistakable(value.trim()));
      if (known.length === 0) return;
      const reported = misplacedValues(deployment).map(({ value }) => value.path);
      for (const { text, path } of textsBelow(deployment.document.root)) {
        const found = known.find(([, value]) => text.includes(value.trim()));
        if (found === undefined || reported.some((one) => samePath(one, path))) continue;
        report({
          message: `${field(path)} holds the value that \`.env\` keeps for \`${found[0]}\``,
          help: `take it out of the config; once it was committed, replace it and \`qm-deploy secrets set ${found[0]}\``,
          place: { path },
        });
      }
    },
  },
];
