import { parseJson } from "../../base/json.ts";
import type { ConfigDocument } from "../../config/document.ts";
import type { ConfigNode } from "../../config/node.ts";
import { LineIndex } from "../../diagnostics/source.ts";
import type { Finding, Report, Rule } from "../rule.ts";
import { inTool, type Tool } from "../../deployment/tools.ts";

/** Strings, comments, and commas before a closing bracket: what plain JSON and JSONC see differently. */
const TOKEN = /"(?:[^"\\]|\\.)*"|(\/\/[^\r\n]*|\/\*[^]*?\*\/)|(,)(?=(?:\s|\/\/[^\r\n]*|\/\*[^]*?\*\/)*[}\]])/g;

/** What stands in the place of the object. */
const KINDS: { readonly [kind in Exclude<ConfigNode["kind"], "object">]: string } = {
  array: "a list",
  string: "text",
  number: "a number",
  boolean: "`true` or `false`",
  null: "`null`",
};

/** Whether tool.json is JSON, and an object. */
export const TOOL_JSON_RULES: readonly Rule[] = [
  {
    id: "layer/tool-json",
    title: "tool.json that is not a JSON object",
    clause: "sandbox.descriptors",
    why: "Core reads tool.json as one object of plain JSON: comments and trailing commas, which the config may have, are not allowed there.",
    bad: '// sandbox/tools/acme/tool.json\n{ "id": "acme", }\n// sandbox/tools/acme/acme\n',
    good: '// sandbox/tools/acme/tool.json\n{ "id": "acme" }\n// sandbox/tools/acme/acme\n',
    check(deployment, report) {
      for (const tool of deployment.tools) {
        const { document } = tool;
        if (document === null) report(unread(tool));
        else reportText(tool, document, report);
      }
    },
  },
];

function unread({ file, descriptor }: Tool): Finding {
  const message =
    descriptor.kind === "symlink"
      ? "tool.json is a link, which is not followed"
      : descriptor.isText
        ? "tool.json is too large to be read"
        : "tool.json is not UTF-8 text";
  return { message, help: "put a small file of JSON text in its place", place: { file, range: null } };
}

function reportText(tool: Tool, document: ConfigDocument, report: Report): void {
  const isJson = parseJson(document.text) !== undefined;
  if (isJson && document.root !== null && document.root.kind !== "object") {
    report({
      message: `tool.json must be an object, and this is ${KINDS[document.root.kind]}`,
      help: `write \`{ "id": "${tool.directory}" }\` and what else the tool needs`,
      place: inTool(tool, []),
    });
    return;
  }
  const [first] = document.diagnostics;
  if (first !== undefined) {
    // What is JSON and yet not as it should be (a key twice) is read, by whichever rule the reader has.
    report({
      message: `tool.json: ${first.message}`,
      help: first.help,
      severity: isJson ? "warning" : "error",
      place: { file: tool.file, range: first.range },
    });
    return;
  }
  if (isJson) return;
  const [start, end, what] = extension(document.text);
  report({
    message: `tool.json is plain JSON: ${what} is not allowed`,
    help: "remove it",
    place: { file: tool.file, range: new LineIndex(document.text).range(start, end) },
  });
}

/** The first thing in a text that JSONC has and JSON has not. */
function extension(text: string): [start: number, end: number, what: string] {
  if (text.startsWith("\uFEFF")) return [0, 1, "a byte order mark"];
  for (const match of text.matchAll(TOKEN)) {
    if (match[1] !== undefined) return [match.index, match.index + match[1].length, "a comment"];
    if (match[2] !== undefined) return [match.index, match.index + 1, "a trailing comma"];
  }
  return [0, text.length, "something in it"];
}
