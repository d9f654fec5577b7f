import type { ServiceSettingKey } from "../../catalog/settings/index.ts";
import { badEntries, isAdminGrant } from "../../catalog/grammar/email.ts";
import { notStarting, phrase, refusedAtBoot, removal, type Rule } from "../rule.ts";
import { processOf } from "../process.ts";

/** Settings whose mere presence makes core demand a secret. */
const DEMANDING: readonly (readonly [key: ServiceSettingKey, secret: string])[] = [
  ["core.googleClientId", "GOOGLE_OAUTH_CLIENT_SECRET"],
  ["core.dropboxClientId", "DROPBOX_OAUTH_CLIENT_SECRET"],
  ["core.linearClientId", "LINEAR_OAUTH_CLIENT_SECRET"],
  ["core.awsDeployAppsDomain", "AWS_DEPLOY_GATE_SECRET"],
];

/** What core demands as soon as another setting is there. */
export const CORE_DEMAND_RULES: readonly Rule[] = [
  {
    id: "core/apps-sign-in",
    title: "Half of the sign-in to agents' apps",
    why: "DEPLOY_APPS_SESSION_SECRET and DEPLOY_APPS_LOGIN_URL belong together: core refuses to start with one of them alone.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "DEPLOY_APPS_LOGIN_URL": "https://qm.acme.dev/login" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "DEPLOY_APPS_LOGIN_URL": "https://qm.acme.dev/login" } }, "secretEnv": { "core": { "DEPLOY_APPS_SESSION_SECRET": "ACME_APPS_SESSION" } } }',
    check(deployment, report) {
      const core = processOf(deployment, "core");
      if (core === null) return;
      const url = "core.deployAppsLoginUrl";
      const secret = "core.deployAppsSessionSecret";
      const [has, lacks] = core.isSet(url) ? ([url, secret] as const) : ([secret, url] as const);
      if (!core.isSet(has) || !core.lacks(lacks)) return;
      report({
        message: `${core.named(has)} is set without ${lacks === url ? core.named(url) : "a secret for `DEPLOY_APPS_SESSION_SECRET`"}: ${notStarting(deployment, "core")}`,
        help:
          lacks === url
            ? `set ${core.named(url)} to the page where visitors sign in`
            : "route one with `secretEnv.core.DEPLOY_APPS_SESSION_SECRET`",
        severity: refusedAtBoot(deployment),
        place: core.place(has),
      });
    },
  },
  {
    id: "core/blank-is-set",
    title: "Blanks that core takes for a value",
    severity: "warning",
    why: "Core only asks whether these settings hold any text. Blanks count, so it demands the secret that belongs to them and does not start without it.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "GOOGLE_OAUTH_CLIENT_ID": " " } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "GOOGLE_OAUTH_CLIENT_ID": "" } } }',
    check(deployment, report) {
      const core = processOf(deployment, "core");
      for (const [key, secret] of DEMANDING) {
        const text = core?.text(key) ?? "";
        if (core === null || text === "" || text.trim() !== "") continue;
        report({
          message: `${core.named(key)} holds nothing but blanks, which core takes for a value: it demands \`${secret}\``,
          help: "remove it",
          place: core.place(key),
          fix: removal(core.fieldOf(key)),
        });
      }
    },
  },
  {
    id: "core/secrets-prefix",
    title: "Secrets of AWS without a prefix",
    why: "With SECRETS_BACKEND `aws` core looks secrets up by SECRETS_PREFIX and a name, and refuses to start without the prefix: two deployments in one account would read each other's.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "SECRETS_BACKEND": "aws" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "SECRETS_BACKEND": "aws", "SECRETS_PREFIX": "qm-acme-" } } }',
    check(deployment, report) {
      const core = processOf(deployment, "core");
      if (core?.text("core.secretsBackend")?.trim() !== "aws" || !core.lacks("core.secretsPrefix")) return;
      report({
        message: `${core.named("core.secretsBackend")} is \`aws\` without ${core.named("core.secretsPrefix")}: ${notStarting(deployment, "core")}`,
        help: "set the prefix to what the names of the deployment's secrets begin with, such as `qm-acme-`",
        severity: refusedAtBoot(deployment),
        place: core.place("core.secretsBackend"),
      });
    },
  },
  {
    id: "core/object-store",
    title: "Object store without a bucket",
    severity: "warning",
    why: "Without S3_BUCKET core keeps snapshots and transfers on its own disk, whatever SNAPSHOT_STORE and TRANSFER_STORE say.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "SNAPSHOT_STORE": "s3" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "SNAPSHOT_STORE": "s3", "S3_BUCKET": "acme-qm-data" } } }',
    check(deployment, report) {
      const core = processOf(deployment, "core");
      // Fly demands a bucket, and aws derives one.
      if (core === null || deployment.target !== "docker" || !core.lacks("core.s3Bucket")) return;
      for (const key of ["core.snapshotStore", "core.transferStore"] as const) {
        if (core.text(key) !== "s3") continue;
        report({
          message: `${core.named(key)} is \`s3\` and no bucket is named, so core keeps the files on its own disk`,
          help: `set ${core.named("core.s3Bucket")}, or remove it`,
          place: core.place(key),
        });
      }
    },
  },
  {
    id: "core/admin-grants",
    title: "Grants that make nobody an administrator",
    severity: "warning",
    why: "Core takes a comma list of `<principal>:org_admin`, and drops any other entry without a word.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "ADMIN_GRANTS": "ada@acme.dev" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "ADMIN_GRANTS": "ada@acme.dev:org_admin" } } }',
    check(deployment, report) {
      const core = processOf(deployment, "core");
      const grants = core?.text("core.adminGrants");
      if (core === null || grants === undefined || grants === "") return;
      const bad = badEntries(grants, (entry) => entry === "" || isAdminGrant(entry));
      const isEmpty = /^[\s,]*$/.test(grants);
      const place = core.place("core.adminGrants");
      // Of an entry in `.env`, env-file/admin-grants says it.
      if (!isEmpty && (bad.length === 0 || "file" in place)) return;
      const entries = bad.slice(0, 5).map(String);
      report({
        message: isEmpty
          ? `${core.named("core.adminGrants")} names nobody, so that nobody is an administrator`
          : `${core.named("core.adminGrants")} must be a comma list of \`<principal>:org_admin\`: entry ${phrase(entries)} is none, and core drops it`,
        help: "write `ada@acme.dev:org_admin`",
        place,
      });
    },
  },
];
