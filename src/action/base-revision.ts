import { ours, plainText, type Shown, shown } from "../base/shown.ts";
import { askGit, readObjects, type Repository } from "../workspace/git.ts";
import { readRegularFile } from "../workspace/read-file.ts";

/** Digits of a commit's id that people are shown. */
const SHORT = 12;

/** A commit to compare with, or why there is none in this checkout; `isFault`: a workflow asked for it by name. */
export type Base = { readonly revision: string } | { readonly missing: Shown; readonly isFault: boolean };

interface CommitReference {
  readonly sha?: unknown;
}

/** The part of GitHub's event payloads that names a commit before. */
interface EventPayload {
  readonly before?: unknown;
  readonly merge_group?: { readonly base_sha?: unknown };
  readonly pull_request?: { readonly base?: CommitReference; readonly head?: CommitReference };
}

/** GitHub sends no payload that is larger. */
const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

/** What the runner left of the event; empty where that is nothing that can be read, as in a run outside of GitHub. */
function eventPayload(path: string | undefined): EventPayload {
  if (path === undefined || path === "") return {};
  try {
    const read = readRegularFile(path, { limit: MAX_PAYLOAD_BYTES });
    const payload: unknown = "bytes" in read ? JSON.parse(read.bytes.toString("utf8")) : {};
    return typeof payload === "object" && payload !== null ? payload : {};
  } catch {
    return {};
  }
}

function commitId(value: unknown): string | null {
  // A branch that is new has zeros for what was before.
  return typeof value === "string" && /^(?!0+$)[0-9a-f]{40,64}$/.test(value) ? value : null;
}

/** The commit that a checked-out merge of a pull request was made on top of: the base branch may have moved since the event. */
async function mergedInto(repository: Repository, head: string | null): Promise<string | null> {
  const line = await askGit(repository, ["rev-list", "--parents", "--max-count=1", "HEAD"]);
  const [, onto = null, merged = null, ...others] = line.split(" ");
  return head !== null && merged === head && others.length === 0 ? onto : null;
}

async function isThere(repository: Repository, revision: string): Promise<boolean> {
  const [commit = null] = await readObjects(repository, [`${revision}^{commit}`]);
  return commit !== null;
}

/**
 * Finds the commit before what a workflow runs for: of a pull request its base, of a merge group likewise, of a push what was
 * there before. Null where the event has none.
 *
 * @throws {GitError}
 */
export async function baseOfEvent(repository: Repository, eventPath: string | undefined): Promise<Base | null> {
  const { pull_request: pull, merge_group: group, before } = eventPayload(eventPath);
  const named = commitId(pull?.base?.sha) ?? commitId(group?.base_sha) ?? commitId(before);
  if (named === null) return null;
  const revision = (await mergedInto(repository, commitId(pull?.head?.sha))) ?? named;
  if (await isThere(repository, revision)) return { revision };
  return {
    missing: shown`commit ${plainText(named.slice(0, SHORT))}, which is the base, is not in this checkout: give actions/checkout \`fetch-depth: 2\`, or 0 for pushes of several commits`,
    isFault: false,
  };
}

/**
 * The base that a workflow names by a revision.
 *
 * @throws {GitError}
 */
export async function namedBase(repository: Repository, revision: string): Promise<Base> {
  // No name of git's begins with a hyphen.
  if (!revision.startsWith("-") && (await isThere(repository, revision))) return { revision };
  return {
    missing: ours(
      `the input \`diff-base\` names no commit of this checkout: actions/checkout fetches one alone unless \`fetch-depth\` says otherwise`,
    ),
    isFault: true,
  };
}

/** Paths, from the root of the repository, of the files that differ between two commits. */
export async function changedFiles(repository: Repository, from: string, to: string): Promise<readonly string[]> {
  const output = await askGit(repository, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to]);
  return output.split("\0").filter((path) => path !== "");
}
