import { foreign, joined, lines, ours, type Piece, type Shown, shown, shownJson } from "../base/shown.ts";
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
  const painted = (paint: (text: string) => string) => (text: Piece) => ours(paint(foreign(text).text));
  return {
    error: painted(red),
    warning: painted(yellow),
    info: painted(cyan),
    good: painted(green),
    strong: painted(bold),
    faint: painted(dim),
  };
}

/** A wider cell sticks out of its column: every other row would be padded for it. */
const WIDEST = 100;

/** Rows as columns of equal width, the last one ragged. */
export function tableText(rows: readonly (readonly Piece[])[]): Shown {
  const cells = rows.map((row) => row.map((cell) => foreign(cell).text));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [at, cell] of row.entries()) {
      const width = textWidth(cell);
      widths[at] = Math.max(widths[at] ?? 0, width > WIDEST ? 0 : width);
    }
  }
  const padded = (cell: string, at: number): string =>
    cell + " ".repeat(Math.max(0, (widths[at] as number) - textWidth(cell)));
  return lines(cells.map((row) => ours(row.map(padded).join("  ").trimEnd())));
}

/** Prints the one object of `--format json`. Answers what the stream answers (see `LOST`). */
export function printJson(io: ProcessIo, fields: object): unknown {
  return io.stdout.write(shown`${shownJson({ version: 1, ...fields })}\n`);
}

/** What the object of a command about one deployment begins with. */
export function deploymentHead(deployment: Deployment | null): object {
  if (deployment === null) return { config: null, target: null, release: null };
  const { inputs, target, release } = deployment;
  const { pinned, resolved, source } = release;
  return { config: inputs.config.file, target, release: { pinned, resolved, source } };
}

/** Says on stderr why a command does not do what it was asked for, and what to do about it. */
export function printError(io: ProcessIo, message: Piece, help: Piece | null = null): void {
  io.stderr.write(shown`error: ${message}\n`);
  if (help !== null) io.stderr.write(shown`  help: ${help}\n`);
}

/** The same for a wrong command line or an input that cannot be used; the exit status for it. */
export function usageError(io: ProcessIo, message: Piece, help: Piece | null = null): number {
  printError(io, message, help);
  return USAGE;
}

/** A diff with the colours of its lines. */
export function colouredDiff(diff: Shown, palette: Palette): Shown {
  const paint = (line: Shown): Shown => {
    if (line.text.startsWith("+") && !line.text.startsWith("+++")) return palette.good(line);
    if (line.text.startsWith("-") && !line.text.startsWith("---")) return palette.error(line);
    return line.text.startsWith("@@") ? palette.info(line) : line;
  };
  return joined(
    diff.text.split("\n").map((line) => paint(ours(line))),
    ours("\n"),
  );
}
