import { orderDiagnostics } from "../diagnostics/order.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { checkPlaceholders } from "./check-placeholders.ts";
import type { LoadedConfig } from "./loaded.ts";
import { parseDocument } from "./parse.ts";
import { typedConfig } from "./typed-config.ts";
import { validateShape } from "./validation/validate.ts";
import type { WrittenConfig } from "./written-config.ts";

/**
 * Reads `qm.config.jsonc`: its syntax, its shape, and the placeholders in it. Never throws for a bad text; what is sound
 * of it is in `config`, so that every other rule runs in the same go.
 */
export function loadConfig(source: SourceFile): LoadedConfig {
  const document = parseDocument(source);
  if (document.root?.kind !== "object") {
    return { document, config: Object.create(null) as WrittenConfig, diagnostics: document.diagnostics };
  }
  const waiting = checkPlaceholders(document);
  const placeholders = new Set(
    waiting.filter(({ rule }) => rule === "config/placeholder").map(({ range }) => range?.start.offset),
  );
  const shape = validateShape(document, (offset) => !placeholders.has(offset));
  return {
    document,
    config: typedConfig(document, shape.unsound),
    diagnostics: orderDiagnostics([...document.diagnostics, ...shape.diagnostics, ...waiting]),
  };
}
