import * as z from "zod/mini";
import type { Release } from "../../catalog/releases/release.ts";
import { closestName } from "../../base/closest-name.ts";
import type { ConfigPath } from "../../base/config-path.ts";
import { issuesOf, type SchemaIssue } from "../../config/schema/config.ts";
import { schemaAt } from "../../config/schema/lookup.ts";
import { inTool, textAt, TOOL_NAME, type Tool } from "../../deployment/tools.ts";
import { field, type Finding } from "../rule.ts";

/** Text, of a form where there is a pattern; `words` completes "`field` must be …", whatever is wrong with it. */
function text(pattern: RegExp = /^/, words = "text"): z.ZodMiniString {
  return z.string(words).check(z.regex(pattern, words));
}

function oneOf(...names: readonly string[]): z.ZodMiniEnum<Readonly<Record<string, string>>> {
  return z.enum(names, names.map((name) => `\`${name}\``).join(" or "));
}

function list<T extends z.ZodMiniType>(item: T): z.ZodMiniArray<T> {
  return z.array(item, "a list");
}

/** An object of these fields, of which those named in `required` must be there. */
function object(required: readonly string[], fields: Readonly<Record<string, z.ZodMiniType>>): z.ZodMiniType {
  const shape = Object.entries(fields).map(([name, type]) => [name, required.includes(name) ? type : z.optional(type)]);
  return z.strictObject(Object.fromEntries(shape) as Record<string, z.ZodMiniType>, "an object");
}

/** What tool.json may hold (docs/contract/qm-config.md). Made when a deployment has a tool. A release that ignores `install.files` takes anything there. */
function makeSchema(readsFiles: boolean): z.ZodMiniType {
  const filled = text(/\S/, "text that is not blank");
  const envName = text(/^[A-Z][A-Z0-9_]*$/, "an upper-case environment name");
  const toolName = text(
    TOOL_NAME,
    "lowercase letters, digits and hyphens, at most 64 characters, not starting with a hyphen",
  );
  const credential = object(["path", "kind"], { path: text(), kind: oneOf("file", "directory") });
  const broker = object(["kind", "roleArnEnv", "sessionActions"], {
    kind: oneOf("aws-role"),
    roleArnEnv: envName,
    regionEnv: envName,
    region: filled,
    sessionActions: list(filled).check(z.minLength(1, "a list that is not empty")),
  });
  const filledIn = text(
    /^[^{}]*(?:\{actingSlackUserId\}[^{}]*)*$/,
    "text with no other placeholder than `{actingSlackUserId}`",
  );
  const auth = object(["check", "reauth"], {
    check: filled,
    reauth: filled,
    credentialPaths: list(credential),
    splitEnv: z.record(envName, filledIn, "an object"),
    broker,
  });
  const decision = oneOf("require_approval", "deny");
  const mode = text(/^0[0-7]{3}$/, "four octal digits such as `0755`");
  const files = list(object(["from", "to"], { from: text(), to: text(), mode }));
  return object(["id"], {
    $schema: z.unknown(),
    id: toolName,
    label: text(),
    advertise: text(),
    hints: list(text()),
    egress: list(text()),
    auth,
    approvals: list(object([], { command: text(), pattern: text(), decision, reason: text() })),
    install: object([], { binary: toolName, files: readsFiles ? files : z.unknown() }),
  });
}

const schemas = new Map<boolean, z.ZodMiniType>();

function toolSchema({ toolInstallFiles }: Release): z.ZodMiniType {
  const schema = schemas.get(toolInstallFiles) ?? makeSchema(toolInstallFiles);
  schemas.set(toolInstallFiles, schema);
  return schema;
}

/** What of a tool.json has not its form: values, and keys that nothing reads. Both empty where the text does not parse. */
export function toolFindings(
  tool: Tool,
  release: Release,
): { readonly wrong: readonly Finding[]; readonly unknown: readonly Finding[] } {
  const wrong: Finding[] = [];
  const unknown: Finding[] = [];
  // A value of the wrong kind may fail a check of its kind too.
  const seen = new Set<string>();
  if (tool.document === null || tool.document.root === null || tool.document.broken) return { wrong, unknown };
  const schema = toolSchema(release);
  for (const issue of issuesOf(schema, tool.document.value([]), "an object with fewer faults")) {
    const path = issue.path as ConfigPath;
    if (issue.code === "unrecognized_keys")
      reportUnknownKeys(tool, { parent: path, keys: issue.keys, schema }, unknown);
    else if (!seen.has(JSON.stringify(path))) wrong.push(wrongValue(tool, path, issue));
    seen.add(JSON.stringify(path));
  }
  return { wrong, unknown };
}

function wrongValue(tool: Tool, path: ConfigPath, issue: SchemaIssue): Finding {
  if (issue.code === "invalid_key") {
    const message = `the key ${field(path)} must be ${issue.issues[0]?.message}`;
    return { message, help: "rename it", place: inTool(tool, path, "key") };
  }
  if (tool.document?.node(path) === undefined)
    return { message: `${field(path)} is missing`, help: "add it", place: inTool(tool, path, "key") };
  const what = path.length === 0 ? "tool.json" : field(path);
  return {
    message: `${what} must be ${issue.message}`,
    help: "change it to that form",
    severity: isPassedOver(tool, path) ? "warning" : "error",
    place: inTool(tool, path),
  };
}

/** True for a command or pattern of an approval that core passes over, as it is no text and the approval has the other one. */
function isPassedOver(tool: Tool, path: ConfigPath): boolean {
  const [list, , key] = path;
  const other = key === "command" ? "pattern" : key === "pattern" ? "command" : null;
  return list === "approvals" && other !== null && (textAt(tool, [...path.slice(0, 2), other])?.trim() ?? "") !== "";
}

function reportUnknownKeys(
  tool: Tool,
  { parent, keys, schema }: { parent: ConfigPath; keys: readonly string[]; schema: z.ZodMiniType },
  found: Finding[],
): void {
  const names = schemaAt(parent, schema)?.names ?? [];
  const absent = names.filter((name) => name !== "$schema" && tool.document?.node([...parent, name]) === undefined);
  for (const key of keys) {
    const path = [...parent, key];
    const meant = closestName(key, absent);
    found.push({
      message: `${field(path)} is not known, and nothing reads it`,
      help: meant === null ? "remove it: nothing reads it" : `did you mean \`${meant}\`?`,
      place: inTool(tool, path, "key"),
    });
  }
}
