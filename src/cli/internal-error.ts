import { printable } from "../base/printable.ts";
import { VERSION } from "./version.ts";

/** The name of an error and where it arose; its message is left out, since it may quote what was read. */
export function errorTrace(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const code = (error as NodeJS.ErrnoException).code;
  return [
    printable(code === undefined ? error.name : `${error.name} ${code}`),
    ...frames.slice(0, 8).map(printable),
  ].join("\n");
}

/** What is said of a fault of ours: that it is one, and what to report. */
export function internalErrorReport(error: unknown): string {
  return (
    `qm-deploy failed, and that is a fault of qm-deploy, not of its input.\n` +
    `Please report it with these lines; they hold no content of your files:\n\n` +
    `qm-deploy ${VERSION}, Node ${process.version}, ${process.platform}\n${errorTrace(error)}\n`
  );
}
