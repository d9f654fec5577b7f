import type { ConfigNode } from "../../config/node.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { closestName } from "../../base/closest-name.ts";
import { field, type Finding } from "../rule.ts";
import { inTool, TOOL_NAME, type Tool } from "../../deployment/tools.ts";

/** The shape of a part of tool.json. `words` completes "`field` must be …". */
export type Shape =
  | { readonly kind: "text"; readonly words: string; readonly is?: (text: string) => boolean }
  | { readonly kind: "list"; readonly of: Shape; readonly least?: number }
  | { readonly kind: "map"; readonly key: RegExp; readonly keyWords: string; readonly of: Shape }
  | {
      readonly kind: "object";
      readonly required: readonly string[];
      readonly fields: { readonly [name: string]: Shape };
    };

const text: Shape = { kind: "text", words: "text" };
const filled: Shape = { kind: "text", words: "text that is not blank", is: (value) => value.trim() !== "" };
const texts: Shape = { kind: "list", of: text };
const toolName: Shape = {
  kind: "text",
  words: "lowercase letters, digits and hyphens, at most 64 characters, not starting with a hyphen",
  is: (value) => TOOL_NAME.test(value),
};
const ENV_NAME = /^[A-Z][A-Z0-9_]*$/;
const ENV_WORDS = "an upper-case environment name";
const envName: Shape = { kind: "text", words: ENV_WORDS, is: (value) => ENV_NAME.test(value) };

function oneOf(...names: readonly string[]): Shape {
  return { kind: "text", words: names.map((name) => `\`${name}\``).join(" or "), is: (value) => names.includes(value) };
}

const BROKER: Shape = {
  kind: "object",
  required: ["kind", "roleArnEnv", "sessionActions"],
  fields: {
    kind: oneOf("aws-role"),
    roleArnEnv: envName,
    regionEnv: envName,
    region: filled,
    sessionActions: { kind: "list", of: filled, least: 1 },
  },
};

const AUTH: Shape = {
  kind: "object",
  required: ["check", "reauth"],
  fields: {
    check: filled,
    reauth: filled,
    credentialPaths: {
      kind: "list",
      of: { kind: "object", required: ["path", "kind"], fields: { path: text, kind: oneOf("file", "directory") } },
    },
    splitEnv: {
      kind: "map",
      key: ENV_NAME,
      keyWords: ENV_WORDS,
      of: {
        kind: "text",
        words: "text with no other placeholder than `{actingSlackUserId}`",
        is: (value) => !/[{}]/.test(value.replaceAll("{actingSlackUserId}", "")),
      },
    },
    broker: BROKER,
  },
};

/** What tool.json may hold (docs/contract/qm-config.md#tools-and-skills). */
export const TOOL_SHAPE: Shape = {
  kind: "object",
  required: ["id"],
  fields: {
    id: toolName,
    label: text,
    advertise: text,
    hints: texts,
    egress: texts,
    auth: AUTH,
    approvals: {
      kind: "list",
      of: {
        kind: "object",
        required: [],
        fields: { command: text, pattern: text, decision: oneOf("require_approval", "deny"), reason: text },
      },
    },
    install: {
      kind: "object",
      required: [],
      fields: {
        binary: toolName,
        files: {
          kind: "list",
          of: {
            kind: "object",
            required: ["from", "to"],
            fields: {
              from: text,
              to: text,
              mode: {
                kind: "text",
                words: "four octal digits such as `0755`",
                is: (value) => /^0[0-7]{3}$/.test(value),
              },
            },
          },
        },
      },
    },
  },
};

/** A finding about the shape: `isUnknown` for a key that nothing reads. */
export interface FindingText {
  readonly isUnknown: boolean;
  readonly finding: Finding;
}

const TYPE_WORDS = { text: "text", list: "a list", map: "an object", object: "an object" } as const;

/** What of a node has not its shape. A part of a wrong kind is judged no further. */
export function* shapeFindings(tool: Tool, node: ConfigNode, shape: Shape, path: ConfigPath): Iterable<FindingText> {
  if (shape.kind === "text") {
    if (node.kind !== "string" || shape.is?.(node.value) === false) yield wrong(tool, path, shape.words);
  } else if (shape.kind === "list") {
    if (node.kind !== "array") yield wrong(tool, path, TYPE_WORDS.list);
    else if (node.items.length < (shape.least ?? 0)) yield wrong(tool, path, "a list that is not empty");
    else for (const [at, item] of node.items.entries()) yield* shapeFindings(tool, item, shape.of, [...path, at]);
  } else if (node.kind !== "object") {
    yield wrong(tool, path, TYPE_WORDS[shape.kind]);
  } else if (shape.kind === "map") {
    for (const { key, value } of node.members) {
      if (!shape.key.test(key))
        yield known({
          message: `the key ${field([...path, key])} must be ${shape.keyWords}`,
          help: "rename it",
          place: inTool(tool, [...path, key], "key"),
        });
      else if (value !== null) yield* shapeFindings(tool, value, shape.of, [...path, key]);
    }
  } else {
    yield* members(tool, node, shape, path);
  }
}

function* members(
  tool: Tool,
  node: ConfigNode & { kind: "object" },
  shape: Shape & { kind: "object" },
  path: ConfigPath,
): Iterable<FindingText> {
  const written = new Set(node.members.map(({ key }) => key));
  for (const name of shape.required) {
    if (!written.has(name))
      yield known({
        message: `${field([...path, name])} is missing`,
        help: "add it",
        place: inTool(tool, [...path, name], "key"),
      });
  }
  for (const { key, value } of node.members) {
    if (Object.hasOwn(shape.fields, key)) {
      if (value !== null) yield* shapeFindings(tool, value, shape.fields[key] as Shape, [...path, key]);
      continue;
    }
    if (key === "$schema" && path.length === 0) continue;
    const meant = closestName(
      key,
      Object.keys(shape.fields).filter((name) => !written.has(name)),
    );
    const help = meant === null ? "remove it: nothing reads it" : `did you mean \`${meant}\`?`;
    yield {
      isUnknown: true,
      finding: {
        message: `${field([...path, key])} is not known, and nothing reads it`,
        help,
        place: inTool(tool, [...path, key], "key"),
      },
    };
  }
}

function wrong(tool: Tool, path: ConfigPath, words: string): FindingText {
  return known({
    message: path.length === 0 ? "tool.json must be an object" : `${field(path)} must be ${words}`,
    help: "change it to that form",
    place: inTool(tool, path),
  });
}

function known(finding: Finding): FindingText {
  return { isUnknown: false, finding };
}
