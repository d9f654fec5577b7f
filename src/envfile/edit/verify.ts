import { readEnvFile } from "../read.ts";
import { versionsOf } from "../readers/index.ts";
import type { Reader, ReaderName, ReadResult } from "../readers/reader.ts";

interface Baseline {
  readonly reader: ReaderName;
  readonly read: Reader;
  readonly result: ReadResult;
}

/** What the readers made of a file before an edit, to hold an edited text against. */
export class EditCheck {
  readonly #baselines: readonly Baseline[];
  readonly #others: ReadonlyMap<string, string>;
  readonly #name: string;

  constructor(text: string, name: string, readers: readonly ReaderName[]) {
    this.#name = name;
    this.#baselines = readers.flatMap((reader) =>
      versionsOf(reader).map((read) => ({ reader, read, result: read(text) })),
    );
    this.#others = readEnvFile(text).values;
  }

  /** True when a value that is not the edited one is what it was for this reader, or has become what it should be. */
  #areOthersKept(before: ReadResult, after: ReadonlyMap<string, string>): boolean {
    for (const [name, meant] of this.#others) {
      if (name === this.#name) continue;
      const now = after.get(name);
      if (now !== meant && before.ok && now !== before.values.get(name)) return false;
    }
    return true;
  }

  /**
   * Null when all readers find `value` (undefined: no value) in the edited text and every other value unharmed; else who
   * does not, and why.
   */
  failure(edited: string, value: string | undefined): { readonly reader: ReaderName; readonly reason: string } | null {
    for (const { reader, read, result: before } of this.#baselines) {
      const after = read(edited);
      if (!after.ok) return { reader, reason: `it gives up at line ${after.line}: ${after.reason}` };
      if (after.values.get(this.#name) !== value) return { reader, reason: "it would read another value" };
      if (!this.#areOthersKept(before, after.values))
        return { reader, reason: "it would read other entries differently" };
    }
    return null;
  }
}
