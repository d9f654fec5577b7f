import { shellWord } from "../../base/shell-word.ts";
import { DEFAULT_BIND, type RenderContext } from "../artifact.ts";

/** One step of a bring-up: what it does, and the commands to paste. */
export interface Step {
  readonly title: string;
  /** Markdown. */
  readonly text?: string;
  readonly commands?: readonly string[];
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
export function envFileStep({ options }: RenderContext, text = "", commands: readonly string[] = []): Step {
  return {
    title: "Fill in the secrets",
    text: `\`.env\` is read by qm-deploy alone; never commit it. The last command says what is still missing. ${text}`.trim(),
    commands: [
      `test -e .env || install -m 600 ${shellWord(`${options.place}/.env.example`)} .env`,
      'sh -c "${EDITOR:-vi} .env"',
      ...commands,
      "qm-deploy secrets check",
    ],
  };
}

/** The call that writes the files with secret values, with all that this render was asked for: else it would change the other files. */
export function renderSecretsCommand(context: RenderContext): string {
  return ["qm-deploy render --secrets", ...askedFor(context)].join(" ");
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
