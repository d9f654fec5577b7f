import { closestName } from "../../base/closest-name.ts";
import { groupBy } from "../../base/group-by.ts";
import { createProseMask } from "../../base/redact.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import { privateValues } from "../../deployment/secrets/known-values.ts";
import type { Diagnostic, Fix, Suppression } from "../../diagnostics/diagnostic.ts";
import type { RuleInfo } from "../../diagnostics/rule-info.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { findRule, ruleRegistry } from "../registry.ts";
import { type Finding, names } from "../rule.ts";
import { findDirectives, type PlacedDirective } from "./comments.ts";
import { DIRECTIVE, type NamedRule, rewrittenComment } from "./directive.ts";
import { matcherOf, type PackageEntry, readPackageEntries } from "./package-entries.ts";
import { SUPPRESSION_RULES } from "./rules.ts";
import { whyNever } from "./suppressible.ts";

/** A finding about suppressions, with its rule. */
export type SuppressionFinding = readonly [rule: RuleInfo, finding: Finding];

/** One rule that one comment or one entry of package.json suppresses. */
export interface WrittenSuppression {
  readonly rule: RuleInfo;
  /** The id as it is written, which may be an older one. */
  readonly named: string;
  readonly suppression: Suppression;
  /** The file's name in its deployment. */
  readonly name: string;
  /** As an entry of package.json gives it. */
  readonly path: string | null;
  readonly range: SourceRange;
  /** The line that a comment is about, 1-based; null where there is none, and for an entry. */
  readonly line: number | null;
  /** For an entry: whether it is about the place of a finding. */
  readonly matches: (finding: CoveredFinding) => boolean;
  /** The comment that it is in, and its rule there; null for an entry. */
  readonly inComment: { readonly directive: PlacedDirective; readonly rule: NamedRule } | null;
}

/** The suppressions of a deployment, sound ones apart from what is wrong with others. */
export interface Suppressions {
  /** In the order of comments, then of entries. */
  readonly all: readonly WrittenSuppression[];
  readonly problems: readonly SuppressionFinding[];
  /** Those that cover a finding, comments first. */
  readonly covering: (finding: CoveredFinding) => readonly WrittenSuppression[];
}

/** What of a finding decides who suppresses it. */
export type CoveredFinding = Pick<Diagnostic, "rule" | "file" | "range">;

/** As a user copies it: of a comment with `mark`, else of package.json. */
export function suppressionText(rule: string, mark: "//" | "#" | null, reason = "<reason>"): string {
  return mark === null
    ? `"qmDeploy": { "ignore": [{ "rule": "${rule}", "reason": "${reason}" }] }`
    : `${mark} ${DIRECTIVE} ${rule} -- ${reason}`;
}

const NONE: Suppressions = { all: [], problems: [], covering: () => [] };
const KNOWN = new WeakMap<Deployment, Suppressions>();

/** Reads every suppression of a deployment (docs/suppressions.md), once. Linear time; never throws for bad input. */
export function suppressionsOf(deployment: Deployment): Suppressions {
  let known = KNOWN.get(deployment);
  if (known === undefined) KNOWN.set(deployment, (known = readSuppressions(deployment)));
  return known;
}

/** Who suppresses what a rule says of a place; none where nobody does. For findings that only show beside other deployments. */
export function suppressionAt(deployment: Deployment, finding: CoveredFinding): Suppression | undefined {
  return suppressionsOf(deployment).covering(finding)[0]?.suppression;
}

function readSuppressions(deployment: Deployment): Suppressions {
  const all: WrittenSuppression[] = [];
  const problems: SuppressionFinding[] = [];
  const directives = findDirectives(deployment);
  const listed = readPackageEntries(deployment);
  if (directives.length === 0 && listed === null) return NONE;
  const { hide } = createProseMask(privateValues(deployment));
  const add = (written: Omit<WrittenSuppression, "rule">): void => {
    const rule = soundRule(written, hide, problems);
    const suppression = { ...written.suppression, reason: hide(written.suppression.reason) };
    if (rule !== null) all.push({ ...written, rule, suppression });
  };
  for (const directive of directives) {
    const problem = problemOf(directive);
    if (problem !== null) problems.push(problem);
    else for (const rule of directive.rules) add(ofComment(directive, rule));
  }
  for (const { message, range, isReason } of listed?.problems ?? []) {
    const help = `write \`${suppressionText("<rule>", null)}\`; \`path\` may name a field of the config or a file`;
    const rule = isReason ? SUPPRESSION_RULES.reason : SUPPRESSION_RULES.form;
    problems.push([rule, { message, help, place: { file: listed?.file ?? "", range } }]);
  }
  for (const entry of listed?.entries ?? []) add(ofEntry(entry, deployment));
  return { all, problems, covering: finderOf(all) };
}

