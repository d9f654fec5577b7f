import { DISTINCT_PAIRS, DISTINCT_SECRETS, LONG_SECRETS, MINIMUM_SECRET_LENGTH } from "../../catalog/secrets.ts";
import { badEntries, isAdminGrant, isEmail, isEmailSender } from "../../catalog/grammar/email.ts";
import { readWebUrl } from "../../catalog/grammar/host.ts";
import { readPostgresUrl } from "../../catalog/grammar/postgres-url.ts";
import { apiOrigin } from "../../deployment/api-origin.ts";
import { findSecretPlaceholder } from "../../config/placeholder.ts";
import { SERVICE_NAMES } from "../../config/written-config.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import { beside, type Finding, names, phrase, type Rule } from "../rule.ts";
import { filledSecrets, type FilledSecret, inEnvFile } from "./entries.ts";
import { privateJwkProblem } from "./jwk.ts";
import { howToGet } from "./how-to-get.ts";

/** What is wrong with a value, as words that complete "`NAME` …" and show nothing of it, and what to do. */
type ValueProblem = Pick<Finding, "message" | "help" | "command" | "related">;

/** A rule over the values of some secrets. */
interface FormRule extends Pick<Rule, "id" | "title" | "why" | "bad" | "good"> {
  readonly secrets: readonly string[] | RegExp;
  readonly problemOf: (filled: FilledSecret, deployment: Deployment) => ValueProblem | null;
}

