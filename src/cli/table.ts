import { printable } from "../base/printable.ts";
import { textWidth } from "../base/width.ts";

/** Rows as columns of equal width, the last one ragged; cells are made printable. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of shown) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, textWidth(cell));
  }
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell + " ".repeat((widths[at] as number) - textWidth(cell))))
      .join("  ");
  return shown.map((row) => `${line(row).trimEnd()}\n`).join("");
}
