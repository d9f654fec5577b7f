import { foreign, type Piece, plainText, type Shown } from "../../base/shown.ts";
import type { Severity } from "../diagnostic.ts";
import type { RuleId } from "../rule-ids.generated.ts";
import type { RuleInfo } from "../rule-info.ts";
import type { DeploymentView, DiagnosticView, RunView } from "../view.ts";

/** Looks up the text of a file that a diagnostic of a deployment names; undefined where it was not read. */
export type SourceLookup = (deployment: DeploymentView, file: string) => string | undefined;

/** Writes a run in one format, in pieces to be printed in order. Fed from the view only, so that no two formats can disagree. */
export type Reporter = (run: RunView, source: SourceLookup) => Iterable<Shown>;

/** How much of a run people see: only what fails it, what is new to them once, or every finding in full. */
export type Detail = "quiet" | "normal" | "all";

/** What reporters may be told. */
export interface ReporterOptions {
  readonly strict: boolean;
  /** Lists what is suppressed, with the reasons, for people: formats for programs always have it. */
  readonly showSuppressed: boolean;
  readonly detail: Detail;
  /** True where the command itself says last how many of several deployments failed. */
  readonly isPart: boolean;
  /** The command that shows every finding in full. */
  readonly inFull: string;
  /** Version of this toolkit. */
  readonly version: string;
  /** Columns that a line may fill. */
  readonly columns: number;
  readonly palette: Palette;
  /** Everything that is known about rules, by id. */
  readonly rules: ReadonlyMap<RuleId, RuleInfo>;
  /** The name by which whoever reads the report knows a file: from the root of the repository, for a host of code. */
  readonly fileName: (file: string) => string;
}

/** The command of a diagnostic where its help does not name it already; null where there is nothing to add to the help. */
export function furtherCommand({ help, command }: DiagnosticView): string | null {
  return command === null || help.includes(`\`${command}\``) ? null : command;
}

/** What to do about a diagnostic, as one line. */
export function helpLine(diagnostic: DiagnosticView): string {
  const command = furtherCommand(diagnostic);
  return command === null ? diagnostic.help : `${diagnostic.help} (run \`${command}\`)`;
}

/** "qm.config.jsonc:3:5": where a diagnostic points. */
export function placeText({ file, range }: Pick<DiagnosticView, "file" | "range">): Shown {
  const place = range === null ? "" : `:${range.start.line}:${range.start.column}`;
  return plainText(`${file}${place}`);
}

type Paint = (text: Piece) => Shown;

/** Colours by what they are for; identity functions where there is no colour. */
export type Palette = { readonly [purpose in Severity | "good" | "strong" | "faint"]: Paint };

/** No colour at all. */
export const PLAIN: Palette = {
  error: foreign,
  warning: foreign,
  info: foreign,
  good: foreign,
  strong: foreign,
  faint: foreign,
};
