import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { GitError, runGit } from "../workspace/git.ts";

/** What git says of a directory; nothing where there is no git, or no repository. */
export interface GitState {
  /** True when `.env` in it is tracked, so that every commit would carry the secrets. */
  readonly tracksEnv: boolean;
  /** The way from the root of the repository to it (`deployments/acme/`); empty at the root. */
  readonly prefix: string;
}

/**
 * Asks git about a directory that may not exist yet.
 *
 * @throws the signal's reason once that is aborted
 */
export async function readGitState(directory: string, signal: AbortSignal): Promise<GitState> {
  const start = nearest(directory);
  const ask = async (args: readonly string[]): Promise<string> =>
    (await runGit({ directory: start, signal }, args)).toString("utf8").trim();
  try {
    const prefix = await ask(["rev-parse", "--show-prefix"]);
    const below = relative(start, directory)
      .split(sep)
      .filter((name) => name !== "")
      .map((name) => `${name}/`);
    // A tracked file whose directory was deleted is still tracked.
    return {
      tracksEnv: (await ask(["ls-files", "--", join(...below, ".env")])) !== "",
      prefix: prefix + below.join(""),
    };
  } catch (error) {
    if (error instanceof GitError) return { tracksEnv: false, prefix: "" };
    throw error;
  }
}

function nearest(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : nearest(dirname(directory));
}
