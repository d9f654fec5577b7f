import { writeEnv } from "../../envfile/index.ts";
import type { EnvRefusal } from "../../envfile/write/quoting.ts";
import type { DevEnv } from "./dev-env.ts";

/** For a shell to source, or as an env file. The secret is named and never written. Throws nothing: a value that cannot be written is a refusal. */
export function devEnvText(
  found: DevEnv,
  format: "shell" | "dotenv",
): { readonly text: string } | { readonly refusals: readonly EnvRefusal[] } {
  const written = writeEnv(format === "shell" ? "shell" : "dotenv", found.env, {
    header: `qm core on ${found.backend}, for a contributor's own instance`,
  });
  if (!written.ok) return { refusals: written.refusals };
  return { text: `${written.text}${secretLines(found, format)}` };
}

function secretLines({ secret }: DevEnv, format: "shell" | "dotenv"): string {
  if (secret === null) return "";
  if (secret.source === ".env") return `# ${secret.name} stays in the worktree's .env\n`;
  // A shell that sources this may be another one than that which ran the command.
  if (format === "shell") return `: "\${${secret.name}:?is needed and not set in this shell}"\nexport ${secret.name}\n`;
  return `# ${secret.name} stays in the environment\n`;
}
