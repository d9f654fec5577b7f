import { nameOf } from "../catalog/settings/index.ts";
import { apiOrigin } from "../deployment/api-origin.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { coreSetting } from "./workloads.ts";

/** Where agents call core: PUBLIC_API_URL, which is written in the config or is a secret of that name, else `apiUrl`, else the public origin. */
export function apiAddress(deployment: Deployment): { readonly url: string } | { readonly secret: string } | null {
  const name = nameOf(deployment.release.release, "core.publicApiUrl");
  const written = coreSetting(deployment, "core.publicApiUrl")?.value.trim() ?? "";
  if (written !== "") return { url: written };
  const secret = deployment.secrets.find(({ destinations }) =>
    destinations.some(({ workload, env }) => workload === "core" && env === name),
  );
  if (secret !== undefined) return { secret: secret.name };
  const origin = apiOrigin(deployment);
  return origin === null ? null : { url: origin };
}
