import { printable } from "../../../base/printable.ts";
import { planBuild, runBuild } from "../../../publish/build.ts";
import { stepText } from "../../../publish/commands.ts";
import { PASSED } from "../../exit-status.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";
import { reportWriteErrors } from "../../write-errors.ts";
import { body, type Gated, gated, programsOf, refused, stopped, warn } from "./gate.ts";

/** `qm-deploy sandbox build`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const gate = await gated(invocation, false);
  if ("status" in gate) return gate.status;
  if (gate.errors.length > 0) return stopped(io, gate, "built");
  const wishes = { from: textOption(invocation, "from") ?? null, tag: textOption(invocation, "tag") ?? null };
  const plan = await planBuild(gate.deployment, gate.directory, wishes);
  if (!plan.ok) return refused(io, plan.problem);
  const build = plan.value;
  warn(io, [...build.warnings, ...unusedImage(gate)]);
  if (hasOption(invocation, "dry-run")) {
    const steps = body(stepText(build.step("temporary/Dockerfile")));
    io.stdout.write(
      `nothing was run; this would be (temporary/ is a directory made for it):\n${steps}\nDockerfile:\n${body(build.dockerfile)}\n`,
    );
    return PASSED;
  }
  return reportWriteErrors(io, async () => {
    const built = await runBuild(build, programsOf(io));
    if (!built.ok) return refused(io, built.problem);
    io.stdout.write(`built ${printable(build.tag)}\n`);
    return PASSED;
  });
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
