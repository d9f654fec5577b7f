/** A heredoc that an instruction opens. */
export interface Heredoc {
  /** The line that ends it, quotes taken off. */
  readonly name: string;
  /** `<<-`: tabs before the ending line do not count. */
  readonly chomps: boolean;
}

const WORD = /(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|[^\s"'\\])+/g;
const OPENING = /^\d*<<(-?)([^<]+)$/;
const TAKING_HEREDOCS: ReadonlySet<string> = new Set(["RUN", "COPY", "ADD"]);

/**
 * The heredocs that an instruction opens, in their order, as BuildKit reads them: a word of its own that starts with
 * `<<`, perhaps behind a file descriptor (`3<<EOF`), in RUN, COPY and ADD outside of their JSON form, also behind
 * ONBUILD. Null where an unclosed quote makes it doubtful.
 */
export function heredocsOf(instruction: string): readonly Heredoc[] | null {
  if (!instruction.includes("<<")) return [];
  const [, keyword = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(instruction) ?? [];
  if (keyword.toUpperCase() === "ONBUILD") return heredocsOf(rest);
  if (!TAKING_HEREDOCS.has(keyword.toUpperCase()) || isJsonForm(rest)) return [];
  if (hasOpenQuote(rest)) return null;
  return (rest.match(WORD) ?? []).flatMap((word) => {
    const [, dash, ending = ""] = OPENING.exec(word) ?? [];
    return ending === "" ? [] : [{ name: unquoted(ending), chomps: dash === "-" }];
  });
}

function isJsonForm(rest: string): boolean {
  const body = rest.replace(/^(?:--\S+\s+)*/, "").trim();
  if (!body.startsWith("[")) return false;
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) && value.every((item) => typeof item === "string");
  } catch {
    return false;
  }
}

function hasOpenQuote(text: string): boolean {
  return /["'\\]/.test(text.replace(WORD, ""));
}

function unquoted(word: string): string {
  return word.replace(
    /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|\\([\s\S])/g,
    (_, double?: string, single?: string, escaped?: string) =>
      double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "",
  );
}
