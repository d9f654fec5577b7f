import { exactly, lines, shown } from "../../../base/shown.ts";
import { BoxdProvider } from "../../../boxd/openenv/boxd-provider.ts";
import { ProviderError } from "../../../boxd/openenv/container-provider.ts";
import type { Invocation } from "../../command-definition.ts";
import { LOST } from "../../direct-output.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { interruptible } from "../../interrupt.ts";
import { printError, printJson } from "../../output.ts";
import type { ProcessIo } from "../../process-io.ts";
import { type Fault, readRequest, type Request, type RequestKind } from "./request.ts";

/** `qm-deploy openenv start`. Ended in the middle, it deletes what it has made. */
export async function start({ io }: Invocation): Promise<number> {
  return serve(io, "start", async ({ options }, signal) => {
    const provider = new BoxdProvider(options);
    await provider.startContainer(undefined, { signal });
    const { machineId: id, machineName: name, baseUrl, expiresAt } = provider;
    const handle = await provider.detach();
    const answer = { handle, baseUrl, machine: { name, id }, expiresAt: expiresAt?.toISOString() ?? null };
    // Nobody but the reader of the answer can stop the container; without one it goes again.
    return printAnswer(io, answer, () => BoxdProvider.attach(options, { handle }).close());
  });
}

/** `qm-deploy openenv wait`. */
export async function wait({ io }: Invocation): Promise<number> {
  return serve(io, "wait", async ({ options, own }, signal) => {
    const provider = BoxdProvider.attach(options, { handle: own.handle as string });
    try {
      const timeoutMs = own.timeoutMs === undefined ? {} : { timeoutMs: own.timeoutMs };
      await provider.waitForReady(provider.baseUrl, { ...timeoutMs, signal });
    } finally {
      await provider.detach();
    }
    return printAnswer(io, {});
  });
}

/** `qm-deploy openenv stop`. */
export async function stop({ io }: Invocation): Promise<number> {
  return serve(io, "stop", async ({ options: { name, ...options }, own }) => {
    const started = own.handle === undefined ? { name: name as string } : { handle: own.handle };
    await BoxdProvider.attach(options, started).close();
    return printAnswer(io, {});
  });
}

/** One request, from stdin to the exit status. Whatever becomes of it, one object is printed. */
async function serve(
  io: ProcessIo,
  kind: RequestKind,
  work: (request: Request, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  io.outliveOutput?.();
  const request = await readRequest(io, kind);
  if ("code" in request) {
    printProblem(io, request.code, request.problem, request.faults);
    return USAGE;
  }
  return interruptible(io, async (signal) => {
    try {
      return await work(request, signal);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      printProblem(io, error.code, error.message, []);
      if (signal.aborted) throw error;
      return PROBLEMS;
    }
  });
}

/**
 * What was asked for to the letter: the handle and the address are secrets that this command is there to hand out. Answers the exit status; what
 * could not be written is undone.
 */
async function printAnswer(io: ProcessIo, answer: object, undo?: () => Promise<void>): Promise<number> {
  const exact = Object.fromEntries(Object.entries(answer).map(([field, value]) => [field, exactly(value)]));
  if (printJson(io, { ok: true, ...exact, ...NO_PROBLEM }) !== LOST) return PASSED;
  await undo?.();
  return PROBLEMS;
}

const NO_PROBLEM = { code: null, problem: null, faults: [] };

function printProblem(io: ProcessIo, code: string, problem: string, faults: readonly Fault[]): void {
  // Output of the container or its build has lines.
  const [first = "", ...more] = problem.split(/\r?\n/);
  printError(io, first);
  io.stderr.write(lines(more.map((line) => shown`  ${line}`)));
  for (const { path, line, column, message } of faults) {
    const isNamed = path === "" || message.includes(`\`${path}\``);
    io.stderr.write(shown`  <stdin>:${line}:${column} ${isNamed ? "" : shown`\`${path}\`: `}${message}\n`);
  }
  printJson(io, { ok: false, code, problem, faults });
}
