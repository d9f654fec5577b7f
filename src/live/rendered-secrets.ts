import type { RenderContext } from "../render/artifact.ts";
import type { RenderedWorkload } from "./workload.ts";

/** The secrets that a workload is to have, by the names inside: those that are required or have a value; the others it may have. */
export function secretsOf(
  { secrets, options }: RenderContext,
  workload: string,
): Pick<RenderedWorkload, "secrets" | "optionalSecrets"> {
  const all = secrets.get(workload) ?? [];
  const expected = all.filter(({ secret }) => secret.required || options.secretsWithValue.has(secret.name));
  return {
    secrets: new Map(expected.map(({ env }) => [env, null])),
    optionalSecrets: new Set(all.map(({ env }) => env)),
  };
}
