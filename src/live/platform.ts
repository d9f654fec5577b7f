import type { JsonValue } from "../base/json.ts";
import type { RenderContext, Rendered } from "../render/artifact.ts";
import type { Ask } from "./ask.ts";
import type { LiveDeployment, RenderedWorkload } from "./workload.ts";

/** A deployment as it is rendered, and the directory of its rendered files on the computer that is asked from. */
export interface RenderedDeployment {
  readonly context: RenderContext;
  readonly rendered: Rendered;
  readonly directory: string;
}

/** What is rendered and what runs, in the same words. */
export interface Sides {
  readonly rendered: readonly RenderedWorkload[];
  readonly running: LiveDeployment;
}

/** How a target is asked and understood. */
export interface Platform<Answers> {
  /** Asks the target's own program; changes nothing. */
  readonly ask: (deployment: RenderedDeployment, ask: Ask) => Promise<Answers>;
  /** Reads saved answers. */
  readonly read: (saved: JsonValue) => Answers;
  readonly compare: (deployment: RenderedDeployment, answers: Answers) => Sides;
}

/** The text of a rendered artifact; null where it was refused. */
export function artifactText({ rendered }: RenderedDeployment, name: string): string | null {
  return rendered.artifacts.find((artifact) => artifact.name === name)?.text ?? null;
}
