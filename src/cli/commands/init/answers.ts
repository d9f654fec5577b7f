import { basename, relative, resolve } from "node:path";
import { findBackend } from "../../../catalog/backends/index.ts";
import { findRelease, NEWEST } from "../../../catalog/releases/index.ts";
import type { Release } from "../../../catalog/releases/release.ts";
import { findPlaceholder } from "../../../config/placeholder.ts";
import type { Deployment } from "../../../deployment/deployment.ts";
import { deploymentWith } from "../../../scaffold/planned-deployment.ts";
import type { Answers } from "../../../scaffold/answers.ts";
import * as choices from "../../../scaffold/read-answers.ts";
import { readToolkit, relativeSpecPath, type Toolkit } from "../../../scaffold/toolkit-spec.ts";
import { type Invocation, textOption } from "../../command-definition.ts";
import type { Ask } from "./prompts.ts";

/** A command line that cannot be followed; `help` says what to do. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
  readonly help: string;

  constructor(message: string, help: string) {
    super(message);
    this.help = help;
  }
}

/** The value of an option, read; undefined where it was not given. */
function given<T>(invocation: Invocation, name: string, read: (text: string) => choices.Choice<T>): T | undefined {
  const text = textOption(invocation, name);
  if (text === undefined) return undefined;
  const choice = read(text.trim());
  if ("value" in choice) return choice.value;
  throw new BadAnswer(`--${name} ${choice.reason}`, choice.help);
}

/** The release that package.json (or a parent's) pins; null where none does. */
function pinnedRelease(directory: string, cwd: string): Release | null {
  const { release } = deploymentWith(directory, [], cwd);
  return release.source === "default" ? null : release.release;
}

function givenToolkit(invocation: Invocation, directory: string): Toolkit | null {
  const text = textOption(invocation, "toolkit");
  if (text === undefined) return null;
  const reading = readToolkit(text);
  if ("reason" in reading)
    throw new BadAnswer(
      `--toolkit ${reading.reason}`,
      "give a name and a version (qm-deploy@0.1.0), a tarball, a directory or an address",
    );
  const { name, spec } = reading.toolkit;
  // npm takes paths in package.json from there, and people type them from where they are.
  const place = relativeSpecPath(spec);
  if (place === null) return reading.toolkit;
  const path = relative(directory, resolve(invocation.io.cwd, place)).replaceAll("\\", "/");
  return { name, spec: `file:${path === "" ? "." : path}` };
}

function defaultOrg(directory: string): string {
  const made = choices.slug(basename(directory));
  return made === null || findPlaceholder(made) !== null ? "acme" : made;
}

/** Decides everything that a new deployment is made from: options first, then answers at the terminal, then defaults. */
export async function readAnswers(invocation: Invocation, directory: string, ask: Ask): Promise<Answers> {
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
export function answersForKeptConfig(invocation: Invocation, directory: string, kept: Deployment): Answers {
  const release =
    given(invocation, "release", choices.readReleaseName) ??
    pinnedRelease(directory, invocation.io.cwd) ??
    (findRelease(NEWEST) as Release);
  return {
    org:
      kept.config.orgId !== undefined && "value" in choices.readOrg(kept.config.orgId)
        ? kept.config.orgId
        : defaultOrg(directory),
    target: kept.target ?? "docker",
    release,
    backend: kept.sandbox.selected[0] ?? (findBackend("boxd") as Answers["backend"]),
    modelProvider: "anthropic",
    emailTransport: null,
    publicUrl: null,
    awsAccount: null,
    toolkit: givenToolkit(invocation, directory),
  };
}

/** Options that say something else than the files that are kept, for people. */
export function unusedOptions(invocation: Invocation, kept: Deployment, answers: Answers): readonly string[] {
  const says: readonly (readonly [option: string, kept: string | null | undefined])[] = [
    ["org", kept.config.orgId],
    ["target", kept.target],
    ["backend", kept.sandbox.effective?.name],
    ["model-provider", kept.config.modelProvider],
    ["email-transport", kept.config.env?.auth?.["AUTH_EMAIL_TRANSPORT"]],
    ["public-url", kept.publicOrigin],
    ["aws-account", kept.config.aws?.accountId],
  ];
  const differing = says.filter(([option, value]) => {
    const text = textOption(invocation, option);
    return text !== undefined && text.trim().replace(/\/$/, "") !== value;
  });
  const notes = differing.map(([option]) => `--${option} is not what the kept qm.config.jsonc says, which counts`);
  return answers.release.version === kept.release.resolved || textOption(invocation, "release") === undefined
    ? notes
    : [...notes, "--release is not what package.json pins, which counts"];
}
