import type { JsonValue } from "../../base/json.ts";
import { list, object } from "../answer.ts";

/** What docker said of a deployment (docs/contract/live.md#docker). */
export interface DockerAnswers {
  /** What `docker inspect` printed of the containers. */
  readonly containers: readonly JsonValue[];
  /** What `docker image inspect` printed of their images; those that are gone are missing. */
  readonly images: readonly JsonValue[];
}

/**
 * Reads saved answers of docker.
 *
 * @throws {AnswerError} where they are none
 */
export function dockerAnswers(value: JsonValue): DockerAnswers {
  const { containers, images } = object(value, "the file");
  return { containers: list(containers, "`containers`"), images: list(images ?? [], "`images`") };
}
