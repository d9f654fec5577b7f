import type { Location, Log, ReportingDescriptor, Result, Suppression } from "sarif";
import type { RuleId } from "../rule-ids.generated.ts";
import type { RuleInfo } from "../rule-info.ts";
import type { Severity } from "../diagnostic.ts";
import { printableJson } from "../../base/printable.ts";
import { ours } from "../../base/shown.ts";
import type { DiagnosticView, RunView } from "../view.ts";
import type { SourceRange } from "../source.ts";
import { helpLine, type Reporter, type ReporterOptions } from "./reporter.ts";

const LEVELS: Record<Severity, "error" | "warning" | "note"> = { error: "error", warning: "warning", info: "note" };

/** A relative file name as a URI reference: every segment percent-encoded, never empty, never read as a scheme. */
export function fileUri(file: string): string {
  const encoded = file
    .split("/")
    .map((segment) => encodeURIComponent(segment.replace(/\p{Cs}/gu, "\ufffd")))
    .join("/");
  return encoded === "" ? "." : encoded;
}

function ruleDescriptor(id: string, info: RuleInfo | undefined): ReportingDescriptor {
  if (info === undefined) return { id };
  return {
    id,
    shortDescription: { text: info.title },
    fullDescription: { text: info.why },
    help: {
      text: `${info.why}\n\nInstead of:\n${info.bad}\nwrite:\n${info.good}`,
      markdown: `${info.why}\n\nInstead of\n\n\`\`\`jsonc\n${info.bad}\n\`\`\`\n\nwrite\n\n\`\`\`jsonc\n${info.good}\n\`\`\``,
    },
    defaultConfiguration: { level: LEVELS[info.severity] },
    properties: { tags: [id.slice(0, id.indexOf("/"))], ...(info.clause === undefined ? {} : { clause: info.clause }) },
  };
}

function suppressionOf({ reason, file, line }: NonNullable<DiagnosticView["suppression"]>, uri: string): Suppression {
  return {
    kind: file.endsWith("package.json") ? "external" : "inSource",
    justification: reason,
    location: { physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } },
  };
}

function location(uri: string, range: SourceRange | null): Location {
  const region =
    range === null
      ? {}
      : {
          region: {
            startLine: range.start.line,
            startColumn: range.start.column,
            endLine: range.end.line,
            endColumn: range.end.column,
            charOffset: range.start.offset,
            charLength: range.end.offset - range.start.offset,
          },
        };
  return { physicalLocation: { artifactLocation: { uri }, ...region } };
}

function result(diagnostic: DiagnosticView, ruleIndex: number, fileName: (file: string) => string): Result {
  const { rule, severity, message, file, range, related, suppression } = diagnostic;
  const uriOf = (name: string): string => fileUri(fileName(name));
  return {
    ruleId: rule,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: `${message}\n${helpLine(diagnostic)}` },
    locations: [location(uriOf(file), range)],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((place, id) => ({
            id,
            ...location(uriOf(place.file), place.range),
            message: { text: place.message },
          })),
        }),
    // Where one result of a run has them, all must: an empty list says that it is not suppressed.
    suppressions: suppression === null ? [] : [suppressionOf(suppression, uriOf(suppression.file))],
  };
}

/** `--format sarif`: SARIF 2.1.0, one run, rules described from the registry. */
export function sarifReporter(options: ReporterOptions): Reporter {
  return function* report(run: RunView) {
    const ruleIndex = new Map<RuleId, number>();
    const results = run.deployments.flatMap(({ diagnostics }) =>
      diagnostics.map((diagnostic) => {
        const index = ruleIndex.get(diagnostic.rule) ?? ruleIndex.size;
        ruleIndex.set(diagnostic.rule, index);
        return result(diagnostic, index, options.fileName);
      }),
    );
    const driver = {
      name: "qm-deploy",
      semanticVersion: options.version,
      rules: [...ruleIndex.keys()].map((id) => ruleDescriptor(id, options.rules.get(id))),
    };
    const log: Log = {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: { driver },
          columnKind: "utf16CodeUnits",
          invocations: [{ executionSuccessful: true, properties: { ok: run.ok } }],
          results,
        },
      ],
    };
    yield ours(`${printableJson(JSON.stringify(log, null, 2))}\n`);
  };
}
