import schema from "../../../../schema/qm.config.schema.json" with { type: "json" };
import { ours } from "../../../base/shown.ts";
import { PASSED } from "../../exit-status.ts";
import type { Invocation } from "../../command-definition.ts";

/** `qm-deploy schema`. */
export async function run({ io }: Invocation): Promise<number> {
  io.stdout.write(ours(`${JSON.stringify(schema, null, 2)}\n`));
  return PASSED;
}
