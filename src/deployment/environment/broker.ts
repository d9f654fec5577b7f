import type { RunnableServiceName } from "../../config/written-config.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import type { DeploymentChoices } from "../choices.ts";
import { envValue } from "../env-values.ts";
import { type Address, workloadAddress } from "./address.ts";
import type { EnvironmentBuilder } from "./builder.ts";

const CLIENT_ID = "qm-portal";
const PREFIX = "/idp";
const PUBLIC_URL: readonly ConfigPath[] = [["publicUrl"]];

/** Where the broker listens when it runs inside the portal. */
const EMBEDDED: Address = { url: "http://127.0.0.1:8099", from: [] };

/** Puts what lets the portal, the sign-in broker and core work together; nothing unless `auth` is enabled. */
export function putBroker(builder: EnvironmentBuilder, basis: DeploymentChoices, service: RunnableServiceName): void {
  if (!basis.services.includes("auth")) return;
  const embedded = basis.release.host.auth === "portal";
  if (service === "portal") {
    putPortalSide(builder, basis, embedded);
    if (embedded) builder.putFixed("AUTH_EMBEDDED", "1", "the sign-in broker runs inside the portal");
  }
  if (service === basis.release.host.auth) putBrokerSide(builder, basis);
  if (service === "core" && embedded) putDomain(builder, basis, "AUTH_ALLOWED_EMAIL_DOMAIN");
}

function putPortalSide(builder: EnvironmentBuilder, basis: DeploymentChoices, embedded: boolean): void {
  const internal = embedded ? EMBEDDED : workloadAddress(basis, "auth");
  const fixed = "how the portal talks to the sign-in broker";
  builder.putFixed("AUTH_BROKER_PREFIX", PREFIX, fixed);
  builder.putFixed("OIDC_CLIENT_ID", CLIENT_ID, fixed);
  builder.putFixed("OIDC_SCOPES", "openid email", fixed);
  builder.putFixed("OIDC_PRINCIPAL_CLAIM", "email", fixed);
  if (basis.publicOrigin !== null) {
    const issuer = basis.publicOrigin + PREFIX;
    builder.putDerived("OIDC_ISSUER", issuer, PUBLIC_URL, "the sign-in broker as people reach it");
    builder.putDerived("OIDC_AUTH_ENDPOINT", `${issuer}/authorize`, PUBLIC_URL, "the sign-in page of the broker");
  }
  if (internal !== null) {
    const put = (name: string, path: string): void =>
      builder.put(
        name,
        internal.url + path,
        internal.from.length === 0
          ? { kind: "target", how: fixed }
          : { kind: "derived", from: internal.from, how: fixed },
      );
    put("AUTH_BROKER_UPSTREAM", "");
    put("OIDC_TOKEN_ENDPOINT", "/token");
    put("OIDC_USERINFO_ENDPOINT", "/userinfo");
    put("OIDC_JWKS_URI", "/.well-known/jwks.json");
  }
  putDomain(builder, basis, "OIDC_ALLOWED_EMAIL_DOMAIN");
}

function putBrokerSide(builder: EnvironmentBuilder, basis: DeploymentChoices): void {
  builder.putFixed("AUTH_CLIENT_ID", CLIENT_ID, "how the portal signs in at the broker");
  if (basis.publicOrigin === null) return;
  builder.putDerived("AUTH_ISSUER", basis.publicOrigin + PREFIX, PUBLIC_URL, "the sign-in broker as people reach it");
  builder.putDerived(
    "AUTH_REDIRECT_URI",
    `${basis.publicOrigin}/auth/callback`,
    PUBLIC_URL,
    "where the broker sends people back to",
  );
}

function putDomain(builder: EnvironmentBuilder, basis: DeploymentChoices, name: string): void {
  const domain = envValue(basis.config, "auth", "AUTH_ALLOWED_EMAIL_DOMAIN");
  if (domain !== null) builder.putDerived(name, domain.value, [domain.path], "the domain whose people may sign in");
}
