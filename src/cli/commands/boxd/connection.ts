import { plainText, shown } from "../../../base/shown.ts";
import { explainError } from "../../../boxd/driver/errors.ts";
import { BoxdDriverError, SDK_PACKAGE, type MachineDriver } from "../../../boxd/driver/index.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import {
  boxdSdkProblem,
  boxdSettings,
  boxdSettingsProblem,
  BOXD_KEY,
  withMachines,
} from "../../../doctor/boxd-connection.ts";
import { nearestConfig } from "../../../workspace/find-deployments.ts";
import { PROBLEMS, USAGE } from "../../exit-status.ts";
import { deploymentPath, loadDeploymentArgument } from "../../deployment-argument.ts";
import { printError, printJson } from "../../output.ts";
import { type Invocation, textOption, wantsJson } from "../../command-definition.ts";
import { Patience } from "./patience.ts";

/** What a command knows of the connection beside the driver. */
export interface OpenedFor {
  /** what the names of qm's machines begin with, where it is set */
  readonly namePrefix: string | undefined;
  /** to be called once boxd has answered: nothing need be said about waiting for it then */
  answered(): void;
}

/** Opens boxd for one command, says by which SDK, and closes it afterwards. What goes wrong on the way is said, with the exit status of the command. */
export async function withBoxd(
  invocation: Invocation,
  work: (driver: MachineDriver, opened: OpenedFor) => Promise<number>,
): Promise<number> {
  const found = await deploymentIfAny(invocation);
  if ("status" in found) return found.status;
  const settings = boxdSettings(found.deployment, invocation.io.env);
  if (settings === null)
    return fail(
      invocation,
      `no ${BOXD_KEY}: put it into .env (\`qm-deploy secrets set ${BOXD_KEY}\`) or into the environment; \`boxd auth keys create qm --org <org>\` makes one`,
      USAGE,
    );
  const problem = boxdSettingsProblem(settings) ?? (await boxdSdkProblem());
  if (problem !== null) return fail(invocation, problem, USAGE);
  const patience = new Patience(invocation.io);
  try {
    const opened = (driver: MachineDriver, sdkVersion: string | null): Promise<number> => {
      invocation.io.stderr.write(shown`using ${SDK_PACKAGE} ${plainText(sdkVersion ?? "of unknown version")}\n`);
      return work(driver, { namePrefix: settings.namePrefix, answered: () => patience.end() });
    };
    return await withMachines(settings, opened, patience.onRetry);
  } catch (error) {
    if (error instanceof BoxdDriverError) return fail(invocation, explainError(error), PROBLEMS);
    throw error;
  } finally {
    patience.end();
  }
}

/** The deployment that the command is about; none where nothing was named and no config is at or above the working directory. */
async function deploymentIfAny(
  invocation: Invocation,
): Promise<{ deployment: Deployment | null } | { status: number }> {
  const { io } = invocation;
  const isNamed = ["in", "env-file"].some((name) => textOption(invocation, name) !== undefined);
  if (!isNamed && nearestConfig(io.cwd) === null) return { deployment: null };
  return loadDeploymentArgument(invocation, deploymentPath(io, textOption(invocation, "in")));
}

/** Says on stderr, for programs also on stdout, why boxd could not be asked. */
function fail(invocation: Invocation, message: string, status: number): number {
  const { io } = invocation;
  printError(io, message);
  if (wantsJson(invocation)) printJson(io, { ok: false, problem: message });
  return status;
}
