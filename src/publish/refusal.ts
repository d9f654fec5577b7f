import type { Deployment } from "../deployment/deployment.ts";
import { BACKENDS } from "../catalog/backends/index.ts";
import { bad, good, type Outcome } from "./outcome.ts";

/** Whether the backend that runs agents boots a layer image that is published; decided by the deployment alone, before anything else is done. */
export function mayPublish({ sandbox, release, target }: Deployment): Outcome<true> {
  const { effective } = sandbox;
  if (effective === null) {
    return bad(
      "publish is refused: no sandbox backend is selected, so an image would reach no agent",
      "select one in `sandbox.backend`, and run `qm-deploy check`",
    );
  }
  if (effective.backend === null) {
    const known = BACKENDS.map(({ name }) => `\`${name}\``).join(", ");
    return bad(
      "publish is refused: the selected sandbox backend is not one that qm-deploy knows",
      `known backends are ${known}`,
    );
  }
  if (target === null)
    return bad("publish is refused: the hosting target is not known", "set `target` to docker, fly or aws");
  const plan = effective.backend.publish(release.release, target);
  return plan.kind === "layer-image"
    ? good(true)
    : bad(`publish is refused for \`${effective.name}\`: ${plan.why}`, plan.instead);
}
