import { execFile } from "node:child_process";

/** How a program ended. `absent`: it is not on PATH. */
export type ProgramResult = { readonly kind: "absent" } | { readonly kind: "ended"; readonly status: number; readonly stdout: string; readonly stderr: string };

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Runs a program without a shell and without stdin, for what it prints. */
export function runProgram(program: string, args: readonly string[], signal: AbortSignal, cwd?: string): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd, signal, encoding: "utf8", maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      if (error !== null && error.code === "ENOENT") resolve({ kind: "absent" });
      else resolve({ kind: "ended", status: error === null ? 0 : typeof error.code === "number" ? error.code : 1, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** The first line of a text, for reports. */
export function firstLine(text: string): string {
  return text.trim().split(/[\r\n]/, 1)[0] ?? "";
}
