import { ours } from "../../../base/shown.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";
import { PASSED } from "../../exit-status.ts";
import type { Invocation } from "../../command-definition.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `qm-deploy completion`. */
export async function run({ io, args, commands }: Invocation): Promise<number> {
  io.stdout.write(ours(SHELLS[args[0] as keyof typeof SHELLS](commands)));
  return PASSED;
}