const FORM_RULES: readonly FormRule[] = [
  {
    id: "env-file/too-short",
    title: "Key that is too short",
    why: "These keys sign or encrypt. A short one can be guessed, and some services refuse it only when somebody signs in.",
    bad: "CAPABILITY_SECRET=s3cr3t-of-acme\n",
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}\n`,
    secrets: LONG_SECRETS,
    problemOf: ({ secret, value }, deployment) =>
      value.trim().length >= MINIMUM_SECRET_LENGTH
        ? null
        : { message: `is shorter than ${MINIMUM_SECRET_LENGTH} characters`, ...howToGet(secret, deployment) },
  },
  {
    id: "env-file/signing-key",
    title: "Malformed signing key",
    why: "The sign-in broker signs with a private P-256 key. With anything else it starts and signs nobody in.",
    bad: 'AUTH_SIGNING_JWK={"kty":"RSA"}\n',
    // The example key of RFC 7517, A.2.
    good: 'AUTH_SIGNING_JWK={"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}\n',
    secrets: ["AUTH_SIGNING_JWK"],
    problemOf: ({ value, secret }, deployment) => {
      const message = privateJwkProblem(value);
      return message === null ? null : { message, ...howToGet(secret, deployment) };
    },
  },
  {
    id: "env-file/admin-grants",
    title: "Malformed ADMIN_GRANTS",
    why: "Core takes a comma list of `<principal>:org_admin`. A bad entry makes nobody an administrator.",
    bad: "ADMIN_GRANTS=ada@acme.dev:admin\n",
    good: "ADMIN_GRANTS=ada@acme.dev:org_admin\n",
    secrets: ["ADMIN_GRANTS"],
    problemOf: ({ value }) =>
      badList(
        badEntries(value, (entry) => entry === "" || isAdminGrant(entry)),
        "is not `<principal>:org_admin`",
        "write `ada@acme.dev:org_admin,…`",
      ),
  },
  {
    id: "env-file/database-url",
    title: "Malformed database URL",
    why: "Core connects to Postgres by this URL. Special characters of the password that are not percent-encoded cut it short in ways that only show as a failed sign-in.",
    bad: "DATABASE_URL=mysql://qm:pw@db.acme.dev/qm\n",
    good: "DATABASE_URL=postgres://qm:pw@db.acme.dev/qm\n",
    secrets: ["DATABASE_URL", "DATABASE_POOL_URL"],
    problemOf: ({ value }) => {
      const reading = readPostgresUrl(value.trim());
      if (!reading.ok)
        return { message: reading.reason, help: "write `postgres://<user>:<password>@<host>:5432/<database>`" };
      if (reading.hostKind !== "loopback") return null;
      return {
        message: "leads to core's own container (a loopback address)",
        help: "name the database as core sees it, such as `host.docker.internal` for one on the docker host",
      };
    },
  },
  {
    id: "env-file/public-api-url",
    title: "Malformed PUBLIC_API_URL",
    why: "Agents call core under this address. On aws qm takes only the deployment's own address, over https.",
    bad: "PUBLIC_API_URL=qm.acme.dev\n",
    good: "PUBLIC_API_URL=https://qm.acme.dev\n",
    secrets: ["PUBLIC_API_URL"],
    problemOf: ({ value }, deployment) => apiUrlProblem(value.trim(), deployment),
  },
  {
    id: "env-file/allowed-emails",
    title: "Malformed list of e-mail addresses",
    why: "Only the people of this list may sign in. An entry that is no address lets nobody in.",
    bad: "AUTH_ALLOWED_EMAILS=ada\n",
    good: "AUTH_ALLOWED_EMAILS=ada@acme.dev\n",
    secrets: ["AUTH_ALLOWED_EMAILS"],
    problemOf: ({ value }) =>
      // qm passes over blank entries, but not over a list of nothing else.
      badList(
        badEntries(value, (entry) => isEmail(entry) || (entry === "" && /[^\s,]/.test(value))),
        "is not an e-mail address",
        "write `ada@acme.dev,bob@acme.dev`",
      ),
  },
  {
    id: "env-file/email-from",
    title: "Malformed sender of e-mails",
    why: "Mail providers refuse a sender that is no address, and nobody gets the link to sign in.",
    bad: "AUTH_EMAIL_FROM=Acme\n",
    good: "AUTH_EMAIL_FROM=Acme <qm@acme.dev>\n",
    secrets: ["AUTH_EMAIL_FROM"],
    problemOf: ({ value }) =>
      isEmailSender(value)
        ? null
        : { message: "is not an e-mail address, alone or as `Name <address>`", help: "write `Acme <qm@acme.dev>`" },
  },
  {
    id: "env-file/unsendable-key",
    title: "Key that cannot be sent",
    why: "Keys and tokens of providers travel in a header of each request: one line of ASCII without blanks. Quotes, a name or a second line come in when a key is pasted, and every request is refused.",
    bad: "ANTHROPIC_API_KEY='sk-ant-acme second'\n",
    good: "ANTHROPIC_API_KEY=sk-ant-acme\n",
    secrets: /_(?:API_KEY|TOKEN)$/,
    problemOf({ secret, entry, value }, deployment) {
      // A key of the deployer's own may be anything, and of a character that nobody sees its own rule speaks.
      const isProviders = secret.source.kind === "operator" && secret.source.hint !== null;
      if (!isProviders || deployment.env?.problems.some(({ name }) => name === entry.key) === true) return null;
      const message = headerProblem(value, secret.name);
      return message === null ? null : { message, help: "paste the key alone, from its first character to its last" };
    },
  },
];

