import type { RenderContext } from "../context.ts";
import { shellWord } from "../shell-word.ts";
import type { Step } from "./page.ts";

/** Filling in `.env`, from nothing. */
export function envFileStep({ options }: RenderContext, more: { readonly says: string; readonly commands: readonly string[] } = { says: "", commands: [] }): Step {
  return {
    title: "Fill in the secrets",
    says: ["`.env` is read by qm-deploy alone; never commit it. The last command says what is still missing.", more.says].filter((part) => part !== "").join(" "),
    commands: [`test -e .env || install -m 600 ${shellWord(`${options.place}/.env.example`)} .env`, "${EDITOR:-vi} .env", ...more.commands, "qm-deploy secrets check"],
  };
}

/** The call that writes the files with secret values. */
export function renderSecretsCommand({ deployment, target, options }: RenderContext): string {
  const flag = deployment.config.target === target ? "" : ` --target ${target}`;
  const out = options.place === `rendered/${target}` ? "" : ` --out ${shellWord(options.place.replace(/\/[^/]*$/, ""))}`;
  return `qm-deploy render --secrets${flag}${out}`;
}
