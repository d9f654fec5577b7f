import type { Deployment } from "../deployment/deployment.ts";
import { hasOption, type Invocation } from "./command-definition.ts";
import { interruptible } from "./interrupt.ts";

/**
 * What gives a deployment the secrets that its `.env` only refers to, where `--resolve` was given; without it the deployment is as it was. The
 * tools that are asked are ended when the user ends the program.
 */
export async function referenceResolver(
  invocation: Invocation,
): Promise<(deployment: Deployment) => Promise<Deployment>> {
  const { io } = invocation;
  if (!hasOption(invocation, "resolve")) return (deployment) => Promise.resolve(deployment);
  const { createReferenceReader } = await import("../references/read-references.ts");
  const read = createReferenceReader({ cwd: io.cwd, env: io.env });
  return (deployment) => interruptible(io, (signal) => read(deployment, signal));
}
