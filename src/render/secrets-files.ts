import type { TargetName } from "../config/written-config.ts";
import { piece, type Piece, type Renderer, type RenderContext } from "./context.ts";
import { renderAwsSecrets } from "./secrets/aws.ts";
import { renderDockerSecrets } from "./secrets/docker.ts";
import { renderFlySecrets } from "./secrets/fly.ts";

const BY_TARGET: { readonly [target in TargetName]: Renderer } = {
  docker: renderDockerSecrets,
  fly: renderFlySecrets,
  aws: renderAwsSecrets,
};

/** Secret values from `.env` in the form that the target takes them in; nothing unless they were asked for. */
export function renderSecretsFiles(context: RenderContext): Piece {
  return context.options.secrets ? BY_TARGET[context.target](context) : piece({});
}
