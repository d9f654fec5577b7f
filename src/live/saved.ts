import type { JsonValue } from "../base/json.ts";
import type { TargetName } from "../config/written-config.ts";
import { AnswerError, object, parseAnswer } from "./answer.ts";

/**
 * The answers in a file that an operator saved (docs/json.md#saved-answers-of-a-target).
 *
 * @throws {AnswerError} where it is none, or one of another target
 */
export function savedAnswers(written: string, target: TargetName): JsonValue {
  const file = object(parseAnswer(written.replace(/^\ufeff/, ""), "the file"), "the file");
  if (file["version"] !== 1) throw new AnswerError("`version` is not 1");
  if (file["target"] !== target) throw new AnswerError(`\`target\` is not "${target}"`);
  return file;
}
