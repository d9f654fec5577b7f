import type { StandInForm } from "../../base/stand-in-forms.ts";
import { findReference, findStandIn } from "../../base/stand-in.ts";
import { findSecretPlaceholder } from "../../config/placeholder.ts";
import type { Deployment, Secret } from "../../deployment/deployment.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { POSTGRES_WORKLOAD } from "../../deployment/secrets/sources.ts";
import type { Severity } from "../../diagnostics/diagnostic.ts";
import { isReadInPlace } from "../../deployment/secrets/in-place.ts";
import { type Finding, names, type Rule } from "../rule.ts";
import { entriesByName, filledSecrets, inEnvFile } from "./entries.ts";
import { howToGet } from "./how-to-get.ts";

export const MISSING_SECRET_RULES: readonly Rule[] = [
  {
    id: "env-file/missing-secret",
    title: "Required secret without a value",
    concerns: "secret-values",
    clause: "secrets.computed-set",
    why: "Services do not start without their required secrets. On docker `.env` is where they come from: an error. On fly and aws the target's store may have them already: an info, and `secrets check` is the strict form.",
    bad: "CAPABILITY_SECRET=\n",
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}\n`,
    check(deployment, report) {
      const { env, broken, target } = deployment;
      if (env === null || broken || target === null) return;
      const entries = entriesByName(deployment);
      for (const secret of requiredOfOperator(deployment)) {
        const entry = entries.get(secret.name);
        if (entry !== undefined && entry.value.trim() !== "") continue;
        report({
          message: `\`${secret.name}\` ${entry === undefined ? "is missing" : "is blank"}: required, as ${secret.reason}`,
          ...howToGet(secret, deployment),
          place: inEnvFile(deployment, entry?.keyRange ?? null),
          severity: severityOn(deployment),
        });
      }
    },
  },
  {
    id: "env-file/placeholder",
    title: "Secret that is still a placeholder",
    concerns: "secret-values",
    clause: "secrets.computed-set",
    why: "A placeholder is delivered like any other value, and the service that reads it fails later, or is open to everybody who knows the template. Templates, masked keys and the error message of a lookup that failed are no better.",
    bad: "CAPABILITY_SECRET=replace-me\n",
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}\n`,
    check(deployment, report) {
      for (const { secret, entry, value } of filledSecrets(deployment)) {
        if (findSecretPlaceholder(value) === null || findReference(value) !== null) continue;
        const standIn = findStandIn(value);
        report({
          message: `\`${secret.name}\` ${standIn?.what ?? "holds a placeholder"}`,
          ...howToGet(secret, deployment),
          place: inEnvFile(deployment, entry.valueRange),
          severity: severityOn(deployment),
        });
      }
    },
  },
  {
    id: "env-file/reference",
    title: "Reference or ciphertext in the place of a secret",
    concerns: "secret-values",
    clause: "secrets.computed-set",
    why: "Neither qm nor a target resolves `op://…`, decrypts `ENC[…]` or reads a vault: the text itself would become the key, and an encrypted `.env` is often committed, so that everybody knows it. A warning where `secrets check --resolve` and `render --secrets --resolve` read it with your own tool, an error for every other; such a value is never handed on.",
    bad: "CAPABILITY_SECRET=vault:secret/data/acme/qm#capability\n",
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}\n`,
    check(deployment, report) {
      for (const { secret, entry, value } of filledSecrets(deployment)) {
        const form = findReference(value);
        if (form === null || unreadReason(deployment, secret) !== null || isReadInPlace(deployment, secret)) continue;
        report({
          message: `\`${secret.name}\` ${form.what}: the text itself would be used as the secret`,
          ...resolveHelp(form),
          place: inEnvFile(deployment, entry.valueRange),
          severity: form.tool === undefined ? "error" : "warning",
        });
      }
    },
  },
  {
    id: "env-file/unread",
    title: "Secret that its store's tool did not return",
    concerns: "secret-values",
    clause: "secrets.computed-set",
    why: "With `--resolve` a value that stands in another store, or is encrypted, is read by the tool that it is for: `op`, `aws`, `vals`, `sops` or `dotenvx`. What that does not give can be neither judged nor handed on.",
    bad: "",
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}\n`,
    check(deployment, report) {
      for (const { secret, entry } of filledSecrets(deployment)) {
        const reason = unreadReason(deployment, secret);
        if (reason === null) continue;
        report({
          message: `\`${secret.name}\` ${reason.problem}`,
          help: reason.help,
          place: inEnvFile(deployment, entry.valueRange),
        });
      }
    },
  },
  {
    id: "env-file/none",
    title: "No `.env`",
    severity: "info",
    concerns: "secret-values",
    clause: "secrets.computed-set",
    why: "A config is sound without its secrets, as in CI. Whoever deploys it must supply them: this says which.",
    bad: "",
    good: `CAPABILITY_SECRET=${"5e".repeat(32)}\n`,
    check(deployment, report) {
      const { env, broken, target } = deployment;
      const required = requiredOfOperator(deployment);
      if (env !== null || broken || target === null || required.length === 0) return;
      const supplier = target === "docker" ? "whoever deploys" : `CI or the store of ${target}`;
      report({
        message: `there is no \`.env\`: ${supplier} must supply ${names(required.map((secret) => secret.name))}`,
        help: "`qm-deploy secrets` says what each is for, and `qm-deploy secrets example` makes a file to fill in",
        command: "qm-deploy secrets example",
        place: inEnvFile(deployment, null),
      });
    },
  },
  {
    id: "env-file/no-database",
    title: "No database on docker",
    severity: "warning",
    concerns: "secret-values",
    why: "On docker core uses DATABASE_URL, or the Postgres container that comes along, whose password is POSTGRES_PASSWORD. The rendered compose.yaml does not start without one of the two.",
    bad: "# neither\n",
    good: `POSTGRES_PASSWORD=${"5e".repeat(32)}\n`,
    check(deployment, report) {
      const { env, secrets, release } = deployment;
      const urlName = nameOf(release.release, "core.databaseUrl");
      // Where `secretEnv` names another secret for the URL, that one is required.
      const isRouted = secrets.some(
        ({ required, destinations }) => required && destinations.some(({ env: name }) => name === urlName),
      );
      const password = secrets.find((secret) =>
        secret.destinations.some(({ workload }) => workload === POSTGRES_WORKLOAD),
      );
      if (env === null || password === undefined || isRouted) return;
      const given = ["DATABASE_URL", password.name].some((name) => (env.values.get(name)?.trim() ?? "") !== "");
      if (given) return;
      report({
        message: `neither \`DATABASE_URL\` nor \`${password.name}\` has a value: the rendered compose.yaml does not start without one of them`,
        help: `set \`${password.name}\` to the output of \`openssl rand -hex 32\`, before the Postgres volume is first made`,
        command: "openssl rand -hex 32",
        place: inEnvFile(deployment, entriesByName(deployment).get(password.name)?.keyRange ?? null),
      });
    },
  },
];

/** How to hand over the secret itself instead. */
function resolveHelp({ kind, tool }: StandInForm): Pick<Finding, "help" | "command"> {
  if (tool !== undefined)
    return {
      help: `\`secrets check\` and \`render --secrets\` read it by \`${tool}\` where \`--resolve\` says so`,
      command: "qm-deploy secrets check --resolve",
    };
  const verb = kind === "reference" ? "resolve" : "decrypt";
  return {
    help: `write the secret itself here, or ${verb} the file on the way: \`-e <(…)\`, with the command that prints it`,
  };
}

/** Why the tool that a value is for did not give the secret; null where it did, or was not asked. */
function unreadReason({ inputs }: Deployment, { name }: Secret): { problem: string; help: string } | null {
  const reading = inputs.readings?.get(name);
  return reading !== undefined && "problem" in reading ? reading : null;
}

/** `.env` is the store on docker; elsewhere a value may be in the target's store already. */
function severityOn({ target }: Deployment): Severity {
  return target === "docker" ? "error" : "info";
}

function requiredOfOperator({ secrets }: Deployment): Secret[] {
  return secrets.filter((secret) => secret.required && secret.managedBy === "operator");
}
