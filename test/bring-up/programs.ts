import type { Program } from "./stand-ins/read-call.mjs";

/** The table of a program that is stood in for. */
export async function programNamed(name: string): Promise<Program> {
  const { PROGRAM } = (await import(`./stand-ins/${name}.mjs`)) as { PROGRAM: Program };
  return PROGRAM;
}
