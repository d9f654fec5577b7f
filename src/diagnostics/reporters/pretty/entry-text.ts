import { counted } from "../../../base/phrase.ts";
import { joined, ours, type Piece, type Shown, shown } from "../../../base/shown.ts";
import { textWidth } from "../../../base/width.ts";
import { type DiagnosticView, isFailing } from "../../view.ts";
import { furtherCommand, helpLine, placeText, type ReporterOptions } from "../reporter.ts";
import { deploymentsIn, type Entry, type Found, type Saying, sayingsOf } from "./entries.ts";
import type { Frames } from "./frame-text.ts";

/** Places of what is shown in full that are named, and messages like it that fail nothing. */
const MOST_NAMED = 10;

/** Places that are named beside a message of one line. */
const MOST_BESIDE = 3;

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

/** What a finding says beside the first of its entry: nothing that the first says already. */
function difference(diagnostic: DiagnosticView, first: DiagnosticView): Piece {
  const help = helpLine(diagnostic);
  return help === helpLine(first) ? diagnostic.message : shown`${diagnostic.message}; ${help}`;
}

/** As many as are named, and how many are not. */
function named(all: readonly Shown[], limit: number): readonly Shown[] {
  const rest = all.length - limit;
  return rest <= 1 ? all : [...all.slice(0, limit), ours(`and ${rest} more`)];
}

/** Places of findings that say the same; where some are left out, also in how many deployments all of them are. */
function places(all: readonly Found[], limit: number, inAll: number): readonly Shown[] {
  const texts = named(
    all.map(({ diagnostic }) => placeText(diagnostic)),
    limit,
  );
  const isWhole = texts.length === all.length || inAll === 1;
  return isWhole ? texts : texts.with(-1, shown`${texts.at(-1) ?? ""} (${counted(inAll, "deployment")})`);
}

/** The other findings of an entry: where the first is found too, and a line for each other message, all of them where they fail the run. */
function others(entry: Entry, { columns, strict, palette: { faint } }: ReporterOptions): Shown {
  const [same, ...further] = sayingsOf(entry);
  const [{ diagnostic: first }, ...again] = same;
  const parts: Shown[] = [];
  const label = "    also: ";
  if (again.length > 0) {
    const list = places(again, MOST_NAMED, deploymentsIn(same));
    parts.push(shown`    ${faint("also:")} ${filled(list, label.length, columns)}\n`);
  }
  if (further.length > 0) parts.push(shown`    ${faint(`${further.length} more like it:`)}\n`);
  const lines = further.map((saying) => {
    const where = joined(places(saying, MOST_BESIDE, deploymentsIn(saying)), ", ");
    return shown`${where}  ${difference(saying[0].diagnostic, first)}`;
  });
  const isWhole = isFailing(first, strict);
  return joined([...parts, ...(isWhole ? lines : named(lines, MOST_NAMED)).map((line) => shown`      ${line}\n`)]);
}

/** A finding with its frame, what to do, and where else the same is found. */
export function entryText(entry: Entry, frames: Frames, options: ReporterOptions): Shown {
  const { first } = entry;
  const head = shown`${header(first.diagnostic, options)}\n`;
  return joined([head, ...frames.draw(first), footer(entry, options), others(entry, options), ours("\n")]);
}

/**
 * Findings on a line for each message: those of one deployment at their place, those of several by how many there are. Where
 * several deployments say different things, one line says what these have in common.
 */
export function entryLines(entry: Entry, options: ReporterOptions): Shown {
  const sayings = sayingsOf(entry);
  const [[{ diagnostic: first }]] = sayings;
  const count = deploymentsIn(sayings.flat());
  if (count === 1) return joined(sayings.map((saying) => sayingLine(saying, options)));
  const title = sayings.length === 1 ? undefined : options.rules.get(first.rule)?.title;
  const says = title === undefined ? first.message : ours(title);
  return shown`${header(first, options, ours(counted(count, "deployment")), says)}\n`;
}

function sayingLine([{ diagnostic }, ...again]: Saying, options: ReporterOptions): Shown {
  const rest = again.length === 0 ? "" : shown`  ${options.palette.faint(`(and ${again.length} more)`)}`;
  return shown`${header(diagnostic, options)}${rest}\n`;
}
