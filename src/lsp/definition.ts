import type { Location } from "vscode-languageserver/node";
import type { ConfigPath } from "../base/config-path.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { hasMark, rangeOf } from "./diagnostics.ts";
import { isSecretPlace, kindOfPath, pathAt } from "../config/path-at.ts";
import { type Judged, uriOf } from "./workspace.ts";

/** Where the thing at an offset of the config is defined: a secret in `.env`, a service in the blocks that are about it. */
export function configDefinition(judged: Judged, offset: number): Location[] {
  const { deployment } = judged;
  const path = deployment === null ? null : pathAt(deployment.document, offset);
  const node = path === null ? undefined : deployment?.document.node(path);
  if (deployment === null || path === null || node?.kind !== "string") return [];
  const kind = kindOfPath(path);
  if (kind === "services[]") {
    const blocks: ConfigPath[] = ["env", "secretEnv", "imageOverrides", "vms"].map((block) => [block, node.value]);
    return [...blocks, ["aws", "services", node.value]]
      .filter((block) => deployment.document.node(block) !== undefined)
      .map((block) => placeIn(judged, deployment.document.file, deployment.document.keyRange(block)));
  }
  const { env, inputs } = deployment;
  const file = inputs.envFile?.file;
  if (!isSecretPlace(kind) || env === null || file === undefined) return [];
  return env.entries.filter(({ key }) => key === node.value).map(({ keyRange }) => placeIn(judged, file, keyRange));
}

/** Where the config says that the secret at an offset of `.env` is needed. */
export function envDefinition(judged: Judged, offset: number): Location[] {
  const { deployment } = judged;
  const entry = deployment?.env?.entries.find(
    ({ keyRange }) => keyRange.start.offset <= offset && offset <= keyRange.end.offset,
  );
  const secret = deployment?.secrets.find(({ name }) => name === entry?.key);
  if (deployment === null || secret === undefined) return [];
  const { document } = deployment;
  return secret.because
    .filter((path) => document.node(path) !== undefined)
    .map((path) => placeIn(judged, document.file, document.keyRange(path)));
}

function placeIn(judged: Judged, file: string, range: SourceRange): Location {
  return { uri: uriOf(judged, file), range: rangeOf(range, hasMark(judged, file)) };
}
