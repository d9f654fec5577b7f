import { randomInt } from "node:crypto";
import { existsSync, lstatSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { printable } from "../../../base/printable.ts";
import { shellWord } from "../../../base/shell-word.ts";
import type { Answers } from "../../../scaffold/answers.ts";
import { applyScaffold, ScaffoldFailed } from "../../../scaffold/apply.ts";
import { existingFiles } from "../../../scaffold/existing-files.ts";
import { readGitState } from "../../../scaffold/git-state.ts";
import { planScaffold, type ScaffoldPlan } from "../../../scaffold/plan.ts";
import { PathOccupied, type PlannedFile } from "../../../scaffold/scaffold-file.ts";
import { generateSecret } from "../../../workspace/generate-secret.ts";
import { loadDeployment } from "../../../workspace/load-deployment.ts";
import { CONFIG_NAME, displayName } from "../../../workspace/paths.ts";
import { paletteFor } from "../../colour.ts";
import { PASSED, PROBLEMS, USAGE } from "../../exit-status.ts";
import { interruptible } from "../../interrupt.ts";
import type { ProcessIo } from "../../process-io.ts";
import { reportInputProblem } from "../../deployment-argument.ts";
import { printDiagnostics } from "../../print-diagnostics.ts";
import { hasOption, type Invocation } from "../../command-definition.ts";
import { reportWriteErrors } from "../../write-errors.ts";
import { answersForKeptConfig, BadAnswer, readAnswers, unusedOptions } from "./answers.ts";
import { Cancelled, NOBODY, terminal } from "./prompts.ts";
import { diffsText, filesText, openValuesText, stepsText } from "./report.ts";
import { planTree } from "./tree.ts";

/** `qm-deploy init`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const directory = resolve(io.cwd, invocation.args[0] ?? ".");
  // As an unset variable leaves it: whoever wrote that did not mean the working directory.
  if (invocation.args[0] === "")
    return fail(io, "the name of the directory is empty", "name one, or leave it out for the working directory", USAGE);
  const obstacle = obstacleAt(directory);
  if (obstacle !== null)
    return fail(io, `${displayName(obstacle, io.cwd)} is no directory`, "name one, or a path where none is yet", USAGE);
  const git = await interruptible(io, (signal) => readGitState(directory, signal));
  if (git.tracksEnv) {
    return fail(
      io,
      "git tracks `.env`, so that every commit carries the secrets in it",
      "take it out with `git rm --cached .env`, replace every secret that was committed, and run init again",
      PROBLEMS,
    );
  }
  try {
    const asked = await answersFor(invocation, directory);
    if ("status" in asked) return asked.status;
    return await reportWriteErrors(io, () => scaffold(invocation, directory, asked, git.prefix));
  } catch (error) {
    if (error instanceof BadAnswer) return fail(io, error.message, error.help, USAGE);
    if (error instanceof PathOccupied)
      return fail(
        io,
        `\`${error.path}\` is in the way: ${error.message}`,
        "nothing was written; put a text file in its place, or move it away, and run init again",
        USAGE,
      );
    if (error instanceof ScaffoldFailed)
      return fail(
        io,
        `\`${error.path}\` could not be written: ${error.message}`,
        "what was written before it is whole; mend that and run init again",
        USAGE,
      );
    if (error instanceof Cancelled) return fail(io, "cancelled; nothing was written", null, PROBLEMS);
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

function fail(io: ProcessIo, message: string, help: string | null, status: number): number {
  io.stderr.write(`${printable(`error: ${message}`)}\n${help === null ? "" : `${printable(`  help: ${help}`)}\n`}`);
  return status;
}

interface Asked {
  readonly answers: Answers;
  readonly notes: readonly string[];
}

async function answersFor(invocation: Invocation, directory: string): Promise<Asked | { readonly status: number }> {
  const { io } = invocation;
  if (!existsSync(join(directory, CONFIG_NAME)))
    return { answers: await readAnswers(invocation, directory, await whomToAsk(invocation)), notes: [] };
  const { deployment, problem } = loadDeployment(directory, { cwd: io.cwd });
  if (problem !== undefined) {
    await reportInputProblem(io, problem, "pretty");
    return { status: USAGE };
  }
  const answers = answersForKeptConfig(invocation, directory, deployment);
  return { answers, notes: unusedOptions(invocation, deployment, answers) };
}

/** In CI, and wherever nobody sits at a terminal, nothing may wait for an answer. */
async function whomToAsk(invocation: Invocation): Promise<typeof NOBODY> {
  const { stdin, stdout, env } = invocation.io;
  const isCi = env["CI"] !== undefined && env["CI"] !== "" && env["CI"] !== "false" && env["CI"] !== "0";
  const isAlone = stdin.isTTY !== true || stdout.isTTY !== true || isCi || hasOption(invocation, "yes");
  return isAlone ? NOBODY : terminal();
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

function randomText(length: number): string {
  return Array.from({ length }, () => LETTERS.charAt(randomInt(LETTERS.length))).join("");
}

async function scaffold(
  invocation: Invocation,
  directory: string,
  { answers, notes }: Asked,
  prefix: string,
): Promise<number> {
  const { io } = invocation;
  const plan = planScaffold(answers, {
    directory,
    cwd: io.cwd,
    existing: existingFiles(directory),
    random: randomText,
    make: generateSecret,
  });
  const pinned = plan.deployment.release.resolved;
  if (
    pinned !== answers.release.version &&
    plan.files.some((file) => file.path === CONFIG_NAME && file.action === "created")
  ) {
    // The new config would be read by another release than it was made for.
    const { action, notes: reasons } = plan.files[0] as PlannedFile;
    const why = action === "kept" ? reasons.map((reason) => `${reason}; `).join("") : "";
    const help = `${why}mend it or its pin of @yc-software/qm, or leave --release out; then run init again`;
    return fail(
      io,
      `with the package.json that is there, qm ${pinned} reads the deployment, not ${answers.release.version}`,
      help,
      USAGE,
    );
  }
  const isDry = hasOption(invocation, "dry-run");
  // Where a config is there that says no target, nothing else can be decided.
  if (!isDry && plan.deployment.target !== null) await applyScaffold(plan, directory);
  const palette = await paletteFor(io, io.stdout);
  const shown = displayName(directory, io.cwd);
  io.stdout.write(isDry ? `${diffsText(plan, shown)}${printable(shown)}/\n${planTree(plan)}` : filesText(plan));
  for (const note of [...notes, ...placeNotes(plan, prefix)]) io.stderr.write(`note: ${printable(note)}\n`);
  await printDiagnostics(io, plan.deployment, plan.errors);
  if (plan.errors.length > 0)
    return fail(
      io,
      "nothing was rendered",
      `mend ${displayName(join(directory, CONFIG_NAME), io.cwd)} and run init again`,
      PROBLEMS,
    );
  io.stdout.write(openValuesText(plan.deployment, palette));
  io.stdout.write(
    isDry ? "\nNothing was written.\n" : stepsText(plan, shown === "." ? null : enterCommand(shown), palette),
  );
  return PASSED;
}

/** The command that goes to a directory, which may be named like an option. */
function enterCommand(shown: string): string {
  return `cd ${shellWord(shown.startsWith("-") ? `./${shown}` : shown)}`;
}

function placeNotes({ isInstalled }: ScaffoldPlan, prefix: string): readonly string[] {
  return [
    ...(!isInstalled
      ? [
          "package.json does not depend on qm-deploy: have it on PATH, or run init again with --toolkit <npm spec>; the workflow in .github asks for it",
        ]
      : []),
    ...(prefix === ""
      ? []
      : [
          `GitHub reads workflows at the root of the repository only: move .github there, and add \`defaults: { run: { working-directory: ${JSON.stringify(prefix)} } }\` to check.yml`,
        ]),
  ];
}
