import { tempDirectory } from "../workspace/temp.ts";
import { soundConfig } from "./deployments.ts";

/** Deployments in a fleet; an even number. */
export const COUNT = 130;

/** Deployments of three targets, some sound and some not, each with a file of its own. */
export function fleet(): string {
  const config = (at: number): string =>
    soundConfig({
      orgId: `org-${at}`,
      env: { core: { BOXD_ORG: "acme", BOXD_NAME_PREFIX: `p${at}` } },
      target: ["docker", "fly", "aws"][at % 3],
      ...(at % 4 === 0 ? { unknown: at } : {}),
      ...(at % 5 === 0 ? { secretEnv: { core: { A: "B" } } } : {}),
    });
  return tempDirectory(
    Object.fromEntries(
      Array.from({ length: COUNT }, (_, at) => [`d${String(at).padStart(3, "0")}/qm.config.jsonc`, config(at)]),
    ),
  );
}
