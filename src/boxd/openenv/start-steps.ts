import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Deadline, MachineDriver } from "../driver/index.ts";
import { contextTar, tarBytes } from "./build-context.ts";
import { Docker } from "./docker.ts";
import { readDockerfileImage, type DockerfileImage } from "./dockerfile-image.ts";
import { ProviderError } from "./errors.ts";
import { SERVER_PORT } from "./options.ts";

const TIDY_MS = 5_000;

/** What one start is to bring about on a machine that answers. */
export interface StartPlan {
  readonly image: string;
  readonly command: readonly string[];
  readonly envVars: Readonly<Record<string, string>>;
  readonly egressAllow: readonly string[] | undefined;
  /** see `Docker` */
  readonly surface: ((output: string) => string) | null;
  /** told the address as soon as it is known, so that it can be masked from then on */
  readonly onUrl: (url: string) => void;
}

/** From a bare machine to a running container, in the order that keeps it closed for as long as possible. */
export async function startSteps(
  driver: MachineDriver,
  id: string,
  plan: StartPlan,
  deadline: Deadline,
): Promise<void> {
  plan.onUrl(await driver.httpsUrl(id, deadline));
  await driver.setBotProtection(id, false, deadline);
  await driver.pinRoute(id, SERVER_PORT, deadline);
  const docker = new Docker(driver, id, plan.surface);
  const source = readDockerfileImage(plan.image);
  let image = plan.image;
  if (source === null) await docker.pull(image, deadline);
  else image = await build(driver, id, docker, source, deadline);
  if (plan.egressAllow !== undefined) await driver.setEgressAllow(id, plan.egressAllow, deadline);
  await withEnvFile(driver, id, plan.envVars, deadline, (envFile) =>
    docker.run(image, plan.command, envFile, deadline),
  );
}

async function build(
  driver: MachineDriver,
  id: string,
  docker: Docker,
  source: DockerfileImage,
  deadline: Deadline,
): Promise<string> {
  const directory = scratchDirectory(driver, "build");
  const dockerfile = `${directory}/Dockerfile`;
  await driver.upload(id, `${directory}/context.tar`, await tarBytes(contextTar(source)), {}, deadline);
  // Of its own accord: it may be ignored, or lie outside of the context.
  await driver.upload(id, dockerfile, readFileSync(source.dockerfile), {}, deadline);
  const tag = await docker.build(directory, dockerfile, deadline);
  await driver.exec(id, { command: ["rm", "-rf", directory] }, deadline);
  return tag;
}

/** Values reach docker in a private file, never on a command line; the file is gone afterwards, also when docker refused. */
async function withEnvFile(
  driver: MachineDriver,
  id: string,
  envVars: Readonly<Record<string, string>>,
  deadline: Deadline,
  run: (envFile: string | null) => Promise<void>,
): Promise<void> {
  const entries = Object.entries(envVars);
  if (entries.length === 0) return run(null);
  const directory = scratchDirectory(driver, "env");
  await driver.exec(id, { command: ["mkdir", "-m", "700", directory] }, deadline);
  const file = `${directory}/server.env`;
  await driver.upload(
    id,
    file,
    entries.map(([name, value]) => `${name}=${value}\n`).join(""),
    { mode: 0o600 },
    deadline,
  );
  try {
    await run(file);
  } catch (error) {
    // In a time of its own: the failure may be that the deadline is used up. The machine is deleted after this in any case.
    await removeDirectory(driver, id, directory, driver.deadline(TIDY_MS)).catch(() => undefined);
    throw error;
  }
  await removeDirectory(driver, id, directory, deadline);
}

/** Throws when it stays: then the machine has to go. */
async function removeDirectory(
  driver: MachineDriver,
  id: string,
  directory: string,
  deadline: Deadline,
): Promise<void> {
  const removed = await driver.exec(id, { command: ["rm", "-rf", directory] }, deadline);
  if (removed.ended === "exit" && removed.exitCode === 0) return;
  throw new ProviderError(
    "START_FAILED",
    "the file with the container's environment could not be removed from the machine",
  );
}

function scratchDirectory(driver: MachineDriver, what: string): string {
  return `${driver.home}/openenv-${what}-${randomBytes(6).toString("hex")}`;
}
