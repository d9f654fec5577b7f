import type { ServiceName } from "../../config/written-config.ts";
import type { Answers } from "../answers.ts";

/** Everything behind a sign-in where there is one; on docker without e-mails only what trying out needs. */
export function servicesFor({
  target,
  emailTransport,
}: Pick<Answers, "target" | "emailTransport">): readonly ServiceName[] {
  if (target !== "docker") return ["core", "slack", "web-ui", "admin", "portal", "auth"];
  return emailTransport === null ? ["core", "web-ui"] : ["core", "web-ui", "admin", "portal", "auth"];
}
