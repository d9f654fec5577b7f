import { basename, isAbsolute, relative, resolve } from "node:path";
import { findPlaceholder } from "../../../config/placeholder.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { chooseRelease } from "../../../deployment/release/choose.ts";
import * as scaffold from "../../../scaffold/answers.ts";
import { ScaffoldError } from "../../../scaffold/scaffold-file.ts";
import { readPackageFiles } from "../../../workspace/package-files.ts";
import { CONFIG_NAME, isInside, repositoryRoot, withSlashes } from "../../../workspace/paths.ts";
import { type Invocation, textOption } from "../../command-definition.ts";
import { type Ask, type Question, QUESTIONS } from "./questions.ts";

function given<T>(
  invocation: Invocation,
  name: string,
  read: (text: string) => scaffold.AnswerReading<T>,
): T | undefined {
  const text = textOption(invocation, name);
  if (text === undefined) return undefined;
  const reading = read(text.trim());
  if ("value" in reading) return reading.value;
  throw new ScaffoldError(`--${name} ${reading.reason}`, reading.help);
}

function givenToolkit(invocation: Invocation, directory: string): scaffold.Toolkit | null {
  const toolkit = given(invocation, "toolkit", scaffold.readToolkit);
  // npm takes paths in package.json from there, and people type them from where they are.
  const typed = toolkit === undefined ? null : scaffold.localSpecPath(toolkit.spec);
  if (toolkit === undefined || typed === null) return toolkit ?? null;
  const place = resolve(invocation.io.cwd, typed);
  if (isAbsolute(typed) && !isShared(place, directory)) return toolkit;
  const path = withSlashes(relative(directory, place));
  return { name: toolkit.name, spec: `file:${path === "" ? "." : path}` };
}

/** True for what lies in the repository of a deployment, so that everybody who has the one has the other. */
function isShared(place: string, directory: string): boolean {
  const root = repositoryRoot(directory) ?? directory;
  return isInside(place, root);
}

/** Says of a toolkit that package.json names outside of the repository that nobody else can install it. */
export function toolkitNotes({ toolkit }: scaffold.PackageAnswers, directory: string): readonly string[] {
  const path = toolkit === null ? null : scaffold.localSpecPath(toolkit.spec);
  if (path === null || isShared(resolve(directory, path), directory)) return [];
  return [
    "--toolkit is outside of the repository, where CI and other people do not have it: copy it in, commit it, and let package.json name it by its path there (`file:./…`)",
  ];
}

function defaultOrg(directory: string): string {
  const made = scaffold.slug(basename(directory));
  return made === null || findPlaceholder(made) !== null ? "acme" : made;
}

function readyAnswers(invocation: Invocation, directory: string): scaffold.PackageAnswers {
  const toolkit = givenToolkit(invocation, directory);
  const flags = { release: null, target: null };
  const { files: packageFiles } = readPackageFiles(directory, invocation.io.cwd);
  const { release } = chooseRelease({ config: { file: CONFIG_NAME, text: "" }, flags, packageFiles });
  const action = given(invocation, "action", scaffold.readAction) ?? null;
  return { org: defaultOrg(directory), release, toolkit, action };
}

/**
 * Reads the options that need no answer before them.
 *
 * @throws {ScaffoldError} where one cannot be read
 */
function refuseUnreadable(invocation: Invocation, ready: scaffold.PackageAnswers): void {
  for (const { option, read, restsOnAbove } of QUESTIONS)
    if (restsOnAbove !== true) given<unknown>(invocation, option, (text) => read(text, ready as scaffold.Answers));
}

/** Decides everything that a new deployment is made from: options first, then answers at the terminal, then defaults. */
export async function readAnswers(invocation: Invocation, directory: string, ask: Ask): Promise<scaffold.Answers> {
  // Each answer is added in its turn; a question looks at none that comes after it.
  let decided = readyAnswers(invocation, directory) as scaffold.Answers;
  const optionOf = ({ option, read }: Question): unknown =>
    given<unknown>(invocation, option, (text) => read(text, decided));
  // Nobody shall answer questions for an option that is refused in the end.
  refuseUnreadable(invocation, decided);
  for (const question of QUESTIONS) {
    let answer = optionOf(question) ?? null;
    if (answer === null && (question.name !== "awsAccount" || decided.target === "aws")) {
      const reading = question.read(await ask(question, decided), decided);
      answer = "value" in reading ? reading.value : null;
    }
    decided = { ...decided, [question.name]: answer };
  }
  return decided;
}

/** What only package.json needs, where a config is there and decides everything else. */
export function answersForKeptConfig(invocation: Invocation, directory: string): scaffold.PackageAnswers {
  const release = given(invocation, "release", scaffold.readReleaseName);
  const ready = readyAnswers(invocation, directory);
  refuseUnreadable(invocation, ready);
  return { ...ready, release: release ?? ready.release };
}

/** Options that say something else than the files that are kept, for people. */
export function unusedOptions(invocation: Invocation, deployment: Deployment): readonly string[] {
  const notes = QUESTIONS.flatMap(({ name, option, kept }) => {
    const text = textOption(invocation, option);
    const differs = text !== undefined && text.trim().replace(/\/$/, "") !== kept(deployment);
    return differs && name !== "release" ? [`--${option} is not what the kept qm.config.jsonc says, which counts`] : [];
  });
  const release = given(invocation, "release", scaffold.readReleaseName)?.version;
  if (release !== undefined && release !== deployment.release.resolved)
    notes.push("--release is not what package.json pins, which counts");
  return notes;
}
