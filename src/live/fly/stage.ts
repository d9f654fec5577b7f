import type { Deployment } from "../../deployment/deployment.ts";
import type { Stage } from "../../deployment/stage.ts";
import { flyAppName } from "../../render/fly-toml.ts";
import { list } from "../answer.ts";
import { type Ask, jsonOf } from "../ask.ts";
import { appNames, FLY } from "./answers.ts";

/** Core's app with machines; apps that were created and not deployed are the beginning of a bring-up. */
export async function flyStage(deployment: Deployment, ask: Ask): Promise<Stage> {
  const org = deployment.config.flyOrg?.trim() ?? "";
  const core = flyAppName(deployment, "core");
  const apps = appNames(jsonOf(await ask(FLY, ["apps", "list", "--json", "--org", org])));
  if (!apps.includes(core)) return "before";
  const machines = list(jsonOf(await ask(FLY, ["machine", "list", "--app", core, "--json"])), "the list of machines");
  return machines.length > 0 ? "after" : "before";
}
