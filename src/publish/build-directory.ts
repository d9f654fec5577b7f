import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOptionalTextFile } from "../workspace/read-file.ts";
import { writeFileAtomically } from "../workspace/write-file.ts";

/** Runs work with a directory of its own, readable by this user alone and gone afterwards. */
export async function withBuildDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "qm-deploy-sandbox-")));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const IGNORE_NAME = "Dockerfile.dockerignore";

/**
 * Writes a Dockerfile into a directory outside of its context; gives back its path. What BuildKit looks for beside it,
 * the ignore file of its own that is used before `.dockerignore`, comes along.
 */
export function writeDockerfile(directory: string, dockerfile: string, context: string): string {
  const path = join(directory, "Dockerfile");
  writeFileAtomically(path, dockerfile, { root: directory });
  const ignore = readOptionalTextFile(join(context, IGNORE_NAME), IGNORE_NAME)?.file;
  if (ignore !== undefined) writeFileAtomically(join(directory, IGNORE_NAME), ignore.text, { root: directory });
  return path;
}
