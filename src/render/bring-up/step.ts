import { shellWord } from "../../base/shell-word.ts";
import { nameOf } from "../../catalog/settings/index.ts";
import { apiOrigin } from "../../deployment/api-origin.ts";
import { DEFAULT_BIND, type RenderContext } from "../artifact.ts";

/** Commands for the deployment directory, in order, and what is to be said of them in Markdown. */
export interface Action {
  readonly commands?: readonly string[];
  readonly text?: string;
}

/** One step of a bring-up: what it does, the commands to paste, and what an operator wants to know before and after them. */
export interface Step extends Action {
  readonly title: string;
  /** What is different once the commands have run, as a sentence in Markdown; absent where nothing is. */
  readonly changes?: string;
  /** How to see that it worked. */
  readonly check?: Action;
  /** How to take it back. */
  readonly undo?: Action;
}

/** A bring-up: what it needs, and its steps in order. */
export interface BringUp {
  /** Where it leads, as a title says it. */
  readonly target: string;
  /** Markdown. */
  readonly lead: string;
  readonly steps: readonly (Step | readonly Step[])[];
}

/** Filling in `.env`, from nothing. `text` and `commands` are what a target adds. */
export function envFileStep(context: RenderContext, text = "", commands: readonly string[] = []): Step {
  return {
    title: "Fill in the secrets",
    text: `\`.env\` is read by qm-deploy alone; never commit it. Keep a copy of it in a safe place: what CONNECTOR_SECRET_KEY has encrypted in the database cannot be read without it. ${text}`.trim(),
    commands: [
      `test -e .env || install -m 600 ${shellWord(`${context.options.place}/.env.example`)} .env`,
      ...publicApiUrlCommands(context),
      ...commands,
      'sh -c "${EDITOR:-vi} .env"',
    ],
    changes: "`.env`, on this computer alone.",
    check: { commands: ["qm-deploy secrets check"], text: "passes; else it says what is still missing" },
  };
}

/** Agents call core where `apiUrl`, else `publicUrl` leads: what the config knows nobody has to type. */
function publicApiUrlCommands({ deployment, target }: RenderContext): readonly string[] {
  const name = nameOf(deployment.release.release, "core.publicApiUrl");
  const isAsked = deployment.secrets.some((secret) => secret.name === name && secret.required);
  const isRemote = target !== "docker" || deployment.sandbox.selected.some(({ remote }) => remote);
  if (!isAsked || !isRemote || apiOrigin(deployment) === null) return [];
  const field = deployment.config.apiUrl === undefined ? "publicUrl" : "apiUrl";
  return [unlessSet(name, `qm-deploy config get ${field}`)];
}

/** Gives a secret of `.env` what a command prints, unless it has a value. */
export function unlessSet(name: string, command: string): string {
  return `grep -q '^${name}=.' .env || ${command} | qm-deploy secrets set ${name}`;
}

/** The call that writes the files with secret values, with all that this render was asked for: else it would change the other files. */
export function renderSecretsCommand(context: RenderContext): string {
  return ["qm-deploy render --secrets", ...askedFor(context)].join(" ");
}

/** The call that writes the rendered files again as they were asked for. */
export function renderCommand(context: RenderContext): string {
  return ["qm-deploy render", ...askedFor(context)].join(" ");
}

function* askedFor({ deployment, target, options }: RenderContext): Generator<string> {
  const { release, config } = deployment;
  if (config.target !== target) yield `--target ${target}`;
  if (release.source === "flag") yield `--release ${shellWord(release.resolved)}`;
  if (options.place !== `rendered/${target}`) yield `--out ${shellWord(outer(options.place))}`;
  if (target === "docker" && options.bind !== DEFAULT_BIND) yield `--bind ${shellWord(options.bind)}`;
  if (target === "aws" && options.withOptional) yield "--with-optional";
}

/** The directory that `--out` names, of the place below it. */
function outer(place: string): string {
  const end = place.lastIndexOf("/");
  return end === -1 ? "." : place.slice(0, end);
}
