import { envExample } from "../../../render/env-example.ts";
import { PASSED } from "../../exit-status.ts";
import { loadDeploymentArgument } from "../../deployment-argument.ts";
import type { Invocation } from "../../command-definition.ts";

/** `qm-deploy secrets example`. */
export async function run(invocation: Invocation): Promise<number> {
  const loaded = await loadDeploymentArgument(invocation);
  if ("status" in loaded) return loaded.status;
  invocation.io.stdout.write(envExample(loaded.deployment));
  return PASSED;
}
