import { shown } from "../../../base/shown.ts";
import { RELEASE_VERSIONS } from "../../../catalog/releases/index.ts";
import { type Invocation, wantsJson } from "../../command-definition.ts";
import { PASSED } from "../../exit-status.ts";
import { printJson } from "../../output.ts";
import { VERSION } from "../../version.ts";

/** `qm-deploy version`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const { node } = process.versions;
  const releases = RELEASE_VERSIONS;
  if (wantsJson(invocation)) printJson(io, { toolkit: VERSION, node, releases });
  else io.stdout.write(shown`qm-deploy ${VERSION}\nnode ${node}\nqm releases ${releases.join(", ")}\n`);
  return PASSED;
}
