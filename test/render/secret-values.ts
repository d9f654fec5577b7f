import type { Deployment } from "../../src/deployment/deployment.ts";
import { textHash } from "../../src/render/manifest.ts";

/** A value for a secret that its rule accepts and that no other has. */
export function valueFor(name: string): string {
  if (name === "PUBLIC_API_URL") return "https://api.acme-corp.dev";
  if (name === "AUTH_SIGNING_JWK") return JWK;
  if (name === "ADMIN_GRANTS") return '{"alice@acme-corp.dev":["*"]}';
  if (/EMAIL/.test(name)) return "alice@acme-corp.dev";
  // Characters on which readers differ, in a value that no placeholder resembles.
  if (name === "POSTGRES_PASSWORD") return "p@ss/w$rd # 1f4q";
  return textHash(`test ${name}`);
}

/** A complete `.env` of a deployment, the optional operator secrets left out. */
export function filledEnv(deployment: Deployment): string {
  const names = deployment.secrets
    .filter((secret) => secret.managedBy === "operator" && (secret.required || secret.name === "POSTGRES_PASSWORD"))
    .map((secret) => secret.name);
  return names.map((name) => `${name}=${quoted(valueFor(name))}\n`).join("");
}

function quoted(value: string): string {
  if (/^[\w./:@-]+$/.test(value)) return value;
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}

const JWK = JSON.stringify({
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
  d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
});
