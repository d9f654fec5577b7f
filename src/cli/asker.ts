import { createRedactor, isUnmistakable } from "../base/redact.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { tellingSecrets } from "../deployment/secrets/known-values.ts";
import { type Ask, programAsker } from "../live/ask.ts";
import type { ProcessIo } from "./process-io.ts";

/** The programs that are asked inherit the environment and stand beside `.env`, so they may print any of it. */
export function askerFor({ env }: ProcessIo, deployment: Deployment, cwd: string, signal: AbortSignal): Ask {
  const inherited = deployment.secrets.flatMap(({ name }) => {
    const value = env[name] ?? "";
    return isUnmistakable(value, name) ? [value] : [];
  });
  const mask = createRedactor([...tellingSecrets(deployment).map(([, value]) => value), ...inherited]);
  return programAsker({ cwd, env, signal, mask });
}
