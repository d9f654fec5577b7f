import { redactText } from "../../../base/redact.ts";
import { showPath } from "../../../base/config-path.ts";
import type { ConfigChange } from "../../../diagnostics/diagnostic.ts";
import { printable } from "../../../base/printable.ts";
import { editConfig, type EditOutcome } from "../../../workspace/edit-config.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import type { ProcessIo } from "../../process-io.ts";
import { printDiagnostics, printInputProblem } from "../../print-diagnostics.ts";
import { hasOption, type Invocation, textOption } from "../../command-definition.ts";
import { reportWriteErrors } from "../../write-errors.ts";

async function report(io: ProcessIo, change: ConfigChange, outcome: EditOutcome): Promise<number> {
  const field = `\`${showPath(change.path)}\``;
  switch (outcome.kind) {
    case "unreadable":
      await printInputProblem(io, outcome.problem);
      return USAGE;
    case "refused":
      io.stderr.write(
        printable(
          `error: ${redactText(field)} was not ${change.kind === "set" ? "set" : "removed"}: ${outcome.reason}`,
        ) + "\n",
      );
      return PROBLEMS;
    case "worse":
      await printDiagnostics(io, outcome.deployment, outcome.added);
      io.stderr.write(
        printable(
          `error: nothing was written: the change would add what is said above; --force makes it all the same`,
        ) + "\n",
      );
      return PROBLEMS;
    case "unchanged":
      io.stdout.write(printable(`${field} has that value already`) + "\n");
      return PASSED;
    case "written":
      await printDiagnostics(io, outcome.deployment, outcome.added);
      io.stdout.write(
        printable(`${change.kind === "set" ? "set" : "removed"} ${field} in ${outcome.deployment.inputs.config.file}`) +
          "\n",
      );
      return PASSED;
  }
}

/** Makes one change in the config that a command line names, and says what became of it; resolves to the exit status. */
export function changeConfig(invocation: Invocation, change: ConfigChange): Promise<number> {
  const { io } = invocation;
  return reportWriteErrors(io, async () => {
    const path = textOption(invocation, "in") ?? ".";
    return report(io, change, await editConfig(change, { cwd: io.cwd, path, force: hasOption(invocation, "force") }));
  });
}
