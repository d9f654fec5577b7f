import type { LineIndex } from "../../diagnostics/source.ts";
import type { ConfigNode, Member } from "../node.ts";
import type { Problems } from "./problems.ts";

/** The key under which notes may stand anywhere, and more than once. */
export const COMMENT_KEY = "//";

/** Reports keys that stand twice in one object, and keys that no program can be trusted with. */
export function checkKeys(node: ConfigNode, lines: LineIndex, problems: Problems): void {
  if (node.kind === "array") for (const item of node.items) checkKeys(item, lines, problems);
  if (node.kind !== "object") return;
  const first = new Map<string, Member>();
  for (const member of node.members) {
    const earlier = first.get(member.key);
    if (member.key === "__proto__") {
      problems.note(
        "syntax/proto-key",
        member.keySpan,
        "`__proto__` is not a key: programs drop it or take it for something else",
        "delete it or rename it",
      );
    } else if (earlier === undefined) {
      first.set(member.key, member);
    } else if (member.key !== COMMENT_KEY) {
      const { line, column } = lines.position(earlier.keySpan.start);
      problems.note(
        "syntax/duplicate-key",
        member.keySpan,
        `the key ${JSON.stringify(member.key)} is already set in this object at line ${line}, column ${column}`,
        "delete one of the two; readers take the last one",
      );
    }
    if (member.value !== null) checkKeys(member.value, lines, problems);
  }
}
