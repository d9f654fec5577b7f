import { DEFAULT_BASE_PORT, DOCKER_PORT_OFFSET } from "../../catalog/targets/docker.ts";
import type { Answers } from "../answers.ts";
import type { ResourceNames } from "../resource-names.ts";
import { servicesFor } from "./services.ts";

/** For whoever has not said yet; `check` warns about it until it is changed. */
const EXAMPLE = "https://qm.example.com";

/** The public address where none was given: Fly's own name, this host for trying out, else a reserved example domain. */
export function defaultPublicUrl(answers: Answers, names: Pick<ResourceNames, "flyPrefix">): string {
  if (answers.target === "fly") return `https://${names.flyPrefix}-portal.fly.dev`;
  if (answers.target === "aws" || answers.backend.remote) return EXAMPLE;
  const door = servicesFor(answers).includes("portal") ? "portal" : "web-ui";
  return `http://localhost:${DEFAULT_BASE_PORT + (DOCKER_PORT_OFFSET[door] ?? 0)}`;
}
