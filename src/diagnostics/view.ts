import { redactKeys, redactText } from "../base/redact.ts";
import type { Diagnostic, Fix, RelatedPlace, Suppression } from "./diagnostic.ts";

/** A diagnostic as every reporter sees it and as `--format json` prints it. */
export interface DiagnosticView extends Omit<Diagnostic, "fix" | "suppression"> {
  readonly related: readonly RelatedPlace[];
  readonly fix: Pick<Fix, "safety" | "title"> | null;
  readonly suppression: Suppression | null;
  /** Where the rule is explained, relative to the root of this toolkit. */
  readonly docs: string;
}

/** One entry of the secrets catalogue; never a value. */
export interface SecretView {
  readonly name: string;
  readonly required: boolean;
  readonly managedBy: string;
  readonly reason: string;
  readonly destinations: readonly { readonly workload: string; readonly env: string }[];
}

/** How fixes would change a file. */
export interface EditView {
  readonly file: string;
  /** Titles of the fixes, in order. */
  readonly fixes: readonly string[];
  /** For people: what may be secret is hidden. */
  readonly diff: string;
}

/** What is reported of one deployment. What could not be determined is null, never absent. */
export interface DeploymentView {
  /** The config file, relative to the working directory; `<stdin>` for stdin. */
  readonly config: string;
  readonly target: string | null;
  readonly release: {
    readonly pinned: string | null;
    readonly resolved: string | null;
    readonly source: string | null;
  };
  readonly sandbox: {
    readonly declared: string | null;
    readonly backend: string | null;
    readonly selected: readonly string[];
  };
  readonly ok: boolean;
  readonly secrets: readonly SecretView[];
  /** What fixes would change, where that was asked for instead of the change itself. */
  readonly edits?: readonly EditView[];
  readonly diagnostics: readonly DiagnosticView[];
}

/** Findings by severity, and those that are suppressed, which count as nothing else. */
export interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly suppressed: number;
}

/** Counts over all deployments of a run; `fixed` counts the fixes that were applied. */
export interface Summary extends Counts {
  readonly deployments: number;
  readonly fixed: number;
}

/** What is known of a run once every deployment was checked. */
export interface RunView {
  readonly ok: boolean;
  readonly summary: Summary;
  readonly deployments: readonly DeploymentView[];
}

/** The view of a deployment of which nothing could be read. */
export function unreadDeployment(config: string, diagnostics: readonly DiagnosticView[]): DeploymentView {
  return {
    config: redactKeys(config),
    target: null,
    release: { pinned: null, resolved: null, source: null },
    sandbox: { declared: null, backend: null, selected: [] },
    ok: false,
    secrets: [],
    diagnostics,
  };
}

/** The view of one diagnostic. */
export function diagnosticView(diagnostic: Diagnostic): DiagnosticView {
  const { rule, clause, severity, message, help, command, file, range, related = [], fix, suppression } = diagnostic;
  return {
    rule,
    clause,
    severity,
    message,
    help,
    command,
    // Nobody finds a file by another name; a key in the place of one is none.
    file: redactKeys(file),
    range,
    related: related.map((place) => ({ file: redactKeys(place.file), range: place.range, message: place.message })),
    fix: fix === null ? null : { safety: fix.safety, title: fix.title },
    suppression:
      suppression === undefined
        ? null
        : { reason: redactText(suppression.reason), file: redactKeys(suppression.file), line: suppression.line },
    docs: `docs/rules.md#${rule}`,
  };
}

/** True when a finding fails a run. */
export function isFailing({ severity, suppression }: DiagnosticView, strict: boolean): boolean {
  return suppression === null && (severity === "error" || (strict && severity === "warning"));
}

/** The findings that are reported, without those that are suppressed. */
export function openFindings(diagnostics: readonly DiagnosticView[]): readonly DiagnosticView[] {
  return diagnostics.filter(({ suppression }) => suppression === null);
}

/** Counts the findings of some deployments. */
export function countFindings(deployments: readonly DeploymentView[]): Counts {
  const counts = { errors: 0, warnings: 0, infos: 0, suppressed: 0 };
  for (const { diagnostics } of deployments)
    for (const { severity, suppression } of diagnostics)
      counts[suppression === null ? (`${severity}s` as const) : "suppressed"]++;
  return counts;
}

/** Adds up the deployments of a run. */
export function runView(deployments: readonly DeploymentView[], fixed: number): RunView {
  const { errors, warnings, infos, suppressed } = countFindings(deployments);
  return {
    ok: deployments.every((deployment) => deployment.ok),
    summary: { deployments: deployments.length, errors, warnings, infos, suppressed, fixed },
    deployments,
  };
}
