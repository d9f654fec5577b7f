import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Deadline, MachineDriver } from "../driver/index.ts";
import type { Docker } from "./docker.ts";
import { contextTar, readDockerfileImage, tarBytes, type DockerfileImage } from "./dockerfile-image.ts";
import { ProviderError } from "./container-provider.ts";
import { SERVER_PORT, type ContainerStart } from "./options.ts";

const TIDY_MS = 5_000;

/** A machine that answers, and what is to be started on it. */
export interface ServerStart {
  readonly driver: MachineDriver;
  readonly id: string;
  readonly docker: Docker;
  readonly deadline: Deadline;
  readonly plan: ContainerStart;
}

/** From a bare machine to a running container, in the order that keeps it closed for as long as possible. */
export async function startServer(start: ServerStart): Promise<void> {
  const { driver, id, docker, deadline, plan } = start;
  await driver.setBotProtection(id, false, deadline);
  await driver.pinRoute(id, SERVER_PORT, deadline);
  const source = readDockerfileImage(plan.image);
  if (source === null) await docker.pull(plan.image, deadline);
  const image = source === null ? plan.image : await buildImage(start, source);
  if (plan.egressAllow !== undefined) await driver.setEgressAllow(id, plan.egressAllow, deadline);
  await withEnvFile(start, (envFile) => docker.run(image, plan.command, envFile, deadline));
}

async function buildImage({ driver, id, docker, deadline }: ServerStart, source: DockerfileImage): Promise<string> {
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
async function withEnvFile(start: ServerStart, run: (envFile: string | null) => Promise<void>): Promise<void> {
  const { driver, id, deadline } = start;
  const lines = Object.entries(start.plan.envVars).map(([name, value]) => `${name}=${value}\n`);
  if (lines.length === 0) return run(null);
  const directory = scratchDirectory(driver, "env");
  await driver.exec(id, { command: ["mkdir", "-m", "700", directory] }, deadline);
  const file = `${directory}/server.env`;
  await driver.upload(id, file, lines.join(""), { mode: 0o600 }, deadline);
  try {
    await run(file);
  } catch (error) {
    // In a time of its own: the failure may be that the time is over. The machine is deleted after this in any case.
    await removeDirectory({ ...start, deadline: driver.deadline(TIDY_MS) }, directory).catch(() => undefined);
    throw error;
  }
  await removeDirectory(start, directory);
}

/** Throws when it stays: then the machine has to go. */
async function removeDirectory({ driver, id, deadline }: ServerStart, directory: string): Promise<void> {
  const { exitCode } = await driver.exec(id, { command: ["rm", "-rf", directory] }, deadline);
  if (exitCode === 0) return;
  const what = "the file with the container's environment could not be removed from the machine";
  throw new ProviderError("START_FAILED", what);
}

function scratchDirectory(driver: MachineDriver, what: string): string {
  return `${driver.home}/openenv-${what}-${randomBytes(6).toString("hex")}`;
}
