import type { ProcessIo } from "./process-io.ts";

/** Asks a yes-or-no question on a terminal; without one the answer is no, so that nothing in CI waits or deletes by accident. */
export async function confirmed(io: ProcessIo, question: string): Promise<boolean> {
  if (io.stdin.isTTY !== true) return false;
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message: question, initialValue: false });
  return !isCancel(answer) && answer;
}
