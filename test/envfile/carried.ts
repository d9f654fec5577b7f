import { type DialectName, type EnvPair, writeEnv } from "../../src/envfile/index.ts";
import { readWith } from "./readers/index.ts";

/** What of `all` a dialect carries, and the file that it makes of it. */
export function carried(
  dialect: DialectName,
  all: readonly EnvPair[],
): { readonly text: string; readonly values: Map<string, string> } {
  // A shell has names of its own, such as UID, which none of the names that we write to one is.
  const named = dialect === "shell" ? all.filter(({ name }) => readWith("shell", `${name}=x\n`).ok) : all;
  const some = named.filter((pair) => writeEnv(dialect, [pair]).ok);
  const written = writeEnv(dialect, some, { header: "made by a test: 'x\n\n\"y" });
  if (!written.ok) throw new Error("entries that can be written alone can be written together");
  return { text: written.text, values: new Map(some.map(({ name, value }) => [name, value])) };
}
