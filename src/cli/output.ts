import { printable, printableJson } from "../base/printable.ts";
import { textWidth } from "../base/width.ts";
import type { Deployment } from "../deployment/deployment.ts";
import { PLAIN, type Palette } from "../diagnostics/reporters/reporter.ts";
import { USAGE } from "./exit-status.ts";
import type { Output, ProcessIo } from "./process-io.ts";

/** NO_COLOR wins over FORCE_COLOR, which wins over what the stream is. */
function wantsColour(io: ProcessIo, output: Output): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return output.isTTY === true && TERM !== "dumb";
}

/** The colours for a stream. Without any, nothing is loaded for them. */
export async function paletteFor(io: ProcessIo, output: Output): Promise<Palette> {
  if (!wantsColour(io, output)) return PLAIN;
  const { default: picocolors } = await import("picocolors");
  const { red, yellow, cyan, green, bold, dim } = picocolors.createColors(true);
  return { error: red, warning: yellow, info: cyan, good: green, strong: bold, faint: dim };
}

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

/** Prints the one object of `--format json`. */
export function printJson(io: ProcessIo, fields: object): void {
  io.stdout.write(printableJson(`${JSON.stringify({ version: 1, ...fields }, null, 2)}\n`));
}

/** What the object of a command about one deployment begins with. */
export function deploymentHead(deployment: Deployment | null): object {
  if (deployment === null) return { config: null, target: null, release: null };
  const { inputs, target, release } = deployment;
  const { pinned, resolved, source } = release;
  return { config: inputs.config.file, target, release: { pinned, resolved, source } };
}

/** Says on stderr why a command does not do what it was asked for, and what to do about it. */
export function printError(io: ProcessIo, message: string, help: string | null = null): void {
  io.stderr.write(printable(`error: ${message}`) + "\n");
  if (help !== null) io.stderr.write(printable(`  help: ${help}`) + "\n");
}

/** The same for a wrong command line or an input that cannot be used; the exit status for it. */
export function usageError(io: ProcessIo, message: string, help: string | null = null): number {
  printError(io, message, help);
  return USAGE;
}
