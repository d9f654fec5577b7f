import { join, relative } from "node:path";
import { askGit, GitError } from "../workspace/git.ts";
import { nearestExisting } from "../workspace/read-file.ts";

/** What git says of a directory; nothing where there is no git, or no repository. */
export interface GitState {
  /** True when `.env` in it is tracked, so that every commit would carry the secrets. */
  readonly tracksEnv: boolean;
  /** Why git, which is there, could not be asked; else null. */
  readonly problem: { readonly message: string; readonly help: string } | null;
}

/**
 * Asks git about a directory that may not exist yet.
 *
 * @throws the signal's reason once that is aborted
 */
export async function readGitState(directory: string, signal: AbortSignal): Promise<GitState> {
  const start = nearestExisting(directory);
  const repository = { directory: start, signal };
  try {
    const below = relative(start, directory);
    // A tracked file whose directory was deleted is still tracked.
    const tracked = await askGit(repository, ["ls-files", "--", join(below, ".env")]);
    return { tracksEnv: tracked !== "", problem: null };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { tracksEnv: false, problem: error.failure === "other" ? error : null };
  }
}
