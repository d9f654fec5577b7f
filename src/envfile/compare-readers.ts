import { readEnvFile } from "./read.ts";
import { readAs } from "./readers/index.ts";
import type { ReaderName } from "./readers/reader.ts";

/** A reader that does not see what this toolkit's reader sees. */
export interface ReaderDifference {
  readonly reader: ReaderName;
  /** The names that it misses or reads otherwise, in the order of the file; empty where it gives up. */
  readonly names: readonly string[];
  /** Where and why it gives up on the whole file; null where it does not. */
  readonly gaveUp: { readonly line: number; readonly reason: string } | null;
}

/** Compares what each reader makes of a `.env` with what {@link readEnvFile} does; readers that agree are left out. */
export function readerDifferences(text: string, readers: readonly ReaderName[]): ReaderDifference[] {
  const { values } = readEnvFile(text);
  const differences: ReaderDifference[] = [];
  for (const reader of readers) {
    const result = readAs(reader, text);
    if (!result.ok) {
      differences.push({ reader, names: [], gaveUp: { line: result.line, reason: result.reason } });
      continue;
    }
    const names = [...values.keys()].filter((name) => result.values.get(name) !== values.get(name));
    if (names.length > 0) differences.push({ reader, names, gaveUp: null });
  }
  return differences;
}
