import type { ConfigDocument } from "../config/document.ts";
import type { ConfigNode } from "../config/node.ts";
import { parseDocument } from "../config/parse.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { type DeploymentInputs, fileBelow, type TreeEntry } from "./inputs.ts";
import type { ConfigPath } from "../base/config-path.ts";

/** What a tool's id and binary look like: both become words of shell scripts. */
export const TOOL_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** One directory of `sandbox/tools` with its descriptor. */
export interface Tool {
  /** Name of the directory. */
  readonly directory: string;
  /** Name of tool.json in reports. */
  readonly file: string;
  readonly descriptor: TreeEntry;
  /** Null where the descriptor has no text that could be read. */
  readonly document: ConfigDocument | null;
  /** The files beside tool.json, by path inside the directory; links to files are among them. */
  readonly files: ReadonlyMap<string, TreeEntry>;
}

/** The tools of the sandbox layer, by directory; directories without a tool.json are none. */
export function findTools(inputs: DeploymentInputs): readonly Tool[] {
  const tools: Tool[] = [];
  const filesOf = new Map<string, Map<string, TreeEntry>>();
  for (const entry of inputs.sandboxTree) {
    const [, directory, inside] = /^sandbox\/tools\/([^/]+)\/(.+)$/s.exec(entry.path) ?? [];
    if (directory === undefined || inside === undefined) continue;
    const files = filesOf.get(directory) ?? new Map<string, TreeEntry>();
    filesOf.set(directory, files);
    if (entry.kind === "file" || entry.leadsTo === "file") files.set(inside, entry);
    if (inside === "tool.json" && (entry.kind === "file" || entry.kind === "symlink"))
      tools.push(toolOf(inputs, directory, entry, files));
  }
  return tools;
}

function toolOf(
  inputs: DeploymentInputs,
  directory: string,
  descriptor: TreeEntry,
  files: ReadonlyMap<string, TreeEntry>,
): Tool {
  const file = fileBelow(inputs, descriptor.path);
  const document = descriptor.text === null ? null : parseDocument({ file, text: descriptor.text });
  return { directory, file, descriptor, document, files };
}

/** The text at a path of a tool.json; null where there is none. */
export function textAt(tool: Tool, path: ConfigPath): string | null {
  const node = tool.document?.node(path);
  return node?.kind === "string" ? node.value : null;
}

/** The items of a list in a tool.json, each with its path; empty where there is no list. */
export function itemsAt(tool: Tool, path: ConfigPath): { node: ConfigNode; path: ConfigPath }[] {
  const node = tool.document?.node(path);
  return node?.kind === "array" ? node.items.map((item, at) => ({ node: item, path: [...path, at] })) : [];
}

/** `id` where it is a sound one. */
export function toolId(tool: Tool): string | null {
  const id = textAt(tool, ["id"]);
  return id !== null && TOOL_NAME.test(id) ? id : null;
}

/** The command that the tool brings: `install.binary`, else its id. */
export function toolBinary(tool: Tool): string | null {
  const binary = textAt(tool, ["install", "binary"]);
  return binary === null ? toolId(tool) : TOOL_NAME.test(binary) ? binary : null;
}

/** A place in a tool.json. */
export function inTool(
  tool: Tool,
  path: ConfigPath,
  at: "key" | "value" = "value",
): { readonly file: string; readonly range: SourceRange | null } {
  const { document } = tool;
  return {
    file: tool.file,
    range: document === null ? null : at === "key" ? document.keyRange(path) : document.valueRange(path),
  };
}
