import { printable } from "../base/printable.ts";
import { ours, type Shown } from "../base/shown-text.ts";
import type { SystemError } from "../base/system-error.ts";
import { VERSION } from "./version.ts";

/** The name of an error and where it arose; its message is left out, since it may quote what was read. */
export function errorTrace(error: unknown): readonly Shown[] {
  if (!(error instanceof Error)) return [ours(`a thrown ${typeof error}`)];
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const code = (error as NodeJS.ErrnoException).code;
  const lines = [code === undefined ? error.name : `${error.name} ${code}`, ...frames.slice(0, 8)];
  return lines.map((line) => ours(printable(line)));
}

/** What is said of a fault of ours: that it is one, and what to report. */
export function internalErrorReport(error: unknown): Shown {
  const lines = [
    "qm-deploy failed, and that is a fault of qm-deploy, not of its input.",
    "Please report it with these lines; they hold no content of your files:",
    "",
    `qm-deploy ${VERSION}, Node ${process.version}, ${process.platform}`,
    ...errorTrace(error).map(({ text }) => text),
  ];
  return ours(`${lines.join("\n")}\n`);
}

/** What the system refuses is no fault of ours, wherever it does. Nothing is loaded for this: files may be what is refused. */
export function systemRefusal({ says, help, syscall, path }: SystemError): Shown {
  const about = path === null ? syscall : `${syscall} ${path}`;
  return ours(`error: the system refused to ${printable(about)} (${says})\n  help: ${help}\n`);
}
