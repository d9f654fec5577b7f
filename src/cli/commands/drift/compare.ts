import { resolve } from "node:path";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { inputProblem, MAX_TEXT_BYTES } from "../../../diagnostics/input-problem.ts";
import { AnswerError } from "../../../live/answer.ts";
import { AskError } from "../../../live/ask.ts";
import { type DriftFinding, findDrift } from "../../../live/findings.ts";
import { savedAnswers } from "../../../live/saved.ts";
import type { Refusal } from "../../../render/artifact.ts";
import { renderContext } from "../../../render/render.ts";
import { displayName, STDIN_NAME } from "../../../workspace/paths.ts";
import { textOf } from "../../../workspace/read-file.ts";
import { readNamedFile } from "../../../workspace/read-pipe.ts";
import { planRender, type RenderRequest } from "../../../workspace/render-plan.ts";
import { askerFor } from "../../asker.ts";
import { type Invocation, textOption } from "../../command-definition.ts";
import { loadFlags } from "../../deployment-argument.ts";
import { interruptible } from "../../interrupt.ts";
import { readStdin } from "../../process-io.ts";
import { drifts } from "../render/outcome.ts";

/** What runs, against what is rendered. */
export interface Compared {
  /** True where the rendered files on disk are what the config says. */
  readonly isRendered: boolean;
  readonly findings: readonly DriftFinding[];
  /** Why there is nothing to compare some workloads with. */
  readonly refusals: readonly Refusal[];
}

/** Asks the target, or reads the answers that `--from` names; a problem where there are none. */
export async function compareLive(
  invocation: Invocation,
  request: RenderRequest,
): Promise<Compared | { readonly problem: Diagnostic }> {
  const { io } = invocation;
  const { deployment, output } = request;
  const saved = await readSaved(invocation);
  if (saved !== null && "problem" in saved) return saved;
  const plan = planRender(request);
  const { rendered, options } = plan.rendering;
  const isRendered = !drifts(plan);
  // What has no target is not rendered, and so not compared.
  const context = renderContext(deployment, deployment.target ?? "docker", options);
  const rest = { context, rendered, directory: output.path };
  try {
    if (saved !== null) {
      const from = { saved: savedAnswers(saved.text, context.target) };
      return { isRendered, findings: await findDrift(rest, from, isRendered), refusals: plan.refusals };
    }
    const findings = await interruptible(io, async (interrupted) => {
      const over = new AbortController();
      const signal = AbortSignal.any([interrupted, over.signal]);
      try {
        return await findDrift(rest, { ask: askerFor(io, deployment, output.deployment, signal) }, isRendered);
      } finally {
        // Where one call failed, nobody waits for the others.
        over.abort();
      }
    });
    return { isRendered, findings, refusals: plan.refusals };
  } catch (error) {
    return { problem: liveProblem(error, saved?.file ?? null, deployment.inputs.config.file) };
  }
}

function liveProblem(error: unknown, saved: string | null, config: string): Diagnostic {
  const file = saved ?? config;
  if (error instanceof AskError) return inputProblem("unreadable", file, error.message, error.help);
  if (!(error instanceof AnswerError)) throw error;
  // Who saved the file may have left something out; nobody but the target's program writes the other answers.
  const help =
    saved === null
      ? "docs/contract/live.md of qm-deploy says what is read of a target's answers; a newer program may have changed them: please report it"
      : "docs/json.md says under `Saved answers of a target` what the file holds, and which commands print it";
  return inputProblem("unreadable", file, `nothing was compared: ${error.message}`, help);
}

async function readSaved(
  invocation: Invocation,
): Promise<{ readonly text: string; readonly file: string } | { readonly problem: Diagnostic } | null> {
  const from = textOption(invocation, "from");
  const { io } = invocation;
  if (from === undefined) return null;
  if (from === "-") {
    const read = textOf(await readStdin(io, MAX_TEXT_BYTES), STDIN_NAME);
    return "problem" in read ? read : { text: read.text, file: STDIN_NAME };
  }
  const { pipes = null } = loadFlags(invocation);
  const read = readNamedFile(resolve(io.cwd, from), displayName(from, io.cwd), pipes);
  return read.problem === undefined ? { text: read.file.text, file: read.file.file } : { problem: read.problem };
}
