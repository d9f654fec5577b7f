import { applySplices } from "../base/text-edit.ts";
import { equalValues } from "./edit/json-value.ts";
import { parseDocument } from "./parse.ts";

/** A fault can hide others, which come to light once it is repaired. */
const MOST_ROUNDS = 20;

/** A text with its syntax repaired as far as that is certain, and what was done. What is understood of it stays the same. */
export function repairSyntax(text: string): { readonly text: string; readonly titles: readonly string[] } {
  const titles: string[] = [];
  let document = parseDocument({ file: "", text });
  for (let round = 0; round < MOST_ROUNDS && document.repairs.length > 0; round++) {
    const repaired = parseDocument({ file: "", text: applySplices(document.text, document.repairs) });
    const isSame = equalValues(document.value([]), repaired.value([])) && (document.broken || !repaired.broken);
    if (!isSame) break;
    titles.push(...document.diagnostics.flatMap(({ fix }) => fix?.title ?? []));
    document = repaired;
  }
  return { text: document.text, titles };
}
