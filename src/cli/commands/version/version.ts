import { RELEASES } from "../../../catalog/releases/index.ts";
import { PASSED } from "../../exit-status.ts";
import { type Invocation, textOption } from "../../command-definition.ts";
import { VERSION } from "../../version.ts";

/** `qm-deploy version`. */
export async function run(invocation: Invocation): Promise<number> {
  const releases = RELEASES.map((release) => release.version);
  const { stdout } = invocation.io;
  if (textOption(invocation, "format") === "json") {
    stdout.write(
      `${JSON.stringify({ version: 1, toolkit: VERSION, node: process.versions.node, releases }, null, 2)}\n`,
    );
  } else stdout.write(`qm-deploy ${VERSION}\nnode ${process.versions.node}\nqm releases ${releases.join(", ")}\n`);
  return PASSED;
}
