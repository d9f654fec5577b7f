import type { Deployment } from "../../deployment/deployment.ts";
import { readAs, type EnvProblem, type EnvProblemKind } from "../../envfile/index.ts";
import { type FurtherPlace, names, type Rule } from "../rule.ts";
import { entriesByName, inEnvFile } from "./entries.ts";

const GROUP_AND_OTHERS = 0o077;

type ProblemInfo = Pick<Rule, "severity" | "title" | "why" | "bad" | "good"> & {
  readonly kind: EnvProblemKind;
  readonly help: string;
};

/** What can be wrong with the text of a `.env`. Errors are where a value is lost, warnings where readers may disagree. */
const PROBLEMS: readonly ProblemInfo[] = [
  {
    kind: "unterminated-quote",
    severity: "error",
    title: "Quote that is never closed",
    why: "A value that opens with a quote ends at the next one. Without it some readers take the rest of the file for the value, and others only its line.",
    help: "close the quote, or write the value without quotes",
    bad: 'ACME_NAME="Acme\n',
    good: 'ACME_NAME="Acme"\n',
  },
  {
    kind: "no-equals",
    severity: "error",
    title: "Line that sets nothing",
    why: "Readers drop a line without `=`, so the value that stands there reaches nobody.",
    help: "write `NAME=value`, or `#` before a comment",
    bad: "CAPABILITY_SECRET\n",
    good: "# CAPABILITY_SECRET\n",
  },
  {
    kind: "invalid-name",
    severity: "error",
    title: "Name that no environment variable can have",
    why: "Names are letters, digits and underscores, not starting with a digit. Readers drop other lines without a word.",
    help: "use letters, digits and underscores",
    bad: "CAPABILITY-SECRET=x\n",
    good: "CAPABILITY_SECRET=x\n",
  },
  {
    kind: "control-character",
    severity: "error",
    title: "Control character",
    why: "A control character cannot be seen and is carried by no environment unharmed; most come from a terminal or a copied file.",
    help: "delete it",
    bad: "ACME_NAME=Ac\u0007me\n",
    good: "ACME_NAME=Acme\n",
  },
  {
    kind: "invisible-character",
    severity: "error",
    title: "Invisible or typographic character",
    why: "Zero-width characters, no-break spaces and typographic quotes come in with a key that is copied from a page or a password manager. Node refuses to send such a key in a header, and nothing on the screen shows why.",
    help: "delete it, or copy the value anew",
    bad: "ACME_KEY=acme\u200bkey\n",
    good: "ACME_KEY=acmekey\n",
  },
  {
    kind: "blank-hides-value",
    severity: "error",
    title: "Blank line that hides a value",
    why: "The last line of a name wins. A blank one, often left over from a template, takes the value of an earlier line away.",
    help: "delete one of the two lines",
    bad: "ACME_NAME=Acme\nACME_NAME=\n",
    good: "ACME_NAME=Acme\n",
  },
  {
    kind: "duplicate-name",
    severity: "warning",
    title: "Name set twice",
    why: "The last line of a name wins, and an edit of the other one has no effect.",
    help: "keep one of the lines",
    bad: "ACME_NAME=Acme\nACME_NAME=Other\n",
    good: "ACME_NAME=Other\n",
  },
  {
    kind: "text-after-quote",
    severity: "warning",
    title: "Text behind a closing quote",
    why: "What stands behind the closing quote is no part of the value; some readers refuse the line.",
    help: "delete it, move it into the quotes, or make it a comment with ` #`",
    bad: 'ACME_NAME="Acme" Inc\n',
    good: 'ACME_NAME="Acme Inc"\n',
  },
  {
    kind: "inline-comment",
    severity: "warning",
    title: "Comment behind a value",
    why: "Most readers end an unquoted value at ` #`; qm's own takes the comment for a part of the value.",
    help: "move the comment to a line of its own, or quote the value",
    bad: "ACME_NAME=Acme # the company\n",
    good: "# the company\nACME_NAME=Acme\n",
  },
];

export const ENV_FILE_TEXT_RULES: readonly Rule[] = [
  {
    id: "env-file/mode",
    title: "`.env` that others can read",
    severity: "warning",
    concerns: "secret-values",
    leaks: true,
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
  },
  {
    id: "env-file/read-otherwise",
    title: "Value that qm reads differently",
    severity: "warning",
    concerns: "secret-values",
    why: "qm's own reader knows no escapes and no values of several lines. What it would hand to a service then is not what is checked and rendered here.",
    bad: 'ACME_JSON="{\\"a\\":1}"\n',
    good: "ACME_JSON='{\"a\":1}'\n",
    check(deployment, report) {
      const { env, inputs } = deployment;
      if (env === null || inputs.envFile === null) return;
      const entries = entriesByName(deployment);
      // Names with a finding of the reader's own are not reported twice.
      const reported = new Set(env.problems.map((problem) => problem.name));
      const read = readAs("qm", inputs.envFile.text);
      for (const [name, value] of env.values) {
        // Of a reference qm reads no other value, but none at all.
        if (entries.get(name)?.reference !== undefined) continue;
        if (reported.has(name) || (read.ok && read.values.get(name) === value)) continue;
        report({
          message: `qm's own reader takes another value for ${names([name])} than is written here`,
          help: "write it on one line, without escapes, in quotes that it does not hold itself",
          place: inEnvFile(deployment, entries.get(name)?.valueRange ?? null),
        });
      }
    },
  },
  ...PROBLEMS.map(({ kind, help, ...info }): Rule => ({
    id: `env-file/${kind}`,
    concerns: "secret-values",
    ...info,
    check(deployment, report) {
      for (const problem of deployment.env?.problems ?? []) {
        if (problem.kind === kind)
          report({
            message: problem.message,
            help,
            place: inEnvFile(deployment, problem.range),
            related: above(problem, deployment),
          });
      }
    },
  })),
];

function above({ earlier }: EnvProblem, deployment: Deployment): FurtherPlace[] {
  return earlier === undefined ? [] : [{ place: inEnvFile(deployment, earlier), message: "the entry above" }];
}
