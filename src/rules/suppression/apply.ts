import { isEditable } from "../../config/obstacles.ts";
import { MOST_FINDINGS } from "../../config/validation/finding.ts";
import type { Deployment } from "../../deployment/deployment.ts";
import type { Diagnostic, Fix } from "../../diagnostics/diagnostic.ts";
import { groupBy } from "../../base/group-by.ts";
import { names } from "../rule.ts";
import type { PlacedDirective } from "./comments.ts";
import { type NamedRule, rewrittenComment } from "./directive.ts";
import { SUPPRESSION_RULES } from "./rules.ts";
import { whyNotSuppressed } from "./suppressible.ts";
import { type SuppressionFinding, type Suppressions, suppressionsOf, type WrittenSuppression } from "./suppressions.ts";

/** One run of the rules over a deployment: marks what is suppressed, and knows afterwards what suppressed nothing. */
export class Suppressor {
  readonly #deployment: Deployment;
  readonly #written: Suppressions;
  readonly #used = new Set<WrittenSuppression>();
  readonly #attempts = new Map<WrittenSuppression, string>();
  /** The first finding of each rule that nothing covers, although something may. */
  readonly #uncovered = new Map<string, Diagnostic>();

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
    this.#written = suppressionsOf(deployment);
  }

  /** False where nothing is suppressed. */
  get isNeeded(): boolean {
    return this.#written.all.length > 0;
  }

  /** The finding as it is reported: marked where it is suppressed and may be. */
  mark(diagnostic: Diagnostic): Diagnostic {
    if (!this.isNeeded) return diagnostic;
    const covering = this.#written.covering(diagnostic);
    const [first] = covering;
    if (first === undefined) {
      this.#noteUncovered(diagnostic);
      return diagnostic;
    }
    const why = whyNotSuppressed(diagnostic, this.#deployment);
    for (const one of covering) {
      if (why === null) this.#used.add(one);
      else this.#attempts.set(one, why);
    }
    return why === null ? { ...diagnostic, suppression: first.suppression } : diagnostic;
  }

  /** What is wrong with the suppressions, once every finding was marked; `isComplete`: every rule could be asked. */
  findings(isComplete: boolean): readonly SuppressionFinding[] {
    const { all, problems } = this.#written;
    const attempts = [...this.#attempts].map(([written, why]) => notAllowed(written, why));
    const idle = all.filter(
      (one) => !this.#used.has(one) && !this.#attempts.has(one) && isComplete && this.#isCertain(one),
    );
    return [...problems, ...attempts, ...idleFindings(idle, this.#uncovered)];
  }

  #noteUncovered(diagnostic: Diagnostic): void {
    if (this.#uncovered.has(diagnostic.rule) || whyNotSuppressed(diagnostic, this.#deployment) !== null) return;
    this.#uncovered.set(diagnostic.rule, diagnostic);
  }

  /** False where what it covers may be found in other circumstances: beside other deployments, with another `.env` or under other flags. */
  #isCertain({ rule, inComment, path, suppression }: WrittenSuppression): boolean {
    const { inputs, config, document, env, diagnostics } = this.#deployment;
    const { release, target } = inputs.flags;
    if (!isEditable(document) || release !== null || (target !== null && target !== config.target)) return false;
    if (rule.concerns === "gate") return false;
    // Any rule may find something in `.env`; an entry with another path is about the files that are there.
    const isAboutEnv = inComment === null && (path === null || isDirectoryOrEnv(path));
    if (isAboutEnv && env === null) return false;
    if (rule.concerns === "secret-values" && suppression.file !== inputs.envFile?.file) return false;
    // Findings of shape above the limit are not known.
    return !rule.id.startsWith("config/") || diagnostics.length < MOST_FINDINGS;
  }
}

function notAllowed({ rule, suppression, range }: WrittenSuppression, why: string): SuppressionFinding {
  return [
    SUPPRESSION_RULES.notAllowed,
    {
      message: `\`${rule.id}\` cannot be suppressed here: ${why}`,
      help: "remove the suppression, and do what the finding says",
      place: { file: suppression.file, range },
    },
  ];
}

/** One finding for each comment or entry. Its fix takes out what is idle of it, unless that only stands in the wrong place. */
function idleFindings(
  idle: readonly WrittenSuppression[],
  uncovered: ReadonlyMap<string, Diagnostic>,
): SuppressionFinding[] {
  const groups = groupBy(idle, (one): PlacedDirective | WrittenSuppression => one.inComment?.directive ?? one);
  return [...groups.values()].map((group) => {
    const [first] = group as [WrittenSuppression];
    const shown = names(group.map(({ named }) => named));
    const directive = first.inComment?.directive;
    const isAll = directive === undefined || directive.rules.length === group.length;
    const what = isAll ? "remove the suppression" : `remove ${shown} from it`;
    const removed = new Set(group.map(({ inComment }) => inComment?.rule));
    const misplaced = group.find(({ rule }) => uncovered.has(rule.id));
    const elsewhere = misplaced === undefined ? undefined : uncovered.get(misplaced.rule.id);
    const isFixable = directive?.isFixable === true && elsewhere === undefined;
    return [
      SUPPRESSION_RULES.idle,
      {
        message: `this suppression of ${shown} covers ${nothing(first)}`,
        help: elsewhere === undefined ? what : `${what}, or ${moving(first, elsewhere)}`,
        place: { file: first.suppression.file, range: first.range },
        fix: isFixable ? rewriting(directive, removed, what) : undefined,
      },
    ];
  });
}

/** What a suppression covers that covers no finding. */
function nothing({ inComment, path }: WrittenSuppression): string {
  if (inComment !== null) return inComment.directive.covers === null ? "no line" : "nothing on its line";
  return path === null ? "nothing" : "nothing at its `path`";
}

/** Where a suppression would cover a finding: "have it right above line 12, where `a/b` is found". */
function moving({ suppression, inComment }: WrittenSuppression, { rule, file, range }: Diagnostic): string {
  const place = range === null ? file : `${file}:${range.start.line}`;
  if (inComment === null) return `let \`path\` name the place where \`${rule}\` is found, \`${place}\``;
  if (range !== null && file === suppression.file)
    return `put it right above line ${range.start.line}, where \`${rule}\` is found`;
  return `cover \`${rule}\` where it is found, in \`${place}\``;
}

function rewriting(directive: PlacedDirective, removed: ReadonlySet<NamedRule | undefined>, title: string): Fix {
  const { text, span } = directive;
  const written = rewrittenComment(text, span, directive, (rule) => (removed.has(rule) ? null : rule.id));
  return { safety: "safe", title, changes: [{ kind: "comment", ...span, text: written }] };
}

/** True of a path that names the whole deployment directory, or its `.env`. */
function isDirectoryOrEnv(path: string): boolean {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return names.length === 0 || (names.length === 1 && names[0] === ".env");
}
