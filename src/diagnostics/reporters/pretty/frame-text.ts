import { foreign, ours, type Shown, shown } from "../../../base/shown.ts";
import type { FrameLine, FrameMarker } from "../../frame-line.ts";
import { FrameSource } from "../../frame.ts";
import type { Severity } from "../../diagnostic.ts";
import type { RelatedPlace } from "../../diagnostic.ts";
import { placeText, type ReporterOptions, type SourceLookup } from "../reporter.ts";
import type { Found } from "./entries.ts";

/** `.env`, `prod.env`, `.env.production`: files whose every value may be a secret. */
const ENV_FILE = /(?:^|\/)(?:\.env(?:\.[^/]*)?|[^/]*\.env)$/;

/** Room that the gutter of a frame takes. */
const GUTTER = 12;

function underline(
  { mark, start, width, label }: FrameMarker,
  { palette }: ReporterOptions,
  main: Severity | null,
): string {
  const isMain = mark === 0 && main !== null;
  const sign = isMain ? palette[main]("^".repeat(width)) : palette.strong("-".repeat(width));
  return `${" ".repeat(start)}${sign.text}${label === null ? "" : ` ${foreign(label).text}`}`;
}

/** A frame as text. `main`: the severity of the finding whose own place is the first mark; null where none of them is. */
function frameText(lines: readonly FrameLine[], options: ReporterOptions, main: Severity | null): Shown {
  const gutter = String(lines.at(-1)?.number ?? 0).length;
  const { faint } = options.palette;
  let text = "";
  let before = lines[0]?.number ?? 0;
  for (const { number, text: source, markers } of lines) {
    if (number > before + 1) text += `    ${faint(`${" ".repeat(gutter)} :`).text}\n`;
    before = number;
    const sign = markers.some(({ mark }) => mark === 0 && main !== null) ? ">" : " ";
    text += `  ${sign} ${faint(`${String(number).padStart(gutter)} |`).text} ${source}`.trimEnd() + "\n";
    for (const marker of markers)
      text += `    ${faint(`${" ".repeat(gutter)} |`).text} ${underline(marker, options, main)}\n`;
  }
  // A frame is masked and printable as it is drawn.
  return ours(text);
}

/** Draws the frames of findings. */
export class Frames {
  readonly #source: SourceLookup;
  readonly #options: ReporterOptions;
  /** Files of the deployment whose findings were drawn last: those of one follow each other. */
  #files = new Map<string, FrameSource | null>();
  #deployment: Found["deployment"] | null = null;

  constructor(source: SourceLookup, options: ReporterOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Where a finding points, the places that belong to it in the same frame, and frames of those in other files. */
  draw(found: Found): readonly Shown[] {
    const { file, range, related, severity } = found.diagnostic;
    const own = related.filter((place) => place.file === file);
    const far = related.filter((place) => place.file !== file);
    const marks = [...(range === null ? [] : [{ range, label: null }]), ...own.map(markOf)];
    const frame = this.#frame(found, file, marks, range === null ? null : severity);
    return [
      ...(frame === null ? own.map((place) => placeLine(place)) : [frame]),
      ...far.flatMap((place) => this.#far(found, place)),
    ];
  }

  #far(found: Found, place: RelatedPlace): readonly Shown[] {
    const frame = this.#frame(found, place.file, [{ range: place.range, label: null }], null);
    return [placeLine(place), ...(frame === null ? [] : [frame])];
  }

  #frame(found: Found, file: string, marks: Parameters<FrameSource["frame"]>[0], main: Severity | null): Shown | null {
    const source = marks.length === 0 ? null : this.#file(found, file);
    if (source === null) return null;
    const { rule, message } = found.diagnostic;
    const lines = source.frame(marks, rule.startsWith("secrets/") ? message : null, this.#options.columns - GUTTER);
    return frameText(lines, this.#options, main);
  }

  #file({ deployment }: Found, file: string): FrameSource | null {
    if (this.#deployment !== deployment) {
      this.#files = new Map();
      this.#deployment = deployment;
    }
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const text = this.#source(deployment, file);
    const made = text === undefined ? null : new FrameSource(text, ENV_FILE.test(file) ? "env" : "text");
    this.#files.set(file, made);
    return made;
  }
}

function markOf({ range, message }: RelatedPlace): { readonly range: RelatedPlace["range"]; readonly label: string } {
  return { range, label: message };
}

function placeLine(place: RelatedPlace): Shown {
  return shown`    ${placeText(place)}: ${place.message}\n`;
}