/** Looks comments up by the line that they are about, since there may be as many as findings. */
function finderOf(all: readonly WrittenSuppression[]): Suppressions["covering"] {
  const keyOf = (rule: string, file: string, line: number): string => `${rule} ${line} ${file}`;
  const comments = groupBy(
    all.filter(({ line }) => line !== null),
    ({ rule, suppression: { file }, line }) => keyOf(rule.id, file, line as number),
  );
  const entries = groupBy(
    all.filter(({ inComment }) => inComment === null),
    ({ rule }) => rule.id,
  );
  return (finding) => {
    const { rule, file, range } = finding;
    const onLine = range === null ? undefined : comments.get(keyOf(rule, file, range.start.line));
    const listed = entries.get(rule)?.filter(({ matches }) => matches(finding)) ?? [];
    return onLine === undefined ? listed : [...onLine, ...listed];
  };
}

function problemOf(directive: PlacedDirective): SuppressionFinding | null {
  const { rules, reason, file, range, name } = directive;
  const place = { file, range };
  const shown = rules.flatMap(({ id }) => (findRule(id) === undefined ? [] : [id]));
  if (directive.isInValue)
    return [
      SUPPRESSION_RULES.form,
      {
        message:
          "this suppression stands behind an unquoted value, and qm reads it as a part of that; it suppresses nothing",
        help: "put it on a line of its own above the name",
        place,
      },
    ];
  const help = `write \`${suppressionText(shown.join(" ") || "<rule>", name === "qm.config.jsonc" ? "//" : "#")}\``;
  if (!directive.isSpelledRight)
    return [
      SUPPRESSION_RULES.form,
      { message: `this suppresses nothing: such a comment begins with \`${DIRECTIVE}\``, help, place },
    ];
  if (rules.length === 0) return [SUPPRESSION_RULES.form, { message: "this suppression names no rule", help, place }];
  if (reason !== null) return null;
  const message = `this suppression${shown.length === 0 ? "" : ` of ${names(shown)}`} gives no reason, so it suppresses nothing`;
  return [SUPPRESSION_RULES.reason, { message, help: `${help}, or remove it`, place }];
}

function ofComment(directive: PlacedDirective, rule: NamedRule): Omit<WrittenSuppression, "rule"> {
  const { file, name, reason, range, covers } = directive;
  return {
    named: rule.id,
    suppression: { reason: reason ?? "", file, line: range.start.line },
    name,
    path: null,
    range: directive.rangeOf(rule),
    line: covers,
    matches: () => false,
    inComment: { directive, rule },
  };
}

function ofEntry(entry: PackageEntry, deployment: Deployment): Omit<WrittenSuppression, "rule"> {
  const { rule, path, reason, file, range } = entry;
  return {
    named: rule,
    suppression: { reason, file, line: range.start.line },
    name: "package.json",
    path,
    range,
    line: null,
    matches: matcherOf(entry, deployment),
    inComment: null,
  };
}

/** The rule that is suppressed; null where there is none, or none that ever can be, which is reported. */
function soundRule(
  { named, suppression: { file }, range, inComment }: Omit<WrittenSuppression, "rule">,
  hide: (text: string) => string,
  problems: SuppressionFinding[],
): RuleInfo | null {
  const rule = findRule(named);
  const never = rule === undefined ? null : whyNever(rule);
  if (rule !== undefined && never === null) return rule;
  const place = { file, range };
  if (rule !== undefined) {
    const help = "remove the suppression, and do what the finding says";
    problems.push([
      SUPPRESSION_RULES.notAllowed,
      { message: `\`${rule.id}\` cannot be suppressed: ${never}`, help, place },
    ]);
    return null;
  }
  const meant = closestName(named, [...ruleRegistry().keys()]);
  const shown = /^[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}$/i.test(hide(named))
    ? `there is no rule \`${named}\``
    : "this names no rule";
  const help = meant === null ? "the id of a rule stands at the end of each finding" : `did you mean \`${meant}\`?`;
  const fix = meant === null || inComment === null ? undefined : renaming(inComment, meant);
  problems.push([SUPPRESSION_RULES.unknownRule, { message: `${shown}, so nothing is suppressed`, help, place, fix }]);
  return null;
}

function renaming({ directive, rule }: NonNullable<WrittenSuppression["inComment"]>, id: string): Fix | undefined {
  if (!directive.isFixable) return undefined;
  const { text, span } = directive;
  const written = rewrittenComment(text, span, directive, (one) => (one === rule ? id : one.id));
  return { safety: "suggested", title: `write \`${id}\``, changes: [{ kind: "comment", ...span, text: written }] };
}
