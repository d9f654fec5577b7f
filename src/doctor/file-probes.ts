import { join } from "node:path";
import { shellWord } from "../base/shell-word.ts";
import { counted } from "../base/phrase.ts";
import { MANIFEST } from "../deployment/rendered-names.ts";
import { readManifest } from "../render/manifest.ts";
import { concernOf } from "../rules/blocking.ts";
import { runRules } from "../rules/run-rules.ts";
import { askGit, GitError, type Repository } from "../workspace/git.ts";
import { leftoversIn } from "../workspace/lock.ts";
import { readTextFile } from "../workspace/read-file.ts";
import { failed, ok, skipped, type Probe, type ProbeContext, type ProbeOutcome } from "./probe.ts";

/** The deployment's own files, and what git does with them. */
export const FILE_PROBES: readonly Probe[] = [
  { id: "check", title: "check", run: probeCheck },
  { id: "release-pin", title: "release pin", run: async (context) => probePin(context) },
  { id: "env-file-mode", title: ".env mode", run: async (context) => probeMode(context) },
  { id: "leftovers", title: "leftovers", run: async (context) => probeLeftovers(context) },
  { id: "env-file-tracked", title: ".env and git", run: probeTracked },
  { id: "rendered-ignored", title: "rendered files and git", run: probeRendered },
];

/** Secrets that are still to be filled in are no fault before anything runs. */
async function probeCheck({ deployment, stage }: ProbeContext): Promise<ProbeOutcome> {
  const errors = runRules(deployment).filter(
    ({ severity, suppression }) => severity === "error" && suppression === undefined,
  );
  const open = errors.filter((diagnostic) => concernOf(diagnostic, deployment) === "secret-values").length;
  const help = "`qm-deploy check` shows each with its place and what to do";
  if (errors.length === 0) return ok("no errors");
  if (errors.length > open || (await stage) === "after") return failed(counted(errors.length, "error"), help);
  return skipped(
    `${counted(open, "error")} of secret values, to be filled in before the first deployment: \`qm-deploy secrets check\``,
  );
}

function probePin({ deployment }: ProbeContext): ProbeOutcome {
  const { pinned, resolved, source } = deployment.release;
  if (pinned === null) return skipped(`package.json pins no release of qm, so ${resolved} is assumed`);
  if (pinned === resolved) return ok(`qm ${resolved} (${source})`);
  return failed(
    `${source} asks for qm ${pinned}, which is judged as ${resolved}`,
    `pin an exact version that this toolkit knows: "@yc-software/qm": "${resolved}"`,
  );
}

function probeMode({ deployment }: ProbeContext): ProbeOutcome {
  const file = deployment.inputs.envFile;
  if (file === null) return skipped("there is no env file");
  if (file.mode === null) return skipped("this platform has no permission bits");
  const mode = file.mode.toString(8).padStart(4, "0");
  return (file.mode & 0o077) === 0
    ? ok(mode)
    : failed(`${mode}: others on this computer can read it`, `chmod 600 ${file.file}`);
}

/** Whoever edits takes them away; until then they may hold the secrets that a killed run was writing. */
function probeLeftovers({ directory }: ProbeContext): ProbeOutcome {
  const left = leftoversIn(directory);
  if (left.length === 0) return ok("no half-written file, and no lock that nobody holds");
  // The random part would pass for a secret, and a shell finds the file without it.
  const named = left.map((name) => name.replace(/(?<![0-9a-f])[0-9a-f]+\.tmp$/, "*.tmp"));
  const help = `remove ${left.length === 1 ? "it" : "them"}: a half-written file may hold secrets`;
  return failed(`a run that was killed left ${named.join(", ")}`, help);
}

/** Why git says nothing of a directory; null where it does. */
async function withoutGit(repository: Repository): Promise<ProbeOutcome | null> {
  try {
    await askGit(repository, ["rev-parse", "--is-inside-work-tree"]);
    return null;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.failure === "other") return failed(`git could not be asked: ${error.message}`, error.help);
    return skipped(error.failure === "absent" ? error.message : "the directory is in no git repository");
  }
}

const IGNORED = ["ls-files", "--others", "--ignored", "--exclude-standard"];

/** What git ignores is in no commit, and `render --check` in CI calls it missing. */
async function probeRendered({ deployment, directory, signal }: ProbeContext): Promise<ProbeOutcome> {
  const place = `rendered/${deployment.target}`;
  const manifest = readTextFile(join(directory, place, MANIFEST), MANIFEST).file;
  if (manifest === undefined) return skipped("nothing was rendered yet");
  const without = await withoutGit({ directory, signal });
  if (without !== null) return without.status === "failed" ? skipped("git could not be asked") : without;
  const names = new Set(readManifest(manifest.text)?.artifacts.map(({ name }) => `${place}/${name}`));
  const ignored = await askGit({ directory, signal }, [...IGNORED, "-z", "--", place]);
  const [first, ...more] = ignored.split("\0").filter((name) => names.has(name));
  if (first === undefined) return ok("git takes what was rendered");
  const says = `git ignores ${1 + more.length} of ${names.size} rendered files, which are to be committed`;
  return failed(says, `\`git check-ignore -v ${shellWord(first)}\` names the line of .gitignore to take out`);
}

async function probeTracked({ deployment, directory, signal }: ProbeContext): Promise<ProbeOutcome> {
  const repository = { directory, signal };
  const without = await withoutGit(repository);
  if (without !== null) return without;
  const help = "git rm --cached .env, add it to .gitignore, and replace every secret in it";
  if ((await askGit(repository, ["ls-files", "--", ".env"])) !== "")
    return failed("git tracks .env, so its secrets are in the history", help);
  if (deployment.inputs.envFile === null) return ok("not tracked");
  if ((await askGit(repository, [...IGNORED, "--", ".env"])) !== "") return ok("ignored");
  const add = "add a line `.env` to .gitignore, so that `git add .` leaves it out";
  return failed(".env is not tracked, but nothing ignores it either", add);
}
