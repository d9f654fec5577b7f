import { main } from "../../../src/cli/main.ts";
import { filesBelow } from "../../support/files-below.ts";
import { fakeIo } from "../fake-io.ts";

/** A package.json with this pin. */
export function pinning(version: string): string {
  return `${JSON.stringify({ name: "acme", private: true, devDependencies: { "@yc-software/qm": version } }, null, 2)}\n`;
}

/** Runs the command in this process. */
export async function upgrade(
  cwd: string,
  ...argv: readonly string[]
): Promise<{ status: number; out: string; err: string }> {
  const io = fakeIo(["upgrade", ...argv], { cwd });
  const status = await main(io);
  return { status, out: io.out, err: io.err };
}

/** Runs another command in this process; its exit status. */
export async function status(cwd: string, ...argv: readonly string[]): Promise<number> {
  return main(fakeIo(argv, { cwd }));
}

/** Every file below a directory with its text. */
export function texts(directory: string): { readonly [path: string]: string | null } {
  return filesBelow(directory).files;
}
