import { readAs } from "../../envfile/index.ts";
import { names } from "../wording.ts";
import type { Rule } from "../rule.ts";
import { entryOf, inEnvFile } from "./entries.ts";

const GROUP_AND_OTHERS = 0o077;

/** Other people of the machine may read the secrets. */
export const FILE_MODE: Rule = {
  id: "env-file/mode",
  title: "`.env` that others can read",
  severity: "warning",
  clause: null,
  why: "`.env` holds the secrets of the deployment. With permissions wider than 0600 every account of the machine may read or change them.",
  bad: "",
  good: "",
  check(deployment, report) {
    const mode = deployment.inputs.envFile?.mode ?? 0;
    if ((mode & GROUP_AND_OTHERS) === 0) return;
    report({
      message: `\`.env\` has the permissions ${(mode & 0o7777).toString(8).padStart(4, "0")}, which let other accounts of this machine at its secrets`,
      help: `run \`chmod 600 ${deployment.inputs.envFile?.file}\``,
      command: `chmod 600 ${deployment.inputs.envFile?.file}`,
      place: inEnvFile(deployment, null),
    });
  },
};

/** A value that qm's own command line would read otherwise. */
export const READ_OTHERWISE: Rule = {
  id: "env-file/read-otherwise",
  title: "Value that qm reads otherwise",
  severity: "warning",
  clause: null,
  why: "qm's own reader knows no escapes and no values of several lines. What it would hand to a service then is not what is checked and rendered here.",
  bad: 'ACME_JSON="{\\"a\\":1}"\n',
  good: "ACME_JSON='{\"a\":1}'\n",
  check(deployment, report) {
    const { env, inputs } = deployment;
    if (env === null || inputs.envFile === null) return;
    // Names with a finding of the reader's own are not reported twice.
    const reported = new Set(env.problems.map((problem) => problem.name));
    const read = readAs("qm", inputs.envFile.text);
    for (const [name, value] of env.values) {
      if (reported.has(name) || (read.ok && read.values.get(name) === value)) continue;
      report({
        message: `qm's own reader takes another value for ${names([name])} than is written here`,
        help: "write it on one line, without escapes, in quotes that it does not hold itself",
        place: inEnvFile(deployment, entryOf(deployment, name)?.valueRange ?? null),
      });
    }
  },
};
