import type { ReferenceTool } from "../base/stand-in-forms.ts";
import type { EnvDocument, EnvEntry } from "../envfile/index.ts";

/** A value of an env file that a tool is to be asked for; `text` is the value without blanks around it. */
export interface Reference {
  readonly text: string;
  readonly entry: EnvEntry;
}

/** What a tool may need beside a reference. */
export interface ReferencePlace {
  /** What the env file says. */
  readonly document: EnvDocument;
  /** Absolute path of the env file; null where it is no file that could be read again, such as a pipe. */
  readonly file: string | null;
  /** Absolute path of the deployment directory. */
  readonly directory: string;
}

/** Why a tool gives no value: `problem` completes "`NAME` …". Holds nothing of a value. */
export interface NoValue {
  readonly problem: string;
  readonly help: string;
}

/** One run of a tool, by an argument list and without a shell. */
export interface Call {
  readonly args: readonly string[];
  /** Working directory; the deployment's where it is not said. */
  readonly cwd?: string;
  /** What the tool gave for a reference, out of what it printed; null where it is not in it. */
  readonly read: (printed: string, reference: Reference) => string | NoValue | null;
  /** The tool prints what it could read also where it fails with the rest. */
  readonly givesPart?: true;
}

/** A program that gives secrets for references. */
export interface Tool {
  readonly program: ReferenceTool;
  /** How to get it, as the end of "install …". */
  readonly install: string;
  /** What to do where it fails. */
  readonly help: string;
  /**
   * What of its messages may be quoted: fixed words of the tool's own and codes of errors, and nothing that it puts between them,
   * since a tool that fails may print the secret itself.
   */
  readonly failures: RegExp;
  /** The run that gives a reference. Of runs with the same arguments there is one. */
  readonly callFor: (reference: Reference, all: readonly Reference[], place: ReferencePlace) => Call | NoValue;
}
