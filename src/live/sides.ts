import type { JsonValue } from "../base/json.ts";
import type { Ask } from "./ask.ts";
import { awsPlatform } from "./aws/platform.ts";
import { dockerPlatform } from "./docker/platform.ts";
import { flyPlatform } from "./fly/platform.ts";
import type { Platform, RenderedDeployment, Sides } from "./platform.ts";

const PLATFORMS = { docker: dockerPlatform, fly: flyPlatform, aws: awsPlatform };

/**
 * What is rendered and what runs of a deployment. `from`: a saved answer, or how to ask.
 *
 * @throws {AnswerError} where an answer is not what it should be
 * @throws {AskError} where a program gives none
 */
export async function bothSides(
  deployment: RenderedDeployment,
  from: { readonly saved: JsonValue } | { readonly ask: Ask },
): Promise<Sides> {
  return sidesOf(PLATFORMS[deployment.context.target] as Platform<unknown>, deployment, from);
}

async function sidesOf<Answers>(
  platform: Platform<Answers>,
  deployment: RenderedDeployment,
  from: { readonly saved: JsonValue } | { readonly ask: Ask },
): Promise<Sides> {
  const answers = "saved" in from ? platform.read(from.saved) : await platform.ask(deployment, from.ask);
  return platform.compare(deployment, answers);
}
