import { lines, plainText, type Shown, shown } from "../../../base/shown.ts";
import { type Build, planBuild, runBuild } from "../../../publish/build.ts";
import { commandText } from "../../../publish/commands.ts";
import { PASSED } from "../../exit-status.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";
import { body, fileBody, commandRunner, type Gated, gated, reportRefusals, stopped, warn } from "./gate.ts";

/** `qm-deploy sandbox build`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const gate = await gated(invocation, "sandbox build");
  if ("status" in gate) return gate.status;
  if (gate.errors.length > 0) return stopped(io, gate, "built");
  const options = { from: textOption(invocation, "from") ?? null, tag: textOption(invocation, "tag") ?? null };
  return reportRefusals(io, async () => {
    const build = planBuild(gate.deployment, gate.directory, options);
    warn(io, [...build.warnings, ...unusedImage(gate)]);
    if (hasOption(invocation, "dry-run")) io.stdout.write(dryRun(build));
    else {
      await runBuild(build, commandRunner(io));
      io.stdout.write(shown`built ${plainText(build.tag)}\n`);
    }
    return PASSED;
  });
}

function dryRun({ command, dockerfile }: Build): Shown {
  return lines([
    "nothing was run; this would be (temporary/ is a directory made for it):",
    body([plainText(commandText(command("temporary/Dockerfile")))]),
    "Dockerfile:",
    fileBody(dockerfile),
  ]);
}

/** Nothing keeps anybody from building what no agent boots; but it should be known. */
function unusedImage({ deployment: { sandbox, release, target } }: Gated): string[] {
  if (target !== null && sandbox.selected.some((backend) => backend.layerImage(release.release, target))) return [];
  const { effective } = sandbox;
  return [
    effective === null
      ? "no sandbox backend is selected: agents never boot this image"
      : `agents on \`${effective.name}\` never boot this image`,
  ];
}
