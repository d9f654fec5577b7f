import { isErrorKind, type Deadline, type ExecOutcome, type MachineDriver } from "../driver/index.ts";
import { ProviderError, type ProviderErrorCode } from "./container-provider.ts";
import { SERVER_PORT } from "./options.ts";

const CONTAINER = "openenv-server";
const LOG_LINES = 100;

/** Docker on one machine, every word quoted by the driver. */
export class Docker {
  readonly #driver: MachineDriver;
  readonly #id: string;
  /** the end of an output with secrets masked, or null where output is withheld */
  readonly #surface: ((output: string) => string) | null;

  constructor(driver: MachineDriver, id: string, surface: ((output: string) => string) | null) {
    this.#driver = driver;
    this.#id = id;
    this.#surface = surface;
  }

  async pull(image: string, deadline: Deadline): Promise<void> {
    await this.#must(["docker", "pull", "--quiet", image], "the image could not be pulled", "START_FAILED", deadline);
  }

  /** Unpacks the context and builds it. Answers the image's tag. */
  async build(directory: string, dockerfile: string, deadline: Deadline): Promise<string> {
    const context = `${directory}/context`;
    const tag = "openenv-built:latest";
    const must = (failed: string, ...command: string[]) => this.#must(command, failed, "BUILD_FAILED", deadline);
    await must("no room for the build context", "mkdir", "-p", context);
    await must("the build context could not be unpacked", "tar", "-xf", `${directory}/context.tar`, "-C", context);
    await must("the image could not be built", "docker", "build", "--tag", tag, "--file", dockerfile, context);
    return tag;
  }

  async run(image: string, command: readonly string[], envFile: string | null, deadline: Deadline): Promise<void> {
    const port = ["--publish", `${SERVER_PORT}:${SERVER_PORT}`];
    const env = envFile === null ? [] : ["--env-file", envFile];
    const words = ["docker", "run", "--detach", "--name", CONTAINER, ...port, ...env, image, ...command];
    await this.#must(words, "the container could not be started", "START_FAILED", deadline);
  }

  /** Docker's word for the container's state, or null when the machine did not say: only an answer is proof. */
  async state(deadline: Deadline): Promise<string | null> {
    const asked = await this.#try(["docker", "inspect", "--format", "{{.State.Status}}", CONTAINER], deadline);
    return asked?.exitCode === 0 ? asked.stdout.trim() : null;
  }

  /** The end of what the container wrote, as a part of a message; empty where output is withheld or cannot be had. */
  async logs(deadline: Deadline): Promise<string> {
    if (this.#surface === null || deadline.remaining() <= 0) return "";
    const read = await this.#try(["docker", "logs", "--tail", String(LOG_LINES), CONTAINER], deadline);
    return read === null ? "" : this.#shown(read);
  }

  async #try(command: readonly string[], deadline: Deadline): Promise<ExecOutcome | null> {
    try {
      return await this.#driver.exec(this.#id, { command }, deadline);
    } catch (error) {
      // A machine that is gone is news; anything else may pass.
      if (isErrorKind(error, "not-found")) throw error;
      return null;
    }
  }

  async #must(command: readonly string[], failed: string, code: ProviderErrorCode, deadline: Deadline): Promise<void> {
    const outcome = await this.#driver.exec(this.#id, { command }, deadline);
    if (outcome.exitCode === 0) return;
    if (outcome.ended === "abort") throw new ProviderError("ABORTED", `${failed}: aborted by the caller`);
    const how = outcome.ended === "exit" ? `status ${outcome.exitCode}` : "timed out";
    throw new ProviderError(code, `${failed} (${how})${this.#shown(outcome)}`);
  }

  #shown({ stdout, stderr }: ExecOutcome): string {
    if (this.#surface === null) return "";
    const text = this.#surface(`${stdout}${stderr}`).trim();
    return text === "" ? "" : `; its output ends:\n${text}`;
  }
}
