import { changeConfig } from "../../change-config.ts";
import { USAGE } from "../../exit-status.ts";
import { fieldArgument } from "../../field-argument.ts";
import type { Invocation } from "../../spec.ts";

/** `qm-deploy config unset`. */
export async function run(invocation: Invocation): Promise<number> {
  const path = fieldArgument(invocation.io, invocation.args[0] ?? "");
  return path === null ? USAGE : changeConfig(invocation, { kind: "remove", path });
}
