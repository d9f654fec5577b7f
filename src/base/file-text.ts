import { printable } from "./printable.ts";
import { hidesValue } from "./redact.ts";
import { type RedactedSpan, withoutSpans } from "./redacted-span.ts";
import { hiddenSpans, NO_VALUE } from "./redacted-spans.ts";
import { joined, ours, type Shown } from "./shown.ts";

/** `NAME=value`, `name: value`: a line that gives a value without quotes a name. */
const ASSIGNMENT = /^[ \t]*(?:(?:export|ENV|ARG|-)[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*(\S.*)$/;
/** A Dockerfile's older form of the same. */
const ENV_INSTRUCTION = /^[ \t]*ENV[ \t]+([A-Za-z_][\w.-]*)[ \t]+(\S.*)$/;

/** The value of a line under a secret-looking name; null where it shows nothing. */
function assignedValue(line: string): RedactedSpan | null {
  const [, name, value] = ASSIGNMENT.exec(line) ?? ENV_INSTRUCTION.exec(line) ?? [];
  if (name === undefined || value === undefined || NO_VALUE.test(value)) return null;
  if (!hidesValue(name, value.replace(/(?<![",;])[",;]+$/, ""))) return null;
  return { start: line.length - value.length, end: line.length };
}

function shownLine(line: string, spans: readonly RedactedSpan[]): Shown {
  const value = assignedValue(line);
  const hidden = value === null ? spans : [...spans.filter(({ end }) => end <= value.start), value];
  const parts = withoutSpans(line, hidden).split("\t").map(printable);
  // Tabs stay, which a Makefile and a heredoc need.
  return joined(parts.map(ours), ours("\t"));
}

/** The lines of a file as they may be shown: what may be secret in them is `[hidden]`. The number of lines stays the same. */
export function shownFileLines(text: string): readonly Shown[] {
  const spans = hiddenSpans(text);
  let next = 0;
  let start = 0;
  return text.split("\n").map((line) => {
    const end = start + line.length;
    const own: RedactedSpan[] = [];
    for (; next < spans.length && (spans[next] as RedactedSpan).start < end; next++) {
      const span = spans[next] as RedactedSpan;
      own.push({ start: span.start - start, end: Math.min(span.end, end) - start });
    }
    start = end + 1;
    return shownLine(line, own);
  });
}
