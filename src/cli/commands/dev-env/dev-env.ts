import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { exactly, ours, plainText, shown } from "../../../base/shown.ts";
import { readEnvFile } from "../../../envfile/index.ts";
import { DEV_BACKENDS, devEnv, type DevEnv, type FoundValue } from "../../../views/dev-env/dev-env.ts";
import { devEnvText } from "../../../views/dev-env/text.ts";
import { readOptionalTextFile } from "../../../workspace/read-file.ts";
import { PASSED, PROBLEMS } from "../../exit-status.ts";
import { printError, printJson, usageError } from "../../output.ts";
import { reportInputProblem } from "../../reporting.ts";
import { type Invocation, textOption, wantsJson } from "../../command-definition.ts";

/** `qm-deploy dev-env`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const format = textOption(invocation, "format") ?? "shell";
  const backend = DEV_BACKENDS.find(({ name }) => name === textOption(invocation, "sandbox"));
  if (backend === undefined)
    return usageError(io, `--sandbox is needed: one of ${DEV_BACKENDS.map(({ name }) => name).join(", ")}`);
  const directory = textOption(invocation, "worktree") ?? ".";
  const worktree = resolve(io.cwd, directory);
  if (!(statSync(worktree, { throwIfNoEntry: false })?.isDirectory() ?? false))
    return usageError(io, shown`--worktree: there is no directory "${plainText(directory)}"`);
  const file = readOptionalTextFile(join(worktree, ".env"), join(directory, ".env"));
  if (file?.problem !== undefined) return reportInputProblem(io, file.problem, wantsJson(invocation));
  const stored = file === null ? new Map<string, string>() : readEnvFile(file.file.text).values;
  return print(invocation, format, devEnv(backend, finder(io.env, stored)));
}

/** The environment wins, as it does for core. */
function finder(
  env: Invocation["io"]["env"],
  stored: ReadonlyMap<string, string>,
): (name: string) => FoundValue | null {
  return (name) => {
    const own = env[name]?.trim() ?? "";
    if (own !== "") return { value: own, source: "environment" };
    const kept = stored.get(name)?.trim() ?? "";
    return kept === "" ? null : { value: kept, source: ".env" };
  };
}

function print({ io }: Invocation, format: string, found: DevEnv): number {
  const written = devEnvText(found, format === "dotenv" ? "dotenv" : "shell");
  const refusals = "refusals" in written ? written.refusals : [];
  const problems = [...found.problems, ...refusals.map(({ reason }) => reason)];
  for (const warning of found.warnings) io.stderr.write(shown`warning: ${warning}\n`);
  for (const problem of problems) printError(io, problem);
  const ok = problems.length === 0;
  if (format === "json") {
    // No format shows what another refuses.
    const sound = found.env.filter(({ name }) => !refusals.some((refusal) => refusal.name === name));
    const env = Object.fromEntries(sound.map(({ name, value }) => [name, value]));
    const { backend, secret, warnings } = found;
    printJson(io, { ok, backend, env: exactly(env), secret, problems, warnings });
  } else if (ok && "text" in written) io.stdout.write(ours(written.text));
  return ok ? PASSED : PROBLEMS;
}
