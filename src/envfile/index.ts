export { setEnvValue } from "./edit.ts";
export {
  type EnvDocument,
  type EnvEntry,
  type EnvProblem,
  type EnvProblemKind,
  isEnvName,
  MAX_VALUE_BYTES,
  withoutFinalBreak,
} from "./env-document.ts";
export { readEnvFile } from "./read.ts";
export { type ReferenceReading, withReadings } from "./references.ts";
export { type CommentSpan, meaningOf, scanComments } from "./scan.ts";
export { type FileReader, readAs } from "./readers/index.ts";
export { unfit as whyUnfit } from "./write/quoting.ts";
export { type DialectName, type EnvPair, writeEnv } from "./write/write.ts";
