import { isLocalToPortal, readWebUrl } from "../../catalog/grammar/host.ts";
import { notStarting, refusedAtBoot, type Rule } from "../rule.ts";
import { processOf } from "../process.ts";

const SERVICES = '"services": ["core", "web-ui", "portal"]';

/** Ways into the portal without a sign-in. */
export const OPEN_PORTAL_RULES: readonly Rule[] = [
  {
    id: "portal/local-bypass",
    title: "Sign-in switched off outside a developer's machine",
    why: "PORTAL_LOCAL_AUTH_BYPASS signs everybody in as one person. The portal refuses to start with it in production, or under an address that is not local.",
    bad: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "portal": { "PORTAL_LOCAL_AUTH_BYPASS": "1" } } }`,
    good: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "portal": { "PORTAL_LOCAL_AUTH_BYPASS": "0" } } }`,
    check(deployment, report) {
      const portal = processOf(deployment, "portal");
      if (portal?.text("portal.localBypass") !== "1") return;
      const isLocal = isLocalToPortal(readWebUrl(portal.text("portal.publicUrl") ?? "")?.hostname ?? "");
      if (isLocal && !portal.isProduction) return;
      report({
        message: `${portal.named("portal.localBypass")} signs everybody in as one person ${isLocal ? "in production" : "under an address that is not local"}: ${notStarting(deployment, "portal")}`,
        help: "remove it",
        severity: refusedAtBoot(deployment),
        place: portal.place("portal.localBypass"),
      });
    },
  },
  {
    id: "portal/playground",
    title: "Playground that would reach agents' apps",
    why: "PORTAL_PLAYGROUND lets visitors in without a sign-in. The portal refuses to start where they could reach the apps that agents deploy.",
    bad: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "portal": { "PORTAL_PLAYGROUND": "1", "PORTAL_DEPLOYMENTS_ENABLED": "1" } } }`,
    good: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "portal": { "PORTAL_PLAYGROUND": "1" } } }`,
    check(deployment, report) {
      const portal = processOf(deployment, "portal");
      if (portal?.text("portal.playground") !== "1") return;
      const reaching = [
        ...(["portal.cookieDomain", "portal.appsDomain"] as const).filter((key) => portal.isSet(key)),
        ...(portal.text("portal.deployments") === "1" ? (["portal.deployments"] as const) : []),
      ];
      for (const key of reaching)
        report({
          message: `${portal.named(key)} opens agents' apps to visitors of the playground: ${notStarting(deployment, "portal")}`,
          help: `remove it, or ${portal.named("portal.playground")}`,
          severity: refusedAtBoot(deployment),
          place: portal.place(key),
        });
    },
  },
];
