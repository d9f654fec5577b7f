import type { WrittenConfig } from "../../config/written-config.ts";
import { type Ask, refusal } from "../ask.ts";

/** The label that compose gives all containers of a project. */
export function projectLabel(project: string): string {
  return `com.docker.compose.project=${project}`;
}

/** The label that both `qm up` and our compose.yaml give a deployment's containers. */
export function orgLabel({ orgId = "" }: WrittenConfig): string {
  return `qm.org=${orgId}`;
}

/** Ids of the containers with a label, stopped ones too. */
export async function containerIds(label: string, ask: Ask): Promise<readonly string[]> {
  const answer = await ask(["docker"], ["ps", "--all", "--quiet", "--no-trunc", "--filter", `label=${label}`]);
  if (answer.status !== 0) throw refusal(answer);
  return answer.stdout.split(/\s+/).filter((id) => id !== "");
}
