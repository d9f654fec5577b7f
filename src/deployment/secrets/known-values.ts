import { isSensitiveName } from "../../base/redact.ts";
import type { Deployment } from "../deployment.ts";

/** What `.env` holds for the secrets of a deployment, and under names that sound like one, by name. */
export function knownSecrets({
  env,
  secrets,
}: Pick<Deployment, "env" | "secrets">): (readonly [name: string, value: string])[] {
  if (env === null || env.values.size === 0) return [];
  const names = new Set(secrets.map(({ name }) => name));
  return [...env.values].filter(([name]) => names.has(name) || isSensitiveName(name));
}
