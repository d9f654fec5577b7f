import { basename, relative, resolve } from "node:path";
import { findRelease, NEWEST } from "../../../catalog/releases/index.ts";
import type { Release } from "../../../catalog/releases/release.ts";
import { findPlaceholder } from "../../../config/placeholder.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { chooseRelease } from "../../../deployment/release/choose.ts";
import * as choices from "../../../scaffold/answers.ts";
import { ScaffoldError } from "../../../scaffold/scaffold-file.ts";
import { readPackageFiles } from "../../../workspace/package-files.ts";
import { CONFIG_NAME, withSlashes } from "../../../workspace/paths.ts";
import { type Invocation, textOption } from "../../command-definition.ts";
import type { Ask } from "./prompts.ts";

/** The value of an option, read; undefined where it was not given. */
function given<T>(
  invocation: Invocation,
  name: string,
  read: (text: string) => choices.AnswerReading<T>,
): T | undefined {
  const text = textOption(invocation, name);
  if (text === undefined) return undefined;
  const choice = read(text.trim());
  if ("value" in choice) return choice.value;
  throw new ScaffoldError(`--${name} ${choice.reason}`, choice.help);
}

/** The release that package.json (or a parent's) pins; null where none does. */
function pinnedRelease(directory: string, cwd: string): Release | null {
  const flags = { release: null, target: null };
  const packageFiles = readPackageFiles(directory, cwd);
  const { release, source } = chooseRelease({ config: { file: CONFIG_NAME, text: "" }, flags, packageFiles });
  return source === "default" ? null : release;
}

function givenToolkit(invocation: Invocation, directory: string): choices.Toolkit | null {
  const toolkit = given(invocation, "toolkit", choices.readToolkit);
  // npm takes paths in package.json from there, and people type them from where they are.
  const typed = toolkit === undefined ? null : choices.relativeSpecPath(toolkit.spec);
  if (toolkit === undefined || typed === null) return toolkit ?? null;
  const path = withSlashes(relative(directory, resolve(invocation.io.cwd, typed)));
  return { name: toolkit.name, spec: `file:${path === "" ? "." : path}` };
}

function defaultOrg(directory: string): string {
  const made = choices.slug(basename(directory));
  return made === null || findPlaceholder(made) !== null ? "acme" : made;
}

/** Decides everything that a new deployment is made from: options first, then answers at the terminal, then defaults. */
export async function readAnswers(invocation: Invocation, directory: string, ask: Ask): Promise<choices.Answers> {
  const toolkit = givenToolkit(invocation, directory);
  const pinned = pinnedRelease(directory, invocation.io.cwd);
  const asked = {
    org: given(invocation, "org", choices.readOrg),
    target: given(invocation, "target", choices.readTarget),
    release: given(invocation, "release", choices.readReleaseName),
    modelProvider: given(invocation, "model-provider", choices.readModelProvider),
    emailTransport: given(invocation, "email-transport", choices.readEmailTransport),
    awsAccount: given(invocation, "aws-account", choices.readAwsAccount),
  };
  const org = asked.org ?? (await ask.org(defaultOrg(directory)));
  const target = asked.target ?? (await ask.target("docker"));
  const release = asked.release ?? (await ask.release(pinned ?? (findRelease(NEWEST) as Release)));
  const backend =
    given(invocation, "backend", (text) => choices.readBackend(text, target, release)) ??
    (await ask.backend(target, release));
  const url = given(invocation, "public-url", (text) => choices.readPublicUrl(text, target));
  const modelProvider = asked.modelProvider ?? (await ask.modelProvider("anthropic"));
  const emailTransport = asked.emailTransport ?? (await ask.emailTransport(target));
  const base = {
    org,
    target,
    release,
    backend,
    modelProvider,
    emailTransport,
    toolkit,
    publicUrl: url ?? null,
    awsAccount: asked.awsAccount ?? null,
  };
  const publicUrl = url ?? (await ask.publicUrl(base));
  const awsAccount = asked.awsAccount ?? (target === "aws" ? await ask.awsAccount() : null);
  return { ...base, publicUrl, awsAccount };
}

/** What only package.json needs, where a config is there and decides everything else. */
export function answersForKeptConfig(invocation: Invocation, directory: string): choices.PackageAnswers {
  const release =
    given(invocation, "release", choices.readReleaseName) ??
    pinnedRelease(directory, invocation.io.cwd) ??
    (findRelease(NEWEST) as Release);
  return { org: defaultOrg(directory), release, toolkit: givenToolkit(invocation, directory) };
}

/** Options that say something else than the files that are kept, for people. */
export function unusedOptions(
  invocation: Invocation,
  { config, target, sandbox, publicOrigin, release }: Deployment,
): readonly string[] {
  const kept: readonly (readonly [option: string, value: string | null | undefined])[] = [
    ["org", config.orgId],
    ["target", target],
    ["backend", sandbox.effective?.name],
    ["model-provider", config.modelProvider],
    ["email-transport", config.env?.auth?.["AUTH_EMAIL_TRANSPORT"]],
    ["public-url", publicOrigin],
    ["aws-account", config.aws?.accountId],
  ];
  const notes = kept.flatMap(([option, value]) => {
    const text = textOption(invocation, option);
    const differs = text !== undefined && text.trim().replace(/\/$/, "") !== value;
    return differs ? [`--${option} is not what the kept qm.config.jsonc says, which counts`] : [];
  });
  const asked = given(invocation, "release", choices.readReleaseName);
  if (asked !== undefined && asked.version !== release.resolved)
    notes.push("--release is not what package.json pins, which counts");
  return notes;
}
