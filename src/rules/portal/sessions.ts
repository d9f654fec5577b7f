import { readWebUrl } from "../../catalog/grammar/host.ts";
import { notStarting, refusedAtBoot, type Rule } from "../rule.ts";
import { processOf } from "../process.ts";

const SERVICES = '"services": ["core", "web-ui", "portal"]';

/** Domains and lifetimes of the portal's sessions that must fit each other. */
export const SESSION_RULES: readonly Rule[] = [
  {
    id: "portal/cookie-domain",
    title: "Domain of the sign-in cookie that does not fit",
    why: "Agents' apps share the portal's sign-in through a cookie for a domain around both. Where one of them lies outside, sign-in goes round in circles, so the portal refuses to start.",
    bad: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "portal": { "PORTAL_APPS_DOMAIN": "apps.acme.dev" } } }`,
    good: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "portal": { "PORTAL_APPS_DOMAIN": "apps.acme.dev", "PORTAL_COOKIE_DOMAIN": "acme.dev" } } }`,
    check(deployment, report) {
      const portal = processOf(deployment, "portal");
      if (portal === null) return;
      const severity = refusedAtBoot(deployment);
      const apps = portal.text("portal.appsDomain") ?? "";
      const cookie = portal.text("portal.cookieDomain") ?? "";
      const host = readWebUrl(portal.text("portal.publicUrl") ?? "")?.hostname;
      if (apps !== "" && portal.lacks("portal.cookieDomain"))
        report({
          message: `${portal.named("portal.appsDomain")} needs ${portal.named("portal.cookieDomain")} beside it: ${notStarting(deployment, "portal")}`,
          help: "set it to the domain that the portal and the apps have in common",
          severity,
          place: portal.place("portal.appsDomain"),
        });
      if (cookie === "") return;
      const outside = [
        ...(host === undefined || isWithin(host, cookie) ? [] : (["portal.publicUrl"] as const)),
        ...(apps === "" || isWithin(apps, cookie) ? [] : (["portal.appsDomain"] as const)),
      ];
      if (outside.length > 0)
        report({
          message: `${portal.named("portal.cookieDomain")} does not cover the host of ${outside.map((key) => portal.named(key)).join(" and ")}: ${notStarting(deployment, "portal")}`,
          help: "set it to a domain that both lie in, or remove it where no apps share the sign-in",
          severity,
          place: portal.place("portal.cookieDomain"),
          related: outside.map((key) => ({ place: portal.place(key), message: "a host outside of it" })),
        });
    },
  },
  {
    id: "portal/session-lifetime",
    title: "Sessions that end before they began",
    why: "A sign-in lasts PORTAL_SESSION_TTL_S seconds without use, and PORTAL_SESSION_MAX_TTL_S at most. The portal refuses to start where the second is the shorter one.",
    bad: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "portal": { "PORTAL_SESSION_TTL_S": "86400", "PORTAL_SESSION_MAX_TTL_S": "3600" } } }`,
    good: `{ ${SERVICES}, "env": { "core": { "HARNESS": "pi" }, "portal": { "PORTAL_SESSION_TTL_S": "3600", "PORTAL_SESSION_MAX_TTL_S": "86400" } } }`,
    check(deployment, report) {
      const portal = processOf(deployment, "portal");
      const most = Number(portal?.text("portal.sessionMaxTtl") ?? "NaN");
      const idle = Number(portal?.text("portal.sessionTtl") ?? "28800");
      // What is no number, or not above zero, is judged where it is read.
      if (portal === null || !(idle > 0 && most > 0 && most < idle)) return;
      report({
        message: `${portal.named("portal.sessionMaxTtl")} is less than the ${idle} seconds of PORTAL_SESSION_TTL_S: ${notStarting(deployment, "portal")}`,
        help: `set it to at least ${idle}, or remove it`,
        severity: refusedAtBoot(deployment),
        place: portal.place("portal.sessionMaxTtl"),
        related: [{ place: portal.place("portal.sessionTtl"), message: "longer than that" }],
      });
    },
  },
];

/** The portal's own test: the domain itself or a name below it, with or without a dot before it. */
function isWithin(host: string, domain: string): boolean {
  const bare = domain.toLowerCase().replace(/^\./, "");
  const name = host.toLowerCase();
  return bare !== "" && (name === bare || name.endsWith(`.${bare}`));
}
