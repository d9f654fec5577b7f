/** A member of an object in the scaffolded config: comment lines above it, and its text from the key on. */
export interface Member {
  readonly says: readonly string[];
  /** Null: only the comment. */
  readonly text: string | null;
}

/** A member with a value of JSON on one line. */
export function member(key: string, value: unknown, ...says: readonly string[]): Member {
  return { says, text: `${JSON.stringify(key)}: ${oneLine(value)}` };
}

/** A member that is there as a comment only, for the reader to uncomment; an object of several members takes a line each. */
export function offered(key: string, value: unknown, ...says: readonly string[]): Member {
  const inner = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (inner.length < 2) return { says: [...says, `${JSON.stringify(key)}: ${oneLine(value)},`], text: null };
  const lines = inner.map(([name, one]) => `  ${JSON.stringify(name)}: ${oneLine(one)},`);
  return { says: [...says, `${JSON.stringify(key)}: {`, ...lines, "},"], text: null };
}

/** A member that is an object of members. */
export function block(key: string, members: readonly Member[], ...says: readonly string[]): Member {
  return { says, text: `${JSON.stringify(key)}: {\n${membersText(members)}}` };
}

/** Members as lines, each indented by two spaces. */
export function membersText(members: readonly Member[]): string {
  const texts = members.map(({ says, text }) =>
    [...says.map((line) => `// ${line}`), ...(text === null ? [] : [`${text},`])].join("\n"),
  );
  return texts
    .join("\n")
    .split("\n")
    .map((line) => `  ${line}\n`)
    .join("");
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${oneLine(inner)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
