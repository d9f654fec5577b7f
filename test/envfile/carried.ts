import { type DialectName, type EnvPair, writeEnv } from "../../src/envfile/index.ts";

/** What of `all` a dialect carries, and the file that it makes of it. */
export function carried(
  dialect: DialectName,
  all: readonly EnvPair[],
): { readonly text: string; readonly values: Map<string, string> } {
  const some = all.filter((pair) => writeEnv(dialect, [pair]).ok);
  const written = writeEnv(dialect, some, { header: "made by a test: 'x\n\n\"y" });
  if (!written.ok) throw new Error("entries that can be written alone can be written together");
  return { text: written.text, values: new Map(some.map(({ name, value }) => [name, value])) };
}