export const SECRET_FORM_RULES: readonly Rule[] = [
  ...FORM_RULES.map(({ secrets, problemOf, ...info }): Rule => ({
    ...info,
    concerns: "secret-values",
    clause: "secrets.computed-set",
    check(deployment, report) {
      for (const filled of filledSecrets(deployment)) {
        const { secret, entry, value } = filled;
        // Placeholders have a rule of their own.
        if (!isOneOf(secret, secrets) || findSecretPlaceholder(value) !== null) continue;
        const problem = problemOf(filled, deployment);
        if (problem === null) continue;
        const message = `\`${secret.name}\` ${problem.message}`;
        report({ ...problem, message, place: inEnvFile(deployment, entry.valueRange) });
      }
    },
  })),
  {
    id: "env-file/reused-value",
    title: "One value for two keys",
    concerns: "secret-values",
    clause: "secrets.computed-set",
    why: "Whoever holds one of these keys must not thereby hold another: services that share a value can speak for each other.",
    bad: `CAPABILITY_SECRET=${"5e".repeat(32)}\nCORE_SIGNING_SECRET=${"5e".repeat(32)}\n`,
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}\nCORE_SIGNING_SECRET=${"7a".repeat(32)}\n`,
    check(deployment, report) {
      const groups = new Map<string, FilledSecret[]>();
      for (const filled of filledSecrets(deployment)) {
        if (findSecretPlaceholder(filled.value) !== null) continue;
        const group = groups.get(filled.value);
        if (group === undefined) groups.set(filled.value, [filled]);
        else group.push(filled);
      }
      for (const group of groups.values()) {
        const all = group.map(({ secret }) => secret.name);
        const inPair = (name: string): string[] =>
          DISTINCT_PAIRS.filter(([one, other]) => one === name && all.includes(other)).map(([, other]) => other);
        const last =
          group.findLast(({ secret }) => DISTINCT_SECRETS.includes(secret.name)) ??
          group.find(({ secret }) => inPair(secret.name).length > 0);
        if (last === undefined || group.length < 2) continue;
        const { name } = last.secret;
        const isAlone = DISTINCT_SECRETS.includes(name);
        const others = isAlone ? all.filter((other) => other !== name) : inPair(name);
        report({
          message: `\`${name}\` has the same value as ${names(others)}, and must differ from ${isAlone ? "every other key" : "it"}`,
          ...howToGet(last.secret, deployment),
          place: inEnvFile(deployment, last.entry.valueRange),
          related: group
            .filter(({ secret }) => others.includes(secret.name))
            .map(({ entry }) => ({ place: inEnvFile(deployment, entry.valueRange), message: "the same value" })),
        });
      }
    },
  },
];

/** By its own name, or by the one under which `secretEnv` hands it to a service. */
function isOneOf({ name, destinations }: Secret, secrets: FormRule["secrets"]): boolean {
  const isService = (workload: string): boolean => SERVICE_NAMES.some((service) => service === workload);
  const isAmong = (each: string): boolean => (secrets instanceof RegExp ? secrets.test(each) : secrets.includes(each));
  return isAmong(name) || destinations.some(({ workload, env }) => isService(workload) && isAmong(env));
}

/** Why a key cannot be sent in a header as it stands; null where it can. Fly's tokens begin with a word of their own. */
function headerProblem(value: string, name: string): string | null {
  const key = value.replace(/^FlyV1 (?=\S)/, "");
  if (/[\r\n]/.test(key)) return "has more than one line";
  if (/\s/.test(key)) return "holds a blank";
  if (/["'`\\]/.test(key)) return "holds a quote or a backslash";
  if (key.startsWith(`${name}=`)) return "begins with its own name";
  return /[^\x21-\x7e]/.test(key) ? "holds a character that is not ASCII" : null;
}

function apiUrlProblem(value: string, deployment: Deployment): ValueProblem | null {
  const url = readWebUrl(value);
  if (url === null)
    return {
      message: "is not an http or https URL",
      help: "write the address of core as agents reach it, such as `https://qm.acme.dev`",
    };
  if (url.username !== "" || url.password !== "")
    return { message: "holds credentials, which every agent would see", help: "write the address alone" };
  if (deployment.target !== "aws") return null;
  if (url.protocol !== "https:")
    return { message: "must use https on aws", help: "write the https address of the deployment" };
  const expected = apiOrigin(deployment);
  if (expected === null || url.origin === expected) return null;
  const other = deployment.config.apiUrl === undefined ? "publicUrl" : "apiUrl";
  return {
    message: `is not the same as \`${other}\`, which aws demands`,
    help: "write the same address in both",
    related: [beside([other], "the other address")],
  };
}

function badList(bad: readonly number[], what: string, help: string): ValueProblem | null {
  if (bad.length === 0) return null;
  const many = bad.length > 1;
  const entries = phrase(bad.slice(0, 5).map(String));
  return {
    message: `has ${many ? "entries" : "an entry"} that ${many ? what.replace("is not", "are not") : what} (number ${entries})`,
    help,
  };
}
