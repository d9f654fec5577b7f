import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { orderDiagnostics } from "../diagnostics/order.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import type { ConfigDocument } from "./document.ts";
import { parseDocument } from "./parse.ts";
import { typedConfig } from "./typed-config.ts";
import { MOST_FINDINGS } from "./validation/finding.ts";
import { checkPlaceholders } from "./validation/placeholders.ts";
import { findMisplacedSecrets } from "./validation/secrets.ts";
import { validateShape } from "./validation/validate.ts";
import type { WrittenConfig } from "./written-config.ts";

/** A config document with what could be understood of it. */
export interface LoadedConfig {
  readonly document: ConfigDocument;
  /** Parts of a wrong shape are left out, each with a diagnostic. */
  readonly config: WrittenConfig;
  /** Syntax and shape findings, in document order. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads `qm.config.jsonc`: its syntax, its shape, and the placeholders in it. Never throws for a bad text; what is sound
 * of it is in `config`, so that every other rule runs in the same go. `most` findings of shape, and as many of
 * placeholders, are listed before the rest is only counted or left out.
 */
export function loadConfig(source: SourceFile, most = MOST_FINDINGS): LoadedConfig {
  const document = parseDocument(source);
  const placeholders = checkPlaceholders(document, most);
  const shape = validateShape(document, placeholders, most);
  const secrets = findMisplacedSecrets(document);
  // Of a secret it does not matter that it also has the wrong form.
  const said = new Set(secrets.diagnostics.map(({ range }) => range?.start.offset));
  const others = [...shape.diagnostics, ...placeholders].filter(({ range }) => !said.has(range?.start.offset));
  return {
    document,
    config: typedConfig(document, [...shape.unsound, ...secrets.unsound]),
    diagnostics: orderDiagnostics([...document.diagnostics, ...others, ...secrets.diagnostics]),
  };
}
