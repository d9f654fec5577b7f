import { createValueFinder } from "../../base/redact.ts";
import { textsBelow } from "../../config/node.ts";
import { tellingSecrets } from "../../deployment/secrets/known-values.ts";
import { field, type Rule } from "../rule.ts";
import { misplacedValues } from "./value-in-config.ts";

/** A secret's value that `.env` keeps, and the config holds too. */
export const ENV_VALUE_RULES: readonly Rule[] = [
  {
    id: "secrets/env-value",
    title: "Value of `.env` in the config",
    clause: "config.no-secret-values",
    why: "`.env` keeps the values of secrets out of every commit. The config is committed and rendered in the clear, so a value that stands in both is no secret any longer, whatever field holds it. Meant are values that look random, passphrases, and under the name of a secret whatever has eight characters or more; a single word such as `database` and a placeholder are not.",
    bad: '{ "botName": "k3v9x2m7q4w8" }',
    good: '{ "botName": "Robin" }',
    check(deployment, report) {
      // Of two names with one value the first is told.
      const names = new Map(
        tellingSecrets(deployment)
          .map(([name, value]) => [value, name] as const)
          .reverse(),
      );
      const find = createValueFinder(names.keys());
      let reported: ReadonlySet<string> | undefined;
      for (const { text, path } of names.size === 0 ? [] : textsBelow(deployment.document.root)) {
        const [value] = find(text);
        if (value === undefined) continue;
        reported ??= new Set(misplacedValues(deployment).map((one) => JSON.stringify(one.value.path)));
        if (reported.has(JSON.stringify(path))) continue;
        const name = names.get(value);
        report({
          message: `${field(path)} holds the value that \`.env\` keeps for \`${name}\``,
          help: `take it out of the config; once it was committed, replace it and \`qm-deploy secrets set ${name}\``,
          place: { path },
        });
      }
    },
  },
];
