import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ConfigDocument } from "./document.ts";
import type { WrittenConfig } from "./written-config.ts";

/** A config document with what could be understood of it. Produced by `loadConfig(source)`. */
export interface LoadedConfig {
  readonly document: ConfigDocument;
  /** Parts of a wrong shape are left out, each with a diagnostic. */
  readonly config: WrittenConfig;
  /** Syntax and shape findings, in document order. */
  readonly diagnostics: readonly Diagnostic[];
}
