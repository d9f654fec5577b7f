import { randomInt } from "node:crypto";
import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ours, type Piece, plainText, shown } from "../../../base/shown.ts";
import { shellWord } from "../../../base/shell-word.ts";
import type { PackageAnswers } from "../../../scaffold/answers.ts";
import { applyScaffold } from "../../../scaffold/apply.ts";
import { configText } from "../../../scaffold/config-text.ts";
import { readGitState } from "../../../scaffold/git-state.ts";
import { planScaffold, type ScaffoldPlan } from "../../../scaffold/plan.ts";
import { resourceNames } from "../../../scaffold/resource-names.ts";
import { ScaffoldError } from "../../../scaffold/scaffold-file.ts";
import { CONFIG_NAME, displayName } from "../../../workspace/paths.ts";
import { readOptionalTextFile } from "../../../workspace/read-file.ts";
import { paletteFor, printError } from "../../output.ts";
import { INTERRUPTED, PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { Interrupted, interruptible } from "../../interrupt.ts";
import type { ProcessIo } from "../../process-io.ts";
import { printDiagnostics, reportInputProblem, reportWriteErrors } from "../../reporting.ts";
import { hasOption, type Invocation } from "../../command-definition.ts";
import { answersForKeptConfig, readAnswers, toolkitNotes, unusedOptions } from "./answers.ts";
import { type Ask, askAtTerminal, askNobody } from "./questions.ts";
import { diffsText, filesText, openValuesText, planTree, stepsText } from "./report.ts";

/** `qm-deploy init`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const directory = resolve(io.cwd, invocation.args[0] ?? ".");
  // As an unset variable leaves it: whoever wrote that did not mean the working directory.
  if (invocation.args[0] === "")
    return fail(io, "the name of the directory is empty", "name one, or leave it out for the working directory", USAGE);
  const obstacle = obstacleAt(directory);
  if (obstacle !== null)
    return fail(
      io,
      shown`${plainText(displayName(obstacle, io.cwd))} is no directory`,
      "name one, or a path where none is yet",
      USAGE,
    );
  const git = await interruptible(io, (signal) => readGitState(directory, signal));
  if (git.tracksEnv) {
    const help = "take it out with `git rm --cached .env`, replace every secret that was committed, and run init again";
    return fail(io, "git tracks `.env`, so that every commit carries the secrets in it", help, PROBLEMS);
  }
  if (git.problem !== null)
    io.stderr.write(
      shown`warning: whether git tracks \`.env\` is not known: ${git.problem.message}; ${git.problem.help}\n`,
    );
  try {
    const asked = await answersFor(invocation, directory);
    if ("status" in asked) return asked.status;
    return await reportWriteErrors(io, () => scaffold(invocation, directory, asked));
  } catch (error) {
    if (error instanceof ScaffoldError) return fail(io, error.message, error.help, USAGE);
    if (error instanceof Interrupted)
      return fail(io, "cancelled; nothing was written", null, INTERRUPTED[error.signal]);
    throw error;
  }
}

/** What stands at the path, or at the nearest one above it that exists, and is no directory; null: nothing does. */
function obstacleAt(path: string): string | null {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
    // A link that leads nowhere is there, and no directory can be made in its place.
    if (stats?.isSymbolicLink()) return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? null : path;
  } catch {
    // Below a file, or where nobody may look: writing says the latter.
    stats = undefined;
  }
  if (stats !== undefined) return stats.isDirectory() ? null : path;
  return dirname(path) === path ? null : obstacleAt(dirname(path));
}

function fail(io: ProcessIo, message: Piece, help: Piece | null, status: number): number {
  printError(io, message, help);
  return status;
}

/** What to make a deployment from. A config that is there already stays as it is and decides everything else. */
type Asked = { readonly answers: PackageAnswers; readonly config: string; readonly isNew: boolean };

async function answersFor(invocation: Invocation, directory: string): Promise<Asked | { readonly status: number }> {
  const { io } = invocation;
  const path = join(directory, CONFIG_NAME);
  const kept = readOptionalTextFile(path, displayName(path, io.cwd));
  if (kept === null) {
    const answers = await readAnswers(invocation, directory, whomToAsk(invocation));
    return { answers, config: configText(answers, resourceNames(answers.org, randomText)), isNew: true };
  }
  if (kept.problem === undefined)
    return { answers: answersForKeptConfig(invocation, directory), config: kept.file.text, isNew: false };
  await reportInputProblem(io, kept.problem);
  return { status: USAGE };
}

/** In CI, and wherever nobody sits at a terminal, nothing may wait for an answer. */
function whomToAsk(invocation: Invocation): Ask {
  const { stdin, stdout, env } = invocation.io;
  const isCi = !["", "false", "0"].includes(env["CI"] ?? "");
  const isAlone = stdin.isTTY !== true || stdout.isTTY !== true || isCi || hasOption(invocation, "yes");
  return isAlone ? askNobody : askAtTerminal(invocation.io);
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

function randomText(length: number): string {
  return Array.from({ length }, () => LETTERS.charAt(randomInt(LETTERS.length))).join("");
}

async function scaffold(invocation: Invocation, directory: string, { answers, config, isNew }: Asked): Promise<number> {
  const { io } = invocation;
  const plan = planScaffold(answers, config, directory, io.cwd);
  const { release, target } = plan.deployment;
  if (isNew && release.resolved !== answers.release.version) {
    // The new config would be read by another release than it was made for.
    const pins = plan.files.find((file) => file.path === "package.json" && file.action === "kept");
    const why = pins?.notes.map((note) => `${note}; `).join("") ?? "";
    const message = `with the package.json that is there, qm ${release.resolved} reads the deployment, not ${answers.release.version}`;
    const help = `${why}fix it or its pin of @yc-software/qm, or leave --release out; then run init again`;
    return fail(io, message, help, USAGE);
  }
  const isDry = hasOption(invocation, "dry-run");
  // Where a config is there that says no target, nothing else can be decided.
  if (!isDry && target !== null) await applyScaffold(plan, directory);
  const palette = await paletteFor(io, io.stdout);
  const place = displayName(directory, io.cwd);
  io.stdout.write(isDry ? shown`${diffsText(plan, place)}${plainText(place)}/\n${planTree(plan)}` : filesText(plan));
  const notes = isNew ? [] : unusedOptions(invocation, plan.deployment);
  for (const note of [...notes, ...installNotes(plan), ...toolkitNotes(answers, directory)])
    io.stderr.write(shown`info: ${note}\n`);
  await printDiagnostics(io, plan.deployment, plan.errors);
  if (plan.errors.length > 0) {
    const config = displayName(join(directory, CONFIG_NAME), io.cwd);
    return fail(io, "nothing was rendered", shown`fix ${plainText(config)} and run init again`, PROBLEMS);
  }
  // A directory may be named like an option.
  const enter = place === "." ? null : `cd ${shellWord(place.startsWith("-") ? `./${place}` : place)}`;
  io.stdout.write(openValuesText(plan, palette));
  io.stdout.write(isDry ? ours("\nNothing was written.\n") : stepsText(plan, enter, palette));
  return PASSED;
}

function installNotes({ isInstalled, workflow }: ScaffoldPlan): readonly string[] {
  if (isInstalled) return [];
  const asks = workflow?.needsInstalled === true ? `; ${workflow.file.path} runs what that installs` : "";
  return [
    `package.json does not depend on qm-deploy: have it on PATH, or run init again with --toolkit <npm spec>${asks}`,
  ];
}
