import { lines, ours, plainText, type Shown } from "../base/shown.ts";
import { VERSION } from "./version.ts";

/** The name of an error and where it arose; its message is left out, since it may quote what was read. */
export function errorTrace(error: unknown): readonly Shown[] {
  if (!(error instanceof Error)) return [ours(`a thrown ${typeof error}`)];
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const code = (error as NodeJS.ErrnoException).code;
  // Of our own files, whose names have a digest.
  return [code === undefined ? error.name : `${error.name} ${code}`, ...frames.slice(0, 8)].map(plainText);
}

/** What is said of a fault of ours: that it is one, and what to report. */
export function internalErrorReport(error: unknown): Shown {
  return lines([
    ours("qm-deploy failed, and that is a fault of qm-deploy, not of its input."),
    ours("Please report it with these lines; they hold no content of your files:"),
    ours(""),
    ours(`qm-deploy ${VERSION}, Node ${process.version}, ${process.platform}`),
    ...errorTrace(error),
  ]);
}
