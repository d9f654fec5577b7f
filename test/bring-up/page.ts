/** A step of bring-up.md as a reader finds it. */
export interface PageStep {
  readonly title: string;
  /** The block to paste; empty where there is none. */
  readonly block: string;
  /** Commands that show that it worked. */
  readonly check: readonly string[];
  /** Commands that take it back. */
  readonly undo: readonly string[];
  readonly changes: string | null;
}

/** The numbered steps of a bring-up page, in order. */
export function pageSteps(page: string): readonly PageStep[] {
  return page
    .split(/^## \d+\. /m)
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf("\n")),
      block: /^(`{3,})sh\n([\s\S]*?)\n\1$/m.exec(text)?.[2] ?? "",
      check: commandsOf(text, "See that it worked"),
      undo: commandsOf(text, "Go back"),
      changes: /^- \*\*Changes:\*\* (.*)$/m.exec(text)?.[1] ?? null,
    }));
}

/** The code at the beginning of a line is to be run; what comes later is only named. */
function commandsOf(text: string, label: string): string[] {
  let rest = new RegExp(`^- \\*\\*${label}:\\*\\* (.*)$`, "m").exec(text)?.[1] ?? "";
  const commands: string[] = [];
  for (let span: RegExpExecArray | null; (span = /^(`+)(.+?)\1(?!`)(?:, then |: |$)/.exec(rest)) !== null;) {
    const [whole, fence = "", code = ""] = span;
    commands.push(fence.length > 1 ? code.slice(1, -1) : code);
    rest = rest.slice(whole.length);
    if (!whole.endsWith(", then ")) break;
  }
  return commands;
}
