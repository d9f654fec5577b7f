import type { TargetName } from "../../config/written-config.ts";
import { publicArtifact } from "../artifact-text.ts";
import { piece, type Piece, type RenderContext } from "../context.ts";
import { awsBringUp } from "./aws.ts";
import { dockerBringUp } from "./docker.ts";
import { flyBringUp } from "./fly.ts";

/** File name below `rendered/<target>/`. */
export const BRING_UP = "bring-up.md";

const BY_TARGET: { readonly [target in TargetName]: (context: RenderContext) => string } = {
  docker: dockerBringUp,
  fly: flyBringUp,
  aws: awsBringUp,
};

/** `bring-up.md`: the ordered, pasteable commands from nothing to a running deployment with the rendered files. */
export function renderBringUp(context: RenderContext): Piece {
  return piece({ artifacts: [publicArtifact(BRING_UP, BY_TARGET[context.target](context))] });
}
