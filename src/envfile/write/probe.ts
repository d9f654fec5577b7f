import type { ReaderName } from "../readers/reader.ts";
import { versionsOf } from "../readers/index.ts";

/** One of each quote, where no reader minds them: an opening quote that is taken for text must not find its like later. */
const LONE_QUOTES = `# '\n# "\n# \`\n`;

/**
 * True when every version of every reader takes `line` for `name` with `value`, and for nothing else, between two other
 * assignments. A line that swallows or breaks its neighbour fails.
 */
export function isReadBack(line: string, name: string, value: string, readers: readonly ReaderName[]): boolean {
  const before = `${name}_1`;
  const after = `${name}_2`;
  const text = `${before}=1\n${line}\n${LONE_QUOTES}${after}=2\n`;
  return readers.every((reader) =>
    versionsOf(reader).every((read) => {
      const result = read(text);
      if (!result.ok || result.values.size !== 3) return false;
      return result.values.get(before) === "1" && result.values.get(name) === value && result.values.get(after) === "2";
    }),
  );
}
