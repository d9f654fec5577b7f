import { foreign, joined, ours, type Piece, type Shown, shown } from "./shown.ts";

/** Text of a user as plain text in Markdown: no markup, mention, link or HTML of its own. */
export function plain(piece: Piece): Shown {
  const text = foreign(piece).text.replace(/[&<>@]|[\\`*_{}[\]#+!|~]/g, (character) =>
    /[&<>@]/.test(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`,
  );
  return ours(text);
}

/** Our own sentences: their backquoted names become code, everything else is plain. */
export function sentence(piece: Piece): Shown {
  const parts = foreign(piece).text.split(/(`[^`]*`)/);
  return joined(parts.map((part) => (/^`[^`]+`$/.test(part) ? code(ours(part.slice(1, -1))) : plain(ours(part)))));
}

/** Text as a code span that also holds in a table cell. */
export function code(piece: Piece): Shown {
  const text = foreign(piece).text.replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 || text === "" || text.startsWith(" ") || text.endsWith(" ") ? " " : "";
  return ours(`${fence}${pad}${text}${pad}${fence}`);
}

/** Rows as a table, with its head. */
export function table(head: readonly Piece[], rows: readonly (readonly Piece[])[]): Shown {
  const all = [head, head.map(() => "---"), ...rows];
  return joined(
    all.map((row) => shown`| ${joined(row, " | ")} |`),
    ours("\n"),
  );
}
