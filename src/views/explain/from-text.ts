import type { SourceRange } from "../../diagnostics/source.ts";
import { findRule } from "../../rules/registry.ts";
import { checkDeployment } from "../check.ts";
import { loadText, type Printed, printed, type TextOptions } from "../loaded-text.ts";
import { type Explanation, explain } from "./explain.ts";
import { suggestThing } from "./suggest.ts";
import { type ExplanationSheet, explanationSheets, explanationText } from "./text.ts";
import { thingsAt } from "./things-at.ts";

/** What is known of a thing. */
export interface ExplainedText {
  /** What the name stands for, as `explain --format json` prints it (docs/json.md); empty where it stands for nothing. */
  readonly subjects: readonly Printed<Explanation>[];
  /** The same for people, as `explain` prints it. */
  readonly text: string;
  /** What `text` lays out: for each subject a heading, and facts of one or more lines. */
  readonly sheets: readonly Printed<ExplanationSheet>[];
  /** What was probably meant where the name stands for nothing. */
  readonly meant: string | null;
}

/** What stands at a place of a config. */
export interface ExplainedPlace extends ExplainedText {
  /** The field, and what its value names. */
  readonly things: readonly string[];
  /** The key or the value, whichever the offset is in. */
  readonly range: SourceRange;
}

/**
 * Everything that a name stands for: a rendered name (`core.HARNESS`), a config field (`env.core.HARNESS`), a secret, a setting, a
 * sandbox backend, a release or a rule: where it comes from, what reads it, what would change it. Secret values are in none of it.
 *
 * @example
 * ```ts
 * console.log(explainText(config, "sandbox.backend").text);
 * ```
 */
export function explainText(text: string, thing: string, options: TextOptions = {}): ExplainedText {
  const loaded = loadText(text, options);
  const deployment = "problem" in loaded ? null : loaded.deployment;
  const checked = deployment === null || findRule(thing) === undefined ? null : checkDeployment(deployment);
  const subjects = explain(thing, { deployment, checked });
  return explained(subjects, subjects.length === 0 ? suggestThing(thing, deployment) : null);
}

function explained(subjects: readonly Explanation[], meant: string | null): ExplainedText {
  return {
    subjects: printed(subjects),
    text: subjects.length === 0 ? "" : explanationText(subjects).text,
    sheets: printed(explanationSheets(subjects)),
    meant,
  };
}

/**
 * What is known of what stands at an offset of the config (UTF-16 units): the field, and the secret or sandbox backend that its
 * value names. Null where nothing stands there. `things` are the names that {@link explainText} takes for the same.
 *
 * @example
 * ```ts
 * console.log(explainTextAt(config, config.indexOf('"boxd"'))?.things); // ["sandbox.backend", "boxd"]
 * ```
 */
export function explainTextAt(text: string, offset: number, options: TextOptions = {}): ExplainedPlace | null {
  const loaded = loadText(text, options);
  if ("problem" in loaded) return null;
  const { deployment } = loaded;
  const at = thingsAt(deployment, offset);
  if (at === null) return null;
  const subjects = at.things.flatMap((thing): readonly Explanation[] => explain(thing, { deployment, checked: null }));
  const [key, value] = [deployment.document.keyRange(at.path), deployment.document.valueRange(at.path)];
  const isOnKey = key.start.offset <= offset && offset <= key.end.offset;
  return { ...explained(subjects, null), things: at.things, range: isOnKey ? key : value };
}
