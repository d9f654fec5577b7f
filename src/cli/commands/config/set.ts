import { schemaAt } from "../../../config/schema/lookup.ts";
import type { ConfigPath } from "../../../base/config-path.ts";
import type { JsonValue } from "../../../base/json.ts";
import { changeConfig } from "./edit.ts";
import { USAGE } from "../../exit-status.ts";
import { configPathArgument } from "../../config-path-argument.ts";
import { hasOption, type Invocation } from "../../command-definition.ts";

type Reading = { readonly value: JsonValue } | { readonly reason: string };

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** What a value on the command line means at a place; see the help of `config set`. */
export function readValue(text: string, path: ConfigPath, as: "string" | "json" | null): Reading {
  if (as === "string") return { value: text };
  const json = readJson(text);
  if (json === undefined) return as === "json" ? { reason: "the value is not JSON" } : { value: text };
  const kind = schemaAt(path)?.kind;
  const takesText = kind === "string" || kind === "names";
  if (as === null && takesText && typeof json !== "string") return { value: text };
  if (typeof json === "number" && Number.isInteger(json) && !Number.isSafeInteger(json)) {
    return { reason: "the number has more digits than a JSON reader keeps; use --string for text" };
  }
  return { value: json };
}

/** `qm-deploy config set`. */
export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const [asString, asJson] = [hasOption(invocation, "string"), hasOption(invocation, "json")];
  if (asString && asJson) {
    io.stderr.write("error: --string and --json exclude each other\n");
    return USAGE;
  }
  const path = configPathArgument(io, args[0] ?? "");
  if (path === null) return USAGE;
  const reading = readValue(args[1] ?? "", path, asString ? "string" : asJson ? "json" : null);
  if ("reason" in reading) {
    io.stderr.write(`error: ${reading.reason}\n`);
    return USAGE;
  }
  return changeConfig(invocation, { kind: "set", path, value: reading.value });
}
