import type { Shown } from "../base/shown.ts";
import type { JsonValue } from "../base/json.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { proseMask, valueMask } from "../views/value-mask.ts";
import type { Ask } from "./ask.ts";
import { compareDeployment, type Difference } from "./compare.ts";
import { differenceText } from "./message.ts";
import type { RenderedDeployment } from "./platform.ts";
import { remedyFor } from "./remedy.ts";
import { bothSides } from "./sides.ts";

/** One way in which what runs is not what is rendered, and what to do about it. */
export interface DriftFinding extends Difference {
  /** A sentence about the workload, without its name. */
  readonly message: Shown;
  /** Brings the two together; to be run in the deployment directory, in this order. */
  readonly commands: readonly string[];
}

/**
 * Compares what runs with what is rendered. `isRendered`: the files on disk are what the config says.
 *
 * @throws {AnswerError} where an answer is not what it should be
 * @throws {AskError} where a program gives none
 */
export async function findDrift(
  deployment: RenderedDeployment,
  from: { readonly saved: JsonValue } | { readonly ask: Ask },
  isRendered: boolean,
): Promise<readonly DriftFinding[]> {
  const { rendered, running } = await bothSides(deployment, from);
  const tell = teller(deployment.context.deployment);
  const { context } = deployment;
  return compareDeployment(rendered, running).map((found) => {
    const difference = tell(found);
    const commands = remedyFor(found, { context, isRendered });
    return { ...difference, message: differenceText(difference), commands };
  });
}

/** Hides what `.env` holds wherever a platform repeats it, and values of an environment by their names too. */
function teller(deployment: Deployment): (difference: Difference) => Difference {
  const byName = valueMask(deployment);
  const known = proseMask(deployment);
  const hidden = (text: string | null): string | null => (text === null ? null : known(text));
  return (difference) => {
    const { attribute, workload, name, units } = difference;
    const value = (text: string | null): string | null =>
      text === null || attribute !== "environment" ? hidden(text) : byName(name ?? "", text);
    return {
      ...difference,
      workload: known(workload),
      name: hidden(name),
      rendered: value(difference.rendered),
      running: value(difference.running),
      units: units.map(known),
    };
  };
}
