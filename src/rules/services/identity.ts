import { nameOf, type SettingKey } from "../../catalog/settings/index.ts";
import type { ServiceName } from "../../config/written-config.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { Provenance } from "../../deployment/provenance.ts";
import type { Severity } from "../../diagnostics/diagnostic.ts";
import { field, type Rule, samePath, beside } from "../rule.ts";
import { processOf } from "../process.ts";
import { provenancePaths } from "../../deployment/provenance.ts";

/** What each of the services that look at NODE_ENV then no longer demands. */
const LIFTED = [
  ["core", "core.nodeEnv", "core does not demand its secrets, nor that identities are signed"],
  ["portal", "portal.nodeEnv", "the portal demands neither https, nor its secrets, nor who may sign in"],
  ["auth", "auth.nodeEnv", "the sign-in broker does not demand https"],
] as const satisfies readonly (readonly [ServiceName, SettingKey, string])[];

/** Names that say who a deployment is and where, with what their value should be. */
const IDENTITY: readonly SettingKey[] = [
  "core.orgId",
  "core.publicWebUrl",
  "all.orgId",
  "all.coreUrl",
  "core.flyBaseImage",
];

/** The same for a name that is the backend's own. */
const SANDBOX_APP = "FLY_SANDBOX_APP_NAME";

/** Settings that take identity or secrets away, or say twice who a deployment is. */
export const IDENTITY_RULES: readonly Rule[] = [
  {
    id: "services/not-production",
    title: "Service that does not know it is in production",
    why: "Every image of qm sets NODE_ENV to `production`. With anything else a service starts without its secrets and with identities that anybody can make up. On an https address that is an error.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "NODE_ENV": "development" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "NODE_ENV": "production" } } }',
    check(deployment, report) {
      const said: (readonly (string | number)[])[] = [];
      for (const [service, key, lifted] of LIFTED) {
        const running = processOf(deployment, service);
        if (running === null || running.isProduction) continue;
        // The one way to a portal without https, for a trial on one machine.
        if (service !== "core" && severityOf(deployment) !== "error") continue;
        const path = running.fieldOf(key);
        if (said.some((other) => samePath(other, path))) continue;
        said.push(path);
        report({
          message: `${field(path)} is not \`production\`: ${lifted}`,
          help: "remove it: the image sets it",
          severity: severityOf(deployment),
          place: running.place(key),
        });
      }
    },
  },
  {
    id: "services/unsigned-identity",
    title: "Pages that trust an unsigned identity",
    why: "With NODE_ENV `test` and ALLOW_UNSIGNED_TEST_IDENTITY web-ui and admin believe whoever they are told a visitor is.",
    bad: '{ "env": { "core": { "HARNESS": "pi" }, "web-ui": { "NODE_ENV": "test", "ALLOW_UNSIGNED_TEST_IDENTITY": "1" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi" }, "web-ui": { "ALLOW_UNSIGNED_TEST_IDENTITY": "0" } } }',
    check(deployment, report) {
      for (const service of ["web-ui", "admin"] as const) {
        const running = processOf(deployment, service);
        const key = `${service}.unsignedIdentity` as const;
        if (running?.text(`${service}.nodeEnv`) !== "test" || running.text(key) !== "1") continue;
        // Under newer releases admin runs in web-ui, and finds the same.
        if (running.fieldOf(key)[1] !== service) continue;
        report({
          message: `${running.named(key)} lets anybody be anybody, as \`NODE_ENV\` is \`test\``,
          help: "remove both",
          severity: severityOf(deployment),
          place: running.place(key),
          related: [{ place: running.place(`${service}.nodeEnv`), message: "what makes it count" }],
        });
      }
    },
  },
  {
    id: "services/overridden-identity",
    title: "Value of `env` that contradicts the config",
    severity: "warning",
    why: "`env` beats what the fields of the config say. With another organisation or address in one service, sessions and links belong to somebody else.",
    bad: '{ "env": { "core": { "HARNESS": "pi", "ORG_ID": "other" } } }',
    good: '{ "env": { "core": { "HARNESS": "pi", "ORG_ID": "acme" } } }',
    check({ workloads, release }, report) {
      const watched = new Set([...IDENTITY.map((key) => nameOf(release.release, key)), SANDBOX_APP]);
      for (const workload of workloads) {
        for (const { name, value, provenance, shadowed } of workload.environment) {
          const derived = shadowed.at(-1);
          if (derived === undefined || !watched.has(name)) continue;
          const [path] = provenancePaths(provenance);
          if (path?.[0] !== "env") continue;
          if (isSame(value, derived.value) || isWrittenInEnv(derived.provenance)) continue;
          const rests = provenancePaths(derived.provenance).map((each) => field(each));
          report({
            message: `${field(path)} is ${value.trim() === "" ? "blank" : "another one"} than ${rests[0] ?? "the target"} says, and wins`,
            help: "remove it",
            place: { path, at: "value" },
            related: provenancePaths(derived.provenance).map((each) => beside(each, "what it would be made from")),
          });
        }
      }
    },
  },
];

function severityOf({ publicOrigin }: Deployment): Severity {
  return publicOrigin?.startsWith("https://") === true ? "error" : "warning";
}

function isSame(a: string, b: string): boolean {
  return a.trim().replace(/\/$/, "") === b.trim().replace(/\/$/, "");
}

function isWrittenInEnv(provenance: Provenance): boolean {
  return provenance.kind === "config" && provenance.path[0] === "env";
}
