import { changeConfig } from "./edit.ts";
import { USAGE } from "../../exit-status.ts";
import { configPathArgument } from "../../config-path-argument.ts";
import type { Invocation } from "../../command-definition.ts";

/** `qm-deploy config unset`. */
export async function run(invocation: Invocation): Promise<number> {
  const path = configPathArgument(invocation.io, invocation.args[0] ?? "");
  return path === null ? USAGE : changeConfig(invocation, { kind: "remove", path });
}
