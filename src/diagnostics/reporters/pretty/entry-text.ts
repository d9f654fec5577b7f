import { foreign, joined, ours, type Piece, type Shown, shown } from "../../../base/shown.ts";
import { textWidth } from "../../../base/width.ts";
import type { DiagnosticView } from "../../view.ts";
import { furtherCommand, helpLine, placeText, type ReporterOptions } from "../reporter.ts";
import { deploymentsIn, type Entry, type Found } from "./entries.ts";
import type { Frames } from "./frame-text.ts";

/** Places of findings like the one that is shown that are named. */
const NAMED_PLACES = 10;

/** "1 error", "2 errors". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function header(
  { severity, rule, ...diagnostic }: DiagnosticView,
  { palette }: ReporterOptions,
  place = placeText(diagnostic),
  message: Piece = diagnostic.message,
): Shown {
  return shown`${palette.strong(place)}  ${palette[severity](severity)}  ${message}  ${palette.faint(rule)}`;
}

function footer({ first, more }: Entry, { palette: { faint } }: ReporterOptions): Shown {
  const { help, fix } = first.diagnostic;
  const parts = [shown`    ${faint("help:")} ${help}\n`];
  const command = furtherCommand(first.diagnostic);
  if (command !== null) parts.push(shown`    ${faint("run:")}  ${command}\n`);
  if (fix !== null) {
    const flag = fix.safety === "safe" ? "--fix" : "--fix=all";
    const others = more.filter(({ diagnostic }) => diagnostic.fix?.safety === fix.safety).length;
    parts.push(
      shown`    ${faint("fix:")}  ${fix.title} (\`${flag}\` does it${others === 0 ? "" : `, and ${others} more`})\n`,
    );
  }
  return joined(parts);
}

/** Pieces as a list that fills lines of a width, each line after the first indented. */
function filled(pieces: readonly Shown[], indent: number, columns: number): Shown {
  let text = "";
  let width = indent;
  for (const [at, piece] of pieces.entries()) {
    const part = at === pieces.length - 1 ? piece.text : `${piece.text},`;
    const cost = textWidth(part) + 1;
    if (at > 0 && width + cost > columns) {
      text += `\n${" ".repeat(indent)}`;
      width = indent;
    } else if (at > 0) text += " ";
    text += part;
    width += cost;
  }
  return ours(text);
}

/** What is said of a finding beside the first of its entry: nothing that the first says already. */
function differences({ diagnostic }: Found, first: DiagnosticView): Shown | null {
  const help = helpLine(diagnostic);
  if (help !== helpLine(first)) return shown`${diagnostic.message}; ${help}`;
  return diagnostic.message === first.message ? null : foreign(diagnostic.message);
}

/** The places of the other findings of an entry: those that say the same in one list, each of the others with what it says. */
function otherPlaces({ first, more }: Entry, { columns, palette: { faint } }: ReporterOptions): Shown {
  const same: Shown[] = [];
  const other: Shown[] = [];
  for (const found of more) {
    const says = differences(found, first.diagnostic);
    if (says === null) same.push(placeText(found.diagnostic));
    else other.push(shown`${placeText(found.diagnostic)}  ${says}`);
  }
  const parts: Shown[] = [];
  const label = "    also: ";
  if (same.length > 0) parts.push(shown`    ${faint("also:")} ${filled(named(same), label.length, columns)}\n`);
  if (other.length > 0) parts.push(shown`    ${faint(`${other.length} more like it:`)}\n`);
  return joined([...parts, ...named(other).map((line) => shown`      ${line}\n`)]);
}

/** As many as are named, and how many are not. */
function named(all: readonly Shown[]): readonly Shown[] {
  const rest = all.length - NAMED_PLACES;
  return rest <= 1 ? all : [...all.slice(0, NAMED_PLACES), ours(`and ${rest} more`)];
}

/** A finding with its frame, what to do, and where else the same is found. */
export function entryText(entry: Entry, frames: Frames, options: ReporterOptions): Shown {
  const { first } = entry;
  const head = shown`${header(first.diagnostic, options)}\n`;
  return joined([head, ...frames.draw(first), footer(entry, options), otherPlaces(entry, options), ours("\n")]);
}

/** Findings on one line: that of one deployment at its place, those of several by what they have in common. */
export function entryLine(entry: Entry, options: ReporterOptions): Shown {
  const { first, more } = entry;
  const count = deploymentsIn(entry);
  if (count === 1) {
    const rest = more.length === 0 ? "" : shown`  ${options.palette.faint(`(and ${more.length} more)`)}`;
    return shown`${header(first.diagnostic, options)}${rest}\n`;
  }
  const { message, rule } = first.diagnostic;
  const isSame = more.every(({ diagnostic }) => diagnostic.message === message);
  const title = options.rules.get(rule)?.title;
  const says = isSame || title === undefined ? message : ours(title);
  return shown`${header(first.diagnostic, options, ours(counted(count, "deployment")), says)}\n`;
}
