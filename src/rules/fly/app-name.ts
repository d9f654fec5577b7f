import { DNS_LABEL_LENGTH } from "../../catalog/grammar/dns.ts";
import { flyAppPrefix } from "../../deployment/derived-names.ts";
import { field } from "../wording.ts";
import type { Rule } from "../rule.ts";

/** A prefix with which the name of an app gets too long. */
export const APP_NAME: Rule = {
  id: "fly/app-name",
  title: "Fly app name that is too long",
  severity: "error",
  clause: null,
  why: "Each workload is a Fly app named `<appPrefix>-<workload>`. The name is a DNS label, which has at most 63 characters.",
  bad: `{ "target": "fly", "appPrefix": "${"a".repeat(60)}" }`,
  good: '{ "target": "fly", "appPrefix": "acme" }',
  check({ target, config, workloads }, report) {
    const prefix = flyAppPrefix(config);
    const [path] = prefix?.from ?? [];
    if (target !== "fly" || prefix === null || path === undefined) return;
    const [longest] = workloads.map(({ name }) => name).sort((a, b) => b.length - a.length);
    if (longest === undefined) return;
    const length = prefix.value.length + 1 + longest.length;
    if (length <= DNS_LABEL_LENGTH) return;
    report({
      message: `${field(path)} is too long: the app of \`${longest}\` would have a name of ${length} characters, and ${DNS_LABEL_LENGTH} are the most`,
      help: `use an \`appPrefix\` of at most ${DNS_LABEL_LENGTH - 1 - longest.length} characters`,
      place: { path, at: "value" },
    });
  },
};
