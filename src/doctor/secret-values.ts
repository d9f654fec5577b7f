import type { Deployment } from "../deployment/deployment.ts";
import { isSensitiveName } from "../base/redacted-spans.ts";
import { BOXD_KEY } from "./boxd-connection.ts";

/** Shorter values stand in ordinary text by chance. */
const MIN_LENGTH = 7;

/**
 * What no probe may show: the values that `.env` and the environment hold for the deployment's secrets, and whatever in `.env` has a secret-looking name. The
 * programs that are asked inherit the environment and stand beside `.env`, so they may print any of it.
 */
export function secretValues(
  { env, secrets }: Pick<Deployment, "env" | "secrets">,
  environment: { readonly [name: string]: string | undefined },
): readonly string[] {
  const names = new Set([BOXD_KEY, ...secrets.map(({ name }) => name)]);
  const written = [...(env?.values ?? [])]
    .filter(([name]) => names.has(name) || isSensitiveName(name))
    .map(([, value]) => value);
  const inherited = [...names].map((name) => environment[name] ?? "");
  return [...written, ...inherited].map((value) => value.trim()).filter((value) => value.length >= MIN_LENGTH);
}
