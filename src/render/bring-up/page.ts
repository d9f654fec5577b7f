import { generatedLines } from "../artifact-text.ts";

/** One step of a bring-up: what it does, and the commands to paste. */
export interface Step {
  readonly title: string;
  /** Markdown; may be empty. */
  readonly says: string;
  readonly commands: readonly string[];
}

/** What comes first: qm-deploy is usually a devDependency of the deployment directory, and then no shell finds it by itself. */
const PATH_STEP: Step = {
  title: "Put qm-deploy on this shell's PATH",
  says: "Where the deployment's package.json brings it. The last command fails where it is not installed: `npm install` first.",
  commands: ['export PATH="$PWD/node_modules/.bin:$PATH"', "command -v qm-deploy"],
};

/** A Markdown page of numbered steps, the first of which makes `qm-deploy` a command. */
export function page(title: string, lead: string, steps: readonly Step[]): string {
  const comment = `<!-- ${generatedLines().join(" ")} -->`;
  return (
    [comment, `# ${title}`, lead, ...[PATH_STEP, ...steps].map((step, at) => stepText(step, at + 1))].join("\n\n") +
    "\n"
  );
}

function stepText({ title, says, commands }: Step, number: number): string {
  const parts = [`## ${number}. ${title}`, says, commands.length === 0 ? "" : fenced(commands.join("\n"))];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A code block whose fence is longer than any run of backticks in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}sh\n${text}\n${fence}`;
}
