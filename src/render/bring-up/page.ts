import type { Action, Step } from "./step.ts";

/** A numbered step as Markdown: one block of commands, then what they change, how to see it, and the way back. */
export function stepText(step: Step, number: number): string {
  const { title, text = "", commands = [], changes, check, undo } = step;
  const after = [
    changes === undefined ? "" : `- **Changes:** ${changes}`,
    actionText("See that it worked", check),
    actionText("Go back", undo),
  ].filter((line) => line !== "");
  const parts = [
    `## ${number}. ${title}`,
    text,
    commands.length === 0 ? "" : fenced(commands.join("\n"), "sh"),
    after.join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Commands come first, so that a reader, and a program, can tell them from what is only named. */
function actionText(label: string, action: Action | undefined): string {
  if (action === undefined) return "";
  const { commands = [], text = "" } = action;
  const said = text === "" ? "" : commands.length === 0 ? text : `: ${text}`;
  return `- **${label}:** ${commands.map(codeSpan).join(", then ")}${said}`;
}

/** A code block whose fence is longer than any run of backticks in it. */
export function fenced(text: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function codeSpan(text: string): string {
  const longest = longestRun(text);
  if (longest === 0) return `\`${text}\``;
  const fence = "`".repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((match) => match[0].length));
}
