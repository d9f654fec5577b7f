import type { Deployment } from "../../deployment/deployment.ts";
import { dockerName } from "../../deployment/derived-names.ts";
import type { Stage } from "../../deployment/stage.ts";
import type { Ask } from "../ask.ts";
import { containerIds, orgLabel, projectLabel } from "./labels.ts";

/** Containers of the compose project, else those that `qm up` made; stopped ones count. */
export async function dockerStage({ config }: Deployment, ask: Ask): Promise<Stage> {
  if ((await containerIds(projectLabel(dockerName(config)), ask)).length > 0) return "after";
  return (await containerIds(orgLabel(config), ask)).length > 0 ? "moving-in" : "before";
}
